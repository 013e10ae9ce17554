import type { Session } from '@kith/protocol';
import { Link, useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useRef, useState } from 'react';
import { useShortcut, useSidebar } from '../../app/index.ts';
import { Button, Icon, LoadFailure, Loading } from '../../design/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { chatWords } from '../words.ts';
import { groupByDay } from './day-groups.ts';
import { DeleteDialog, RenameDialog } from './session-dialogs.tsx';
import { SessionRow } from './session-row.tsx';
import { useSessions } from './sessions-data.ts';

/** Past chats, in the sidebar: found by their titles, by day. */
export function SessionList({ current }: { current: string | undefined }) {
  const words = useWords(chatWords);
  const navigate = useNavigate();
  const { close } = useSidebar();
  const field = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState('');
  const [renaming, setRenaming] = useState<Session>();
  const [deleting, setDeleting] = useState<Session>();
  useShortcut('mod+k', words.shortcuts.search, () => field.current?.focus());
  useShortcut('mod+shift+o', words.shortcuts.new, () => void navigate({ to: '/' }));
  return (
    <section aria-label={words.sessions} className="mt-3 flex min-h-0 flex-1 flex-col">
      <div className="grid gap-2 px-3 pb-2">
        <Link
          to="/"
          onClick={close}
          className="flex h-9 items-center justify-center gap-1.5 rounded-control border border-line bg-surface font-medium hover:bg-hover"
        >
          <Icon name="add" />
          {words.newChat}
        </Link>
        <label className="flex h-8 items-center gap-2 rounded-control border border-transparent bg-hover px-2.5 text-sm focus-within:border-accent">
          <Icon name="search" className="text-faint" />
          <span className="sr-only">{words.search}</span>
          <input
            ref={field}
            type="search"
            value={search}
            placeholder={words.search}
            onChange={(event) => setSearch(event.target.value)}
            className="w-full min-w-0 bg-transparent outline-none placeholder:text-faint"
          />
        </label>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        <Found
          search={useDeferredValue(search.trim())}
          current={current}
          onRename={setRenaming}
          onDelete={setDeleting}
        />
      </div>
      {renaming && <RenameDialog session={renaming} onClose={() => setRenaming(undefined)} />}
      {deleting && (
        <DeleteDialog
          session={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            if (deleting.thread_id === current) void navigate({ to: '/' });
          }}
        />
      )}
    </section>
  );
}

interface FoundProps {
  search: string;
  current: string | undefined;
  onRename: (session: Session) => void;
  onDelete: (session: Session) => void;
}

function Found({ search, current, onRename, onDelete }: FoundProps) {
  const words = useWords(chatWords);
  const format = useFormat();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useSessions(search);
  if (error && !data) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Loading />;
  const sessions = data?.pages.flatMap((page) => page.sessions) ?? [];
  if (sessions.length === 0) {
    return <p className="px-2.5 py-2 text-sm text-faint">{search ? words.nothingFound : words.noSessions}</p>;
  }
  return (
    <>
      {groupByDay(sessions, format.day, new Date()).map(({ group, sessions: some }) => (
        <section key={group} aria-label={words.days[group]}>
          <h2 className="px-2.5 pt-3 pb-1 text-xs font-medium text-faint">{words.days[group]}</h2>
          <ul>
            {some.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isCurrent={session.thread_id === current}
                onRename={() => onRename(session)}
                onDelete={() => onDelete(session)}
              />
            ))}
          </ul>
        </section>
      ))}
      {hasNextPage && (
        <Button
          look="quiet"
          size="small"
          className="mt-1 w-full"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {words.loadMore}
        </Button>
      )}
    </>
  );
}

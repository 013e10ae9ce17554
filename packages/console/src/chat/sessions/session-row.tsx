import type { Session } from '@kith/protocol';
import { Link } from '@tanstack/react-router';
import { useSidebar } from '../../app/index.ts';
import { IconButton } from '../../design/index.ts';
import { Menu, MenuItem } from '../../design/menu.tsx';
import { useWords } from '../../language/index.ts';
import { chatWords } from '../words.ts';

export interface SessionRowProps {
  session: Session;
  isCurrent: boolean;
  onRename: () => void;
  onDelete: () => void;
}

export function SessionRow({ session, isCurrent, onRename, onDelete }: SessionRowProps) {
  const words = useWords(chatWords);
  const { close } = useSidebar();
  const title = session.title ?? words.untitled;
  return (
    <li
      className={`group/session flex items-center rounded-control ${isCurrent ? 'bg-hover' : 'hover:bg-hover focus-within:bg-hover'}`}
    >
      <Link
        to="/chat/$threadId"
        params={{ threadId: session.thread_id }}
        onClick={close}
        aria-current={isCurrent ? 'page' : undefined}
        title={title}
        className={`flex min-w-0 flex-1 items-center gap-2 px-2.5 py-1.5 ${isCurrent ? 'font-medium' : 'text-soft'}`}
      >
        <span className="min-w-0 flex-1 truncate">{title}</span>
        <Standing session={session} />
      </Link>
      <Menu
        trigger={
          <IconButton
            icon="more"
            label={words.sessionMenu(title)}
            className="opacity-0 group-hover/session:opacity-100 focus-visible:opacity-100 data-[state=open]:opacity-100 max-wide:opacity-100"
          />
        }
      >
        <MenuItem icon="edit" onSelect={onRename}>
          {words.rename}
        </MenuItem>
        <MenuItem icon="trash" danger onSelect={onDelete}>
          {words.delete}
        </MenuItem>
      </Menu>
    </li>
  );
}

/** A dot, only where something is to be known: it runs, or it waits for its reader. */
function Standing({ session: { status, state_snapshot: snapshot } }: { session: Session }) {
  const words = useWords(chatWords);
  const waits = snapshot.pending_tool_call_id !== null;
  if (!waits && status !== 'running') return null;
  return (
    <span
      role="img"
      aria-label={waits ? words.waiting : words.running}
      title={waits ? words.waiting : words.running}
      className={`size-2 shrink-0 rounded-full ${waits ? 'bg-warn' : 'animate-breathe bg-accent'}`}
    />
  );
}

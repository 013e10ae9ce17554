import { UserPage, type UserSummary } from '@kith/protocol';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { api, identity, isUserIdForHeader, useStatus } from '../../api/index.ts';
import { Button, Card, EmptyState, Field, Input, LoadFailure, Loading, Table } from '../../design/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { AdminFrame } from '../admin-frame.tsx';
import { userWords } from './words.ts';

export function UsersPage() {
  return (
    <AdminFrame page="users">
      <Users />
    </AdminFrame>
  );
}

function Users() {
  const words = useWords(userWords);
  const [search, setSearch] = useState('');
  const q = useDeferredValue(search.trim());
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['users', q],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api.get('api/v1/users', UserPage, { query: { q, cursor: pageParam, limit: 50 }, signal }),
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (previous) => previous,
  });
  const users = data?.pages.flatMap((page) => page.users) ?? [];
  return (
    <>
      <Field label={words.search}>
        <Input
          type="search"
          placeholder={words.searchHint}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </Field>
      <Card>
        {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Loading lines={4} />}
        {data && users.length === 0 && (
          <EmptyState icon="user" title={q ? words.noneFound : words.empty}>
            {!q && words.emptyHint}
          </EmptyState>
        )}
        {users.length > 0 && <UserTable users={users} />}
      </Card>
      {hasNextPage && (
        <Button className="justify-self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </>
  );
}

/** In dev auth anyone may be anyone: the page starts anew as that person, without an administrator's rights. */
const actAs = (userId: string) => identity.set({ userId, isAdmin: false, token: '' });

function UserTable({ users }: { users: readonly UserSummary[] }) {
  const words = useWords(userWords);
  const format = useFormat();
  const isDev = useStatus().data?.auth === 'dev';
  return (
    <Table<UserSummary>
      caption={words.list}
      rows={users}
      rowKey={(user) => user.user_id}
      columns={[
        {
          key: 'user',
          title: words.user,
          cell: (user) => (
            <>
              <span className="font-medium">{user.display_name}</span>
              <code className="block text-sm text-faint">{user.user_id}</code>
            </>
          ),
        },
        { key: 'department', title: words.department, cell: (user) => user.department ?? '—' },
        { key: 'role', title: words.role, cell: (user) => user.role ?? '—' },
        {
          key: 'created',
          title: words.created,
          className: 'whitespace-nowrap',
          cell: (user) => format.date(user.created_at),
        },
        {
          key: 'updated',
          title: words.updated,
          className: 'whitespace-nowrap',
          cell: (user) => format.date(user.updated_at),
        },
        ...(isDev
          ? [
              {
                key: 'deeds',
                title: <span className="sr-only">{words.actAs}</span>,
                cell: (user: UserSummary) =>
                  isUserIdForHeader(user.user_id) && (
                    <Button
                      size="small"
                      title={words.actAsHint}
                      aria-label={`${words.actAs}: ${user.user_id}`}
                      onClick={() => actAs(user.user_id)}
                    >
                      {words.actAs}
                    </Button>
                  ),
              },
            ]
          : []),
      ]}
    />
  );
}

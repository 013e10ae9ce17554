import type { ReactNode } from 'react';
import { useCurrentUser } from '../api/index.ts';
import { PageHeader, PageTabs } from '../app/index.ts';
import { EmptyState, Loading } from '../design/index.ts';
import { useWords } from '../language/index.ts';
import { adminWords } from './words.ts';

export interface AdminFrameProps {
  page: 'costs' | 'models' | 'stages' | 'prices' | 'users' | 'health';
  actions?: ReactNode;
  children: ReactNode;
}

/** A page for administrators; the server refuses everyone else in any case, here they are told why. */
export function AdminFrame({ page, actions, children }: AdminFrameProps) {
  const words = useWords(adminWords);
  const user = useCurrentUser().data;
  const tabs = [
    { to: '/admin', title: words.costs },
    { to: '/admin/models', title: words.models },
    { to: '/admin/stages', title: words.stages },
    { to: '/admin/prices', title: words.prices },
    { to: '/admin/users', title: words.users },
    { to: '/admin/health', title: words.health },
  ];
  const isAdmin = user?.role === 'admin';
  return (
    <>
      <PageHeader title={words[page]} actions={isAdmin && actions} />
      {isAdmin && <PageTabs label={words.sections} tabs={tabs} />}
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-6xl grid-cols-1 gap-5 px-4 py-5 wide:px-6">
          {!user && <Loading lines={4} />}
          {user && !isAdmin && (
            <EmptyState icon="shield" title={words.forbidden}>
              {words.forbiddenHint}
            </EmptyState>
          )}
          {isAdmin && children}
        </div>
      </div>
    </>
  );
}

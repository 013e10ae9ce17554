import type { ReactNode } from 'react';
import { PageHeader, PageTabs } from '../app/index.ts';
import { useWords } from '../language/index.ts';
import { meWords } from './words.ts';

export interface MeFrameProps {
  page: 'profile' | 'memory' | 'automations' | 'calendar' | 'contacts' | 'files' | 'data';
  actions?: ReactNode;
  children: ReactNode;
}

/** A page about the user: its title, and the way to its neighbours. */
export function MeFrame({ page, actions, children }: MeFrameProps) {
  const words = useWords(meWords);
  const tabs = [
    { to: '/me', title: words.profile },
    { to: '/me/memory', title: words.memory },
    { to: '/me/automations', title: words.automations },
    { to: '/me/calendar', title: words.calendar },
    { to: '/me/contacts', title: words.contacts },
    { to: '/me/files', title: words.files },
    { to: '/me/data', title: words.data },
  ];
  return (
    <>
      <PageHeader title={words[page]} actions={actions} />
      <PageTabs label={words.sections} tabs={tabs} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-5xl grid-cols-1 gap-5 px-4 py-5 wide:px-6">{children}</div>
      </div>
    </>
  );
}

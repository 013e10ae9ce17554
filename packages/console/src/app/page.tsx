import { type ReactNode, useEffect } from 'react';
import { IconButton } from '../design/index.ts';
import { useWords } from '../language/index.ts';
import { useSidebar } from './sidebar.tsx';
import { shellWords } from './words.ts';

export interface PageHeaderProps {
  title: string;
  /** Beside the title: buttons, figures. */
  actions?: ReactNode;
}

/** The line at the top of every page; on a narrow screen it also opens the sidebar. */
export function PageHeader({ title, actions }: PageHeaderProps) {
  const words = useWords(shellWords);
  const { open } = useSidebar();
  useEffect(() => {
    document.title = title ? `${title} · Kith` : 'Kith';
  }, [title]);
  return (
    <header className="flex h-13 shrink-0 items-center gap-2 border-b border-line px-3 wide:px-5">
      <IconButton icon="menu" label={words.openSidebar} onClick={open} className="wide:hidden" />
      <h1 className="min-w-0 flex-1 truncate font-semibold">{title}</h1>
      {actions}
    </header>
  );
}

/** An ordinary page: a header, and content of a readable width that scrolls. */
export function Page({ title, actions, children }: PageHeaderProps & { children: ReactNode }) {
  return (
    <>
      <PageHeader title={title} actions={actions} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-5xl grid-cols-1 gap-5 px-4 py-5 wide:px-6">{children}</div>
      </div>
    </>
  );
}

import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from '../design/index.ts';
import { useWords } from '../language/index.ts';
import { Account } from './account.tsx';
import { Navigation } from './navigation.tsx';
import { useShortcut } from './shortcuts.ts';
import { shellWords } from './words.ts';

interface SidebarState {
  isOpen: boolean;
  open: () => void;
  close: () => void;
  slot: HTMLElement | null;
  setSlot: (element: HTMLElement | null) => void;
}

const SidebarContext = createContext<SidebarState | undefined>(undefined);

/** On a narrow screen the sidebar lies over the page until something in it is chosen; on a wide one it is always there. */
export function SidebarProvider({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const state = { isOpen, open: () => setOpen(true), close: () => setOpen(false), slot, setSlot };
  return <SidebarContext value={state}>{children}</SidebarContext>;
}

export function useSidebar(): SidebarState {
  const state = use(SidebarContext);
  if (!state) throw new Error('useSidebar outside of the shell');
  return state;
}

/** What a page puts into the sidebar, under the navigation: `<SidebarContent>…</SidebarContent>`. */
export function SidebarContent({ children }: { children: ReactNode }) {
  const { slot } = useSidebar();
  return slot && createPortal(children, slot);
}

const wide = window.matchMedia('(min-width: 56rem)');

export function Sidebar() {
  const words = useWords(shellWords);
  const { isOpen, close, setSlot } = useSidebar();
  const panel = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(wide.matches);
  useEffect(() => {
    const onChange = () => setWide(wide.matches);
    wide.addEventListener('change', onChange);
    return () => wide.removeEventListener('change', onChange);
  }, []);
  useEffect(() => {
    if (isOpen) panel.current?.querySelector<HTMLElement>('a')?.focus();
  }, [isOpen]);
  useShortcut('escape', words.closeSidebar, close, isOpen);
  return (
    <>
      {isOpen && !isWide && (
        <button
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          onClick={close}
          className="fixed inset-0 z-30 bg-black/40 wide:hidden"
        />
      )}
      <div
        ref={panel}
        inert={!isWide && !isOpen}
        className={`fixed inset-y-0 start-0 z-40 flex w-72 max-w-[85vw] flex-col border-e border-line bg-sunken transition-transform wide:static wide:w-66 wide:translate-x-0 ${isOpen ? 'translate-x-0 shadow-float wide:shadow-none' : '-translate-x-full'}`}
      >
        <div className="flex items-center gap-2 px-4 pt-4 pb-2">
          <span className="flex-1 font-serif text-xl font-semibold tracking-tight">Kith</span>
          <IconButton icon="close" label={words.closeSidebar} onClick={close} className="wide:hidden" />
        </div>
        <Navigation onChoose={close} />
        <div ref={setSlot} className="flex min-h-0 flex-1 flex-col" />
        <Account />
      </div>
    </>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { identity, isApiError, useCurrentUser, useSettings } from '../api/index.ts';
import { Button, Dialog, Notice, Toasts } from '../design/index.ts';
import { hasChosenLanguage, speak, useWords } from '../language/index.ts';
import { IdentityForm } from './preferences.tsx';
import { listenForShortcuts, shownKeys, useActiveShortcuts, useShortcut } from './shortcuts.ts';
import { Sidebar, SidebarProvider } from './sidebar.tsx';
import { shellWords } from './words.ts';

/** What every page stands in. */
export function Shell() {
  const words = useWords(shellWords);
  const main = useRef<HTMLElement>(null);
  useEffect(listenForShortcuts, []);
  useNewIdentity();
  useLanguageOfProfile();
  const { error } = useCurrentUser();
  const isStranger = isApiError(error) && error.status === 401;
  return (
    <SidebarProvider>
      <div className="flex h-full">
        <Button
          look="primary"
          className="absolute! start-3 top-3 z-50 not-focus:sr-only"
          onClick={() => main.current?.focus()}
        >
          {words.skipToContent}
        </Button>
        <Sidebar />
        <main ref={main} tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
          {isStranger ? <SignIn /> : <Outlet />}
        </main>
        <ShortcutList />
        <Toasts />
      </div>
    </SidebarProvider>
  );
}

/** Someone else's data must not stay on the screen. */
function useNewIdentity(): void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  useEffect(
    () =>
      identity.subscribe(() => {
        void navigate({ to: '/' });
        void queries.resetQueries();
      }),
    [queries, navigate],
  );
}

/** A profile's interface language counts until another is chosen in this browser. */
function useLanguageOfProfile(): void {
  const hasProfile = useCurrentUser().data?.has_profile;
  const tag = useSettings().data?.preferences.interface_language;
  useEffect(() => {
    if (hasProfile && tag && !hasChosenLanguage()) speak(tag);
  }, [hasProfile, tag]);
}

function SignIn() {
  const words = useWords(shellWords);
  const hadToken = identity.get().token !== '';
  return (
    <div className="m-auto grid w-full max-w-md gap-3 p-6">
      <h1 className="font-serif text-2xl font-semibold">{words.signIn}</h1>
      <p className="text-soft">{words.signInAsked}</p>
      {hadToken && (
        <Notice tone="bad" icon="error">
          {words.tokenRefused}
        </Notice>
      )}
      <IdentityForm onSaved={() => {}} />
    </div>
  );
}

function ShortcutList() {
  const words = useWords(shellWords);
  const [open, setOpen] = useState(false);
  useShortcut('?', words.shortcutsShown, () => setOpen(true));
  const shortcuts = useActiveShortcuts();
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title={words.shortcuts} className="max-w-sm">
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2">
        {shortcuts.map(({ keys, description }) => (
          <div key={keys + description} className="contents">
            <dt>{description}</dt>
            <dd className="flex gap-1">
              {shownKeys(keys).map((key) => (
                <kbd key={key} className="rounded border border-line bg-sunken px-1.5 font-sans text-sm text-soft">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

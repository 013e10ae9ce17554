import { useState } from 'react';
import { useCurrentUser } from '../api/index.ts';
import { Badge, Icon } from '../design/index.ts';
import { useWords } from '../language/index.ts';
import { PreferencesDialog } from './preferences.tsx';
import { shellWords } from './words.ts';

/** Who is asking, at the foot of the sidebar; opens the preferences. */
export function Account() {
  const words = useWords(shellWords);
  const [open, setOpen] = useState(false);
  const user = useCurrentUser().data;
  return (
    <div className="border-t border-line p-2">
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="flex w-full items-center gap-2.5 rounded-control px-2.5 py-2 text-start hover:bg-hover"
      >
        <span className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-wash text-sm font-semibold text-accent uppercase">
          {user ? Array.from(user.user_id)[0] : ''}
        </span>
        <span className="min-w-0 flex-1 truncate">
          <span className="sr-only">{words.preferences}: </span>
          {user?.user_id ?? '…'}
        </span>
        {user?.role === 'admin' && <Badge tone="accent">{words.admin}</Badge>}
        <Icon name="settings" className="text-faint" />
      </button>
      <PreferencesDialog open={open} onClose={() => setOpen(false)} />
    </div>
  );
}

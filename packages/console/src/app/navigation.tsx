import { Link, useLocation } from '@tanstack/react-router';
import { useCurrentUser } from '../api/index.ts';
import { classes, Icon, type IconName } from '../design/index.ts';
import { useWords } from '../language/index.ts';
import { shellWords } from './words.ts';

const look =
  'flex items-center gap-2.5 rounded-control px-2.5 py-1.5 text-soft transition-colors hover:bg-hover hover:text-ink';
const chosen = 'bg-hover text-ink! font-medium';

export function Navigation({ onChoose }: { onChoose: () => void }) {
  const words = useWords(shellWords);
  const isAdmin = useCurrentUser().data?.role === 'admin';
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isIn = (to: string) => (to === '/' ? path === '/' || path.startsWith('/chat/') : path.startsWith(to));
  const pages = [
    { to: '/', icon: 'chat', title: words.chat },
    { to: '/me', icon: 'user', title: words.me },
    { to: '/runs', icon: 'runs', title: words.runs },
    ...(isAdmin ? [{ to: '/admin', icon: 'settings', title: words.admin } as const] : []),
  ] as const satisfies readonly { to: string; icon: IconName; title: string }[];
  return (
    <nav aria-label={words.mainNavigation} className="grid gap-0.5 px-2">
      {pages.map(({ to, icon, title }) => (
        <Link
          key={to}
          to={to}
          aria-current={isIn(to) ? 'page' : undefined}
          className={classes(look, isIn(to) && chosen)}
          onClick={onChoose}
        >
          <Icon name={icon} />
          {title}
        </Link>
      ))}
    </nav>
  );
}

import { createRootRoute, type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Button, EmptyState } from '../design/index.ts';
import { useWords } from '../language/index.ts';
import { Shell } from './shell.tsx';
import { shellWords } from './words.ts';

export const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });

function NotFound() {
  const words = useWords(shellWords);
  return (
    <EmptyState
      icon="search"
      title={words.notFound}
      action={
        <Link to="/" className="text-accent underline underline-offset-4">
          {words.toChat}
        </Link>
      }
    >
      {words.notFoundHint}
    </EmptyState>
  );
}

/** A page that threw. A chunk that is gone means a newer console was installed meanwhile: loading again is the cure. */
export function Broken({ error }: ErrorComponentProps) {
  const words = useWords(shellWords);
  const message = error instanceof Error ? error.message : String(error);
  const isOld = /dynamically imported module|Importing a module script failed/i.test(message);
  return (
    <EmptyState
      icon="warning"
      title={isOld ? words.newVersion : words.broken}
      action={<Button onClick={() => location.reload()}>{words.reload}</Button>}
    >
      {!isOld && <code className="text-sm">{message}</code>}
    </EmptyState>
  );
}

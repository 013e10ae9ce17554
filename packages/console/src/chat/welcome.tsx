import { UserProfile } from '@kith/protocol';
import { useQuery } from '@tanstack/react-query';
import { api, useCurrentUser, useStatus } from '../api/index.ts';
import { Notice } from '../design/index.ts';
import { useWords } from '../language/index.ts';
import { chatWords } from './words.ts';

const VARIABLES = ['DEEPSEEK_API_KEY', 'DASHSCOPE_API_KEY', 'OPENAI_API_KEY'];

/** Before the first word: what to try, and who it is that will answer. */
export function Welcome({ onSay }: { onSay: (text: string) => void }) {
  const words = useWords(chatWords).welcome;
  const user = useCurrentUser().data;
  const { data: profile } = useQuery({
    queryKey: ['me', 'profile'],
    queryFn: ({ signal }) => api.get('api/v1/users/me/profile', UserProfile, { signal }),
    enabled: user?.has_profile === true,
  });
  const status = useStatus().data;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex min-h-full max-w-3xl flex-col justify-center gap-7 px-4 py-8">
        <h2 className="font-serif text-3xl leading-tight font-medium text-balance">
          {words.hello(profile?.display_name ?? '')}
        </h2>
        <ul className="grid gap-2.5 sm:grid-cols-2">
          {words.tries.map(({ title, hint }) => (
            <li key={title} className="flex">
              <button
                type="button"
                onClick={() => onSay(title)}
                className="flex flex-1 flex-col items-start rounded-card border border-line bg-surface px-4 py-3 text-start transition-colors hover:border-edge hover:bg-hover"
              >
                <span>{title}</span>
                <span className="text-sm text-faint">{hint}</span>
              </button>
            </li>
          ))}
        </ul>
        {status?.simulator && (
          <Notice tone="warn" title={words.simulator}>
            <p>{words.simulatorHint}</p>
            <p className="mt-1 flex flex-wrap gap-x-3">
              {VARIABLES.map((name) => (
                <code key={name} className="font-mono text-sm text-ink">
                  {name}
                </code>
              ))}
            </p>
            {user?.role === 'admin' && <p className="mt-1">{words.simulatorAdmin}</p>}
          </Notice>
        )}
      </div>
    </div>
  );
}

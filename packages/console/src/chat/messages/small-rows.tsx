import type { WireStage } from '@kith/protocol';
import { Link } from '@tanstack/react-router';
import { Icon } from '../../design/index.ts';
import { useWords } from '../../language/index.ts';
import type { RunFailure } from '../thread/index.ts';
import { chatWords } from '../words.ts';
import { useToolNames } from './tool-names.ts';

/** What was done on the way, in one quiet line. */
export function Steps({ tools }: { tools: readonly string[] }) {
  const words = useWords(chatWords);
  const names = useToolNames(tools);
  if (names.length === 0) return null;
  return (
    <ul aria-label={words.done} className="flex flex-wrap items-center gap-x-2 text-sm text-faint">
      {names.map((name, index) => (
        <li key={name} className="flex items-center gap-2">
          {index > 0 && <Dot />}
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Drawn, because the character is as wide as a Han one in Chinese fonts. */
const Dot = () => <span aria-hidden="true" className="size-0.5 rounded-full bg-current" />;

/** What is going on at this moment. */
export function Activity({ step, tool }: { step: WireStage | null; tool: string | null }) {
  const words = useWords(chatWords);
  const [name] = useToolNames(tool ? [tool] : []);
  return (
    <p className="flex items-center gap-2.5 text-sm text-faint">
      <span aria-hidden="true" className="size-1.5 animate-breathe rounded-full bg-accent" />
      {step ? words.steps[step] : words.starting}
      {step === 'worker' && name && (
        <>
          <Dot />
          {name}
        </>
      )}
    </p>
  );
}

/** What was learned: a margin note, not part of the conversation. */
export function MemoryNote({ text }: { text: string }) {
  return (
    <p className="flex gap-2 text-sm text-faint">
      <Icon name="memory" className="mt-[0.28em]" />
      <span className="min-w-0 flex-1">{text}</span>
    </p>
  );
}

export function Failure({ threadId, runId, failure }: { threadId: string; runId: string; failure: RunFailure }) {
  const words = useWords(chatWords);
  if (failure.code === 'RUN_CANCELED') {
    return (
      <p className="flex items-center gap-2 text-sm text-faint">
        <Icon name="stop" />
        {words.stopped}
      </p>
    );
  }
  const reason = words.failures[failure.code] ?? failure.message;
  return (
    <div className="flex gap-2.5 rounded-card bg-bad-wash px-3.5 py-2.5">
      <Icon name="error" className="mt-[0.28em] text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-bad">{words.runFailed}</p>
        {reason && <p className="text-soft">{reason}</p>}
        <p className="flex flex-wrap gap-x-3 text-sm text-soft">
          {failure.errorId && <span>{words.errorId(failure.errorId)}</span>}
          <Link to="/runs/$threadId/$runId" params={{ threadId, runId }} className="underline underline-offset-4">
            {words.openRun}
          </Link>
        </p>
      </div>
    </div>
  );
}

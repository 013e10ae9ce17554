import { JsonText, LoadFailure, Loading } from '../design/index.ts';
import { useFormat, useWords } from '../language/index.ts';
import { useAudit } from './run-data.ts';
import { runWords } from './words.ts';

/** What the stages really said, kept beside the conversation and out of it. */
export function Audit({ threadId, runId, isLive }: { threadId: string; runId: string; isLive: boolean }) {
  const words = useWords(runWords);
  const format = useFormat();
  const { data, error, refetch } = useAudit(threadId, isLive);
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={4} />;
  const messages = data.messages.filter((message) => message.run_id === runId);
  return (
    <>
      <p className="mb-3 text-soft">{words.auditHint}</p>
      {messages.length === 0 && <p className="py-6 text-center text-faint">{words.noAudit}</p>}
      <ol className="grid grid-cols-1 gap-4">
        {messages.map((message) => (
          <li key={message.id}>
            <p className="mb-1 flex flex-wrap gap-x-3 text-sm text-faint">
              <span className="tabular-nums">#{message.seq}</span>
              <span>{'stage' in message.metadata ? message.metadata.stage : message.role}</span>
              <span>{format.dateTime(message.created_at)}</span>
            </p>
            {message.content && <p className="mb-1 wrap-anywhere whitespace-pre-line">{message.content}</p>}
            <JsonText label={`#${message.seq}`} value={message.metadata} />
          </li>
        ))}
      </ol>
    </>
  );
}

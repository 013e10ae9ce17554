import type { Automation, AutomationRun } from '@kith/protocol';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  Badge,
  Button,
  Card,
  ConfirmDialog,
  IconButton,
  Loading,
  Table,
  type Tone,
  toast,
} from '../../design/index.ts';
import { useErrorText } from '../../forms/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { meWords } from '../words.ts';
import { useAutomationChanges, useAutomationRuns } from './automation-data.ts';
import { useScheduleText } from './schedule-text.ts';
import { automationWords } from './words.ts';

const TONES = { active: 'good', paused: 'warn', finished: 'plain' } as const satisfies Record<string, Tone>;

export function AutomationCard({ automation, onEdit }: { automation: Automation; onEdit: () => void }) {
  const words = useWords(automationWords);
  const format = useFormat();
  const scheduleText = useScheduleText();
  const [hasHistory, showHistory] = useState(false);
  const { status, next_due_at: next } = automation;
  return (
    <Card
      aria-label={automation.name}
      title={
        <span className="flex flex-wrap items-center gap-2">
          {automation.name}
          <Badge tone={TONES[status]}>{words.status[status]}</Badge>
        </span>
      }
      actions={<CardButtons automation={automation} onEdit={onEdit} onRun={() => showHistory(true)} />}
    >
      <p className="line-clamp-3 whitespace-pre-line text-soft">{automation.prompt}</p>
      <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-faint">
        <span>{scheduleText(automation)}</span>
        <span>{automation.timezone}</span>
        {next && status === 'active' && <span>{words.next(format.dateTime(next))}</span>}
      </p>
      {automation.paused_by === 'failures' && <p className="mt-2 text-sm text-bad">{words.pausedByFailures}</p>}
      {automation.last_error && <p className="mt-1 text-sm wrap-anywhere text-bad">{automation.last_error}</p>}
      <details
        className="mt-3 border-t border-line pt-2"
        open={hasHistory}
        onToggle={(event) => showHistory(event.currentTarget.open)}
      >
        <summary className="w-fit text-sm text-soft hover:text-ink">{words.history}</summary>
        {hasHistory && <History automation={automation} />}
      </details>
    </Card>
  );
}

function CardButtons({ automation, onEdit, onRun }: { automation: Automation; onEdit: () => void; onRun: () => void }) {
  const words = useWords(automationWords);
  const { edit, remove: removeWord, removed } = useWords(meWords);
  const say = useErrorText();
  const [isRemoving, setRemoving] = useState(false);
  const { pause, resume, runNow, remove } = useAutomationChanges();
  const onError = (error: unknown) => toast(say(error), 'bad');
  const { id, status } = automation;
  return (
    <div className="flex flex-wrap justify-end gap-1 self-start">
      <Button
        size="small"
        busy={runNow.isPending}
        onClick={() =>
          runNow.mutate(id, {
            onSuccess: () => {
              toast(words.started, 'good');
              onRun();
            },
            onError,
          })
        }
      >
        {words.runNow}
      </Button>
      {status === 'active' && (
        <Button size="small" look="quiet" busy={pause.isPending} onClick={() => pause.mutate(id, { onError })}>
          {words.pause}
        </Button>
      )}
      {status === 'paused' && (
        <Button size="small" look="quiet" busy={resume.isPending} onClick={() => resume.mutate(id, { onError })}>
          {words.resume}
        </Button>
      )}
      <IconButton icon="edit" label={edit} onClick={onEdit} />
      <IconButton icon="trash" label={removeWord} onClick={() => setRemoving(true)} />
      <ConfirmDialog
        open={isRemoving}
        onClose={() => setRemoving(false)}
        title={words.removeTitle}
        description={words.removeHint}
        action={removeWord}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSuccess: () => toast(removed, 'good'), onError })}
      />
    </div>
  );
}

const OUTCOMES = {
  started: 'accent',
  skipped: 'plain',
  completed: 'good',
  failed: 'bad',
  canceled: 'warn',
} as const satisfies Record<string, Tone>;

function History({ automation }: { automation: Automation }) {
  const words = useWords(automationWords);
  const format = useFormat();
  const { data } = useAutomationRuns(automation.id, true);
  if (!data) return <Loading lines={2} />;
  if (data.runs.length === 0) return <p className="py-2 text-sm text-faint">{words.noHistory}</p>;
  return (
    <Table<AutomationRun>
      caption={words.history}
      rows={data.runs}
      rowKey={(run) => run.due_at + (run.run_id ?? '')}
      columns={[
        { key: 'due', title: words.due, cell: (run) => format.dateTime(run.due_at), className: 'whitespace-nowrap' },
        {
          key: 'outcome',
          title: words.outcome,
          cell: (run) => <Badge tone={OUTCOMES[run.outcome]}>{words.outcomes[run.outcome]}</Badge>,
        },
        {
          key: 'reason',
          title: words.reason,
          cell: ({ reason }) => (reason === null ? '' : (words.reasons[reason] ?? reason)),
        },
        {
          key: 'run',
          title: <span className="sr-only">{words.openRun}</span>,
          cell: (run) =>
            run.run_id && (
              <Link
                to="/runs/$threadId/$runId"
                params={{ threadId: run.thread_id, runId: run.run_id }}
                className="whitespace-nowrap text-accent underline underline-offset-4"
              >
                {words.openRun}
              </Link>
            ),
        },
      ]}
    />
  );
}

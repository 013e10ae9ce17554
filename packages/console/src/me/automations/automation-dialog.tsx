import { type Automation, AutomationInput, MissedPolicy, OverlapPolicy } from '@kith/protocol';
import { useId } from 'react';
import { useSettings } from '../../api/index.ts';
import { Button, Dialog, Field, Input, Notice, Select, Textarea, toast } from '../../design/index.ts';
import { type Form, useForm } from '../../forms/index.ts';
import { useWords } from '../../language/index.ts';
import { meWords } from '../words.ts';
import { useAutomationChanges } from './automation-data.ts';
import { INTERVAL_UNITS, type IntervalUnit, PRESET_NAMES, PRESETS, SECONDS, splitInterval } from './schedule-text.ts';
import { automationWords } from './words.ts';

const TYPES = ['cron', 'interval', 'once'] as const;

interface Draft {
  name: string;
  prompt: string;
  type: (typeof TYPES)[number];
  expression: string;
  amount: string;
  unit: IntervalUnit;
  at: string;
  timezone: string;
  missed_policy: MissedPolicy | '';
  overlap_policy: OverlapPolicy;
}

function draftOf(automation: Automation | undefined, timezone: string): Draft {
  const schedule = automation?.schedule;
  const interval = splitInterval(schedule?.type === 'interval' ? schedule.seconds : 3600);
  return {
    name: automation?.name ?? '',
    prompt: automation?.prompt ?? '',
    type: schedule?.type ?? 'cron',
    expression: schedule?.type === 'cron' ? schedule.expression : PRESETS.workdays,
    amount: String(interval.amount),
    unit: interval.unit,
    at: schedule?.type === 'once' ? schedule.at.slice(0, 16) : '',
    timezone: automation?.timezone ?? timezone,
    missed_policy: automation?.missed_policy ?? '',
    overlap_policy: automation?.overlap_policy ?? 'skip',
  };
}

function scheduleOf({ type, expression, amount, unit, at }: Draft) {
  if (type === 'cron') return { type, expression };
  if (type === 'once') return { type, at };
  return { type, seconds: amount.trim() === '' ? undefined : Math.round(Number(amount) * SECONDS[unit]) };
}

function check(draft: Draft) {
  if (draft.type === 'once' && draft.at === '') {
    return {
      success: false,
      error: { issues: [{ path: ['schedule', 'at'], message: 'received undefined' }] },
    } as const;
  }
  return AutomationInput.safeParse({
    name: draft.name,
    prompt: draft.prompt,
    schedule: scheduleOf(draft),
    timezone: draft.timezone.trim(),
    ...(draft.missed_policy ? { missed_policy: draft.missed_policy } : {}),
    overlap_policy: draft.overlap_policy,
  });
}

export function AutomationDialog({ automation, onClose }: { automation: Automation | undefined; onClose: () => void }) {
  const words = useWords(automationWords);
  const { save: saveWord, saved, cancel } = useWords(meWords);
  const zone = useSettings().data?.preferences.timezone ?? 'Asia/Shanghai';
  const { save } = useAutomationChanges();
  const id = useId();
  const form = useForm({
    initial: draftOf(automation, zone),
    check,
    async save({ config, ...input }) {
      await save.mutateAsync({ id: automation?.id, ...input, config: automation?.config ?? config });
      toast(saved, 'good');
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={automation ? words.editTitle : words.addTitle}
      className="max-w-xl"
      footer={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" form={id} look="primary" busy={form.busy}>
            {saveWord}
          </Button>
        </>
      }
    >
      <form id={id} className="grid gap-4" onSubmit={form.onSubmit} noValidate>
        <Field label={words.name} error={form.error('name')}>
          <Input
            autoFocus
            placeholder={words.namePlaceholder}
            value={form.draft.name}
            onChange={(event) => form.set({ name: event.target.value })}
          />
        </Field>
        <Field label={words.prompt} error={form.error('prompt')}>
          <Textarea
            rows={3}
            placeholder={words.promptPlaceholder}
            value={form.draft.prompt}
            onChange={(event) => form.set({ prompt: event.target.value })}
          />
        </Field>
        <ScheduleFields form={form} />
        <Rules form={form} />
        {form.failure && <Notice tone="bad" icon="error" title={form.failure} />}
      </form>
    </Dialog>
  );
}

function ScheduleFields({ form }: { form: Form<Draft> }) {
  const words = useWords(automationWords);
  const { draft, set } = form;
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label={words.schedule}>
          <Select
            value={draft.type}
            onChange={(event) => set({ type: TYPES.find((type) => type === event.target.value) ?? 'cron' })}
          >
            {TYPES.map((type) => (
              <option key={type} value={type}>
                {words.types[type]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={words.timezone} hint={words.timezoneHint} error={form.error('timezone')}>
          <Input value={draft.timezone} onChange={(event) => set({ timezone: event.target.value })} />
        </Field>
      </div>
      {draft.type === 'cron' && <CronField form={form} />}
      {draft.type === 'interval' && (
        <div className="grid grid-cols-2 items-start gap-4">
          <Field label={words.every} error={form.error('schedule.seconds') ?? undefined}>
            <Input
              type="number"
              min={1}
              value={draft.amount}
              onChange={(event) => set({ amount: event.target.value })}
            />
          </Field>
          <Field label={words.unit}>
            <Select
              value={draft.unit}
              onChange={(event) => set({ unit: INTERVAL_UNITS.find((unit) => unit === event.target.value) ?? 'hours' })}
            >
              {INTERVAL_UNITS.map((unit) => (
                <option key={unit} value={unit}>
                  {words.units[unit]}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      )}
      {draft.type === 'once' && (
        <Field label={words.at} error={form.error('schedule.at')}>
          <Input type="datetime-local" value={draft.at} onChange={(event) => set({ at: event.target.value })} />
        </Field>
      )}
    </>
  );
}

function CronField({ form }: { form: Form<Draft> }) {
  const words = useWords(automationWords);
  const { draft, set } = form;
  return (
    <div className="grid gap-2">
      <Field label={words.expression} hint={words.expressionHint} error={form.error('schedule.expression')}>
        <Input
          className="font-mono"
          spellCheck={false}
          value={draft.expression}
          onChange={(event) => set({ expression: event.target.value })}
        />
      </Field>
      <div className="flex flex-wrap gap-1.5">
        {PRESET_NAMES.map((name) => (
          <Button
            key={name}
            size="small"
            aria-pressed={draft.expression === PRESETS[name]}
            className="aria-pressed:bg-accent-wash aria-pressed:text-accent"
            onClick={() => set({ expression: PRESETS[name] })}
          >
            {words.presets[name]}
          </Button>
        ))}
      </div>
    </div>
  );
}

function Rules({ form }: { form: Form<Draft> }) {
  const words = useWords(automationWords);
  const { draft, set } = form;
  return (
    <details>
      <summary className="w-fit text-sm text-soft hover:text-ink">{words.rules}</summary>
      <div className="mt-3 grid items-start gap-4 sm:grid-cols-2">
        <Field label={words.missed}>
          <Select
            value={draft.missed_policy || (draft.type === 'once' ? 'run_once' : 'skip')}
            onChange={(event) => set({ missed_policy: MissedPolicy.safeParse(event.target.value).data ?? '' })}
          >
            {MissedPolicy.options.map((policy) => (
              <option key={policy} value={policy}>
                {words.missedChoices[policy]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={words.overlap}>
          <Select
            value={draft.overlap_policy}
            onChange={(event) => set({ overlap_policy: OverlapPolicy.safeParse(event.target.value).data ?? 'skip' })}
          >
            {OverlapPolicy.options.map((policy) => (
              <option key={policy} value={policy}>
                {words.overlapChoices[policy]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
    </details>
  );
}

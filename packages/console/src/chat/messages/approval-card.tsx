import type { Decision } from '@kith/protocol';
import { useState } from 'react';
import { isApiError } from '../../api/index.ts';
import { Button, Checkbox, Field, Icon, Input, Textarea, toast } from '../../design/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import type { Approval } from '../thread/index.ts';
import { chatWords } from '../words.ts';
import { type ArgumentField, argumentsOf, fieldsOf, inputOf, problemOf } from './arguments-form.ts';
import { Block } from './tool-card.tsx';
import { useToolNames } from './tool-names.ts';

export interface ApprovalCardProps {
  approval: Approval;
  onDecide: (decision: Decision) => Promise<void>;
}

/** A call that waits for a word: as it is, changed, or not at all. */
export function ApprovalCard({ approval, onDecide }: ApprovalCardProps) {
  const words = useWords(chatWords).approval;
  const format = useFormat();
  const [name = approval.toolName] = useToolNames([approval.toolName]);
  const given = inputOf(approval.args);
  const [fields, setFields] = useState(() => fieldsOf(given));
  const [reason, setReason] = useState('');
  const [deciding, setDeciding] = useState<'approve' | 'reject'>();
  const args = argumentsOf(fields);
  const decide = async (decision: Decision) => {
    setDeciding(decision.approved ? 'approve' : 'reject');
    try {
      await onDecide(decision);
    } catch (error) {
      const isLate = isApiError(error) && (error.status === 409 || error.status === 410);
      toast(isLate ? words.late : error instanceof Error ? error.message : String(error), 'bad');
      setDeciding(undefined);
    }
  };
  const approve = () => {
    if (!args) return;
    const isChanged = JSON.stringify(args) !== JSON.stringify(given);
    return decide({ approved: true, ...(isChanged ? { args } : {}) });
  };
  return (
    <section
      aria-label={words.title(name)}
      className="rounded-card border border-line border-s-3 border-s-warn bg-surface px-4 py-3.5"
    >
      <h3 className="flex items-center gap-2 font-medium">
        <Icon name="shield" className="text-warn" />
        {words.title(name)}
      </h3>
      {approval.preview.map((block) => (
        <Block key={JSON.stringify(block)} block={block} />
      ))}
      <p className="mt-1.5 mb-3 text-sm text-faint">
        {words.hint} {approval.expiresAt && words.expires(format.dateTime(approval.expiresAt))}
      </p>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void approve();
        }}
      >
        <ArgumentFields fields={fields} onChange={setFields} />
        <div className="flex flex-wrap items-center gap-2 pt-1">
          <Button type="submit" look="primary" busy={deciding === 'approve'} disabled={!args || deciding !== undefined}>
            {words.approve}
          </Button>
          <Button
            look="danger"
            busy={deciding === 'reject'}
            disabled={deciding !== undefined}
            onClick={() => void decide({ approved: false, ...(reason.trim() ? { reason: reason.trim() } : {}) })}
          >
            {words.reject}
          </Button>
          <Input
            aria-label={words.reason}
            placeholder={words.reason}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            className="max-w-60 min-w-32 flex-1"
          />
        </div>
      </form>
    </section>
  );
}

interface ArgumentFieldsProps {
  fields: readonly ArgumentField[];
  onChange: (fields: ArgumentField[]) => void;
}

function ArgumentFields({ fields, onChange }: ArgumentFieldsProps) {
  const words = useWords(chatWords);
  if (fields.length === 0) return <p className="text-faint">{words.approval.none}</p>;
  const change = (field: ArgumentField) => onChange(fields.map((each) => (each.name === field.name ? field : each)));
  return fields.map((field) => {
    const label = words.fields[field.name] ?? field.name;
    if (field.kind === 'boolean') {
      return (
        <Checkbox
          key={field.name}
          label={label}
          checked={field.checked}
          onChange={(event) => change({ ...field, checked: event.target.checked })}
        />
      );
    }
    const problem = problemOf(field);
    const text = {
      value: field.text,
      onChange: (event: { target: { value: string } }) => change({ ...field, text: event.target.value }),
    };
    return (
      <Field
        key={field.name}
        label={field.kind === 'json' ? `${label} (${words.approval.raw})` : label}
        error={problem && words.approval[problem]}
      >
        {field.kind === 'json' ? (
          <Textarea {...text} rows={Math.min(10, field.text.split('\n').length)} className="font-mono text-sm" />
        ) : field.kind === 'text' && field.isLong ? (
          <Textarea {...text} rows={3} />
        ) : (
          <Input {...text} inputMode={field.kind === 'number' ? 'decimal' : 'text'} />
        )}
      </Field>
    );
  });
}

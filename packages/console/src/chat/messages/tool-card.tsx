import type { UiBlock, UiSchema } from '@kith/protocol';
import { Badge, Button, Icon, toast } from '../../design/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { chatWords } from '../words.ts';
import { downloadFile, isOwnFile, useImageAddress } from './authorized-file.ts';
import { useToolNames } from './tool-names.ts';

export interface ToolCardProps {
  toolName: string;
  schema: UiSchema;
  /** An action of the card says this, as the user's next message. */
  onSay: (message: string) => void;
}

/** A tool's result, drawn from its `ui_schema` and from nothing else. */
export function ToolCard({ toolName, schema, onSay }: ToolCardProps) {
  const words = useWords(chatWords);
  const [name] = useToolNames([toolName]);
  const tone = schema.status === 'success' ? 'plain' : schema.status === 'partial' ? 'warn' : 'bad';
  return (
    <section
      aria-label={`${name ?? toolName}: ${schema.title}`}
      className="rounded-card border border-line bg-surface px-4 py-3"
    >
      <header className="flex items-baseline gap-2">
        <h3 className="font-medium">{schema.title}</h3>
        <span className="min-w-0 flex-1 truncate text-end text-sm text-faint">{name ?? toolName}</span>
        {schema.status !== 'success' && <Badge tone={tone}>{words.status[schema.status]}</Badge>}
      </header>
      {schema.blocks.map((block) => (
        <Block key={JSON.stringify(block)} block={block} />
      ))}
      <Actions actions={schema.actions} onSay={onSay} />
    </section>
  );
}

function Actions({ actions, onSay }: { actions: UiSchema['actions']; onSay: (message: string) => void }) {
  if (actions.length === 0) return null;
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {actions.map(({ label, message, url }) => {
        if (message !== undefined) {
          return (
            <Button key={label} size="small" onClick={() => onSay(message)}>
              {label}
            </Button>
          );
        }
        if (url === undefined) return null;
        return isOwnFile(url) ? (
          <Button key={label} size="small" icon="download" onClick={() => void save(url, label)}>
            {label}
          </Button>
        ) : (
          <WebLink key={label} url={url} label={label} />
        );
      })}
    </div>
  );
}

const WebLink = ({ url, label }: { url: string; label: string }) => (
  <a
    href={url}
    target="_blank"
    rel="noreferrer noopener"
    className="inline-flex h-8 items-center rounded-control border border-line px-2.5 text-sm text-accent hover:bg-hover"
  >
    {label}
  </a>
);

async function save(url: string, name: string): Promise<void> {
  try {
    await downloadFile(url, name);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), 'bad');
  }
}

/** Part of a card, by itself. */
export function Block({ block }: { block: UiBlock }) {
  switch (block.type) {
    case 'text':
      return <p className="mt-2 whitespace-pre-wrap text-soft">{block.text}</p>;
    case 'fields':
      return <Fields fields={block.fields} />;
    case 'table':
      return <Rows block={block} />;
    case 'image':
      return <Picture url={block.url} alt={block.alt} />;
    case 'file':
      return <FileLink block={block} />;
  }
}

type Cell = string | number | boolean | null | undefined;

function useCell(): (value: Cell) => string {
  const words = useWords(chatWords).card;
  const format = useFormat();
  return (value) => {
    if (typeof value === 'boolean') return value ? words.yes : words.no;
    if (typeof value === 'number') return format.number(value);
    return value ?? '';
  };
}

function Fields({ fields }: { fields: (UiBlock & { type: 'fields' })['fields'] }) {
  const cell = useCell();
  return (
    <dl className="mt-2 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
      {fields.map(({ label, value }) => (
        <div key={label} className="contents">
          <dt className="text-faint">{label}</dt>
          <dd className="min-w-0 break-words">{cell(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Rows({ block: { columns, rows } }: { block: UiBlock & { type: 'table' } }) {
  const words = useWords(chatWords).card;
  const cell = useCell();
  if (rows.length === 0) return <p className="mt-1 text-faint">{words.empty}</p>;
  return (
    <div className="mt-2 overflow-x-auto">
      <table className="border-collapse text-start">
        <thead>
          <tr className="border-b border-line text-sm text-faint">
            {columns.map(({ key, label }) => (
              <th key={key} scope="col" className="py-1 pe-8 text-start font-medium whitespace-nowrap">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={JSON.stringify(row)} className="border-b border-line last:border-0">
              {columns.map(({ key }) => (
                <td key={key} className={`py-1.5 pe-8 align-top ${typeof row[key] === 'number' ? 'tabular-nums' : ''}`}>
                  {cell(row[key])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Picture({ url, alt }: { url: string; alt: string }) {
  const words = useWords(chatWords).card;
  const { address, hasFailed } = useImageAddress(url);
  if (!isOwnFile(url)) return <WebLink url={url} label={alt || url} />;
  if (hasFailed) return <p className="mt-2 text-faint">{words.image}</p>;
  if (!address) return <div className="mt-2 h-40 animate-breathe rounded-control bg-hover" />;
  return <img src={address} alt={alt} className="mt-2 max-h-96 max-w-full rounded-control" />;
}

function FileLink({ block: { name, url, size } }: { block: UiBlock & { type: 'file' } }) {
  const words = useWords(chatWords).card;
  const format = useFormat();
  return (
    <button
      type="button"
      onClick={() => void save(url, name)}
      className="mt-2 flex w-full items-center gap-2.5 rounded-control border border-line px-3 py-2 text-start hover:bg-hover"
    >
      <Icon name="file" className="text-faint" />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {size !== undefined && <span className="text-sm text-faint">{format.bytes(size)}</span>}
      <span className="sr-only">{words.download}</span>
      <Icon name="download" className="text-faint" />
    </button>
  );
}

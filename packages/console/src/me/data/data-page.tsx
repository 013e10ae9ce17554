import { ContextPrompt } from '@kith/protocol';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, useCurrentUser } from '../../api/index.ts';
import { Button, Card, LoadFailure, Loading, ScrollBox, toast } from '../../design/index.ts';
import { useErrorText } from '../../forms/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { MeFrame } from '../me-frame.tsx';
import { collectMyData, EXPORT_PARTS, type ExportPart } from './export-data.ts';
import { saveAs } from './save-as.ts';
import { dataWords } from './words.ts';

export function DataPage() {
  return (
    <MeFrame page="data">
      <PromptPreview />
      <Export />
    </MeFrame>
  );
}

/** Word for word what agents are told: the server's own text, not a picture of it. */
function PromptPreview() {
  const words = useWords(dataWords);
  const { data, error, refetch } = useQuery({
    queryKey: ['me', 'prompt'],
    queryFn: ({ signal }) => api.get('api/v1/users/me/context/prompt', ContextPrompt, { signal }),
    staleTime: 0,
  });
  // The clipboard needs a secure context: on plain HTTP in a LAN there is none, and the text can still be selected.
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text);
    toast(words.copied, 'good');
  };
  return (
    <Card
      title={words.prompt}
      actions={
        data &&
        'clipboard' in navigator && (
          <Button size="small" icon="copy" onClick={() => void copy(data.prompt)}>
            {words.copy}
          </Button>
        )
      }
    >
      <p className="mb-3 text-soft">{words.promptHint}</p>
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading lines={5} />}
      {data && (
        <ScrollBox
          aria-label={words.prompt}
          className="max-h-112 overflow-auto rounded-control border border-line bg-sunken p-3 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
        >
          {data.prompt}
        </ScrollBox>
      )}
    </Card>
  );
}

function Export() {
  const words = useWords(dataWords);
  const format = useFormat();
  const say = useErrorText();
  const user = useCurrentUser().data;
  const [part, setPart] = useState<ExportPart>();
  const start = async () => {
    try {
      const text = JSON.stringify(await collectMyData(setPart), null, 2);
      const file = new Blob([text], { type: 'application/json' });
      saveAs(`kith-${user?.user_id ?? 'me'}-${format.day(new Date())}.json`, file);
      toast(words.finished(format.bytes(file.size)), 'good');
    } catch (error) {
      toast(say(error), 'bad');
    } finally {
      setPart(undefined);
    }
  };
  return (
    <Card title={words.export}>
      <p className="mb-3 text-soft">{words.exportHint}</p>
      <ul className="mb-4 grid list-disc gap-1 ps-5 text-soft marker:text-faint">
        {EXPORT_PARTS.map((name) => (
          <li key={name}>{words.parts[name]}</li>
        ))}
      </ul>
      <Button look="primary" icon="download" busy={part !== undefined} onClick={() => void start()}>
        {part ? words.working(words.parts[part]) : words.start}
      </Button>
    </Card>
  );
}

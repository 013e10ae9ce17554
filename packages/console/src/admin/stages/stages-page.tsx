import type { ModelView, SystemAgentView } from '@kith/protocol';
import { Link } from '@tanstack/react-router';
import { useStatus } from '../../api/index.ts';
import { Card, EmptyState, Field, LoadFailure, Loading, Notice, Select, toast } from '../../design/index.ts';
import { useErrorText } from '../../forms/index.ts';
import { useWords } from '../../language/index.ts';
import { AdminFrame } from '../admin-frame.tsx';
import { useAgents, useInfraChanges, useModels } from '../infra-data.ts';
import { adminWords } from '../words.ts';
import { stageWords } from './words.ts';

export function StagesPage() {
  return (
    <AdminFrame page="stages">
      <Stages />
    </AdminFrame>
  );
}

function Stages() {
  const words = useWords(stageWords);
  const { models: modelsWord } = useWords(adminWords);
  const isSimulated = useStatus().data?.simulator;
  const agents = useAgents();
  const models = useModels();
  const error = agents.error ?? models.error;
  if (error)
    return <LoadFailure error={error} onRetry={() => void Promise.all([agents.refetch(), models.refetch()])} />;
  if (!agents.data || !models.data) return <Loading lines={5} />;
  const usable = models.data.filter(({ enabled }) => enabled);
  return (
    <>
      <p className="text-soft">{words.hint}</p>
      {isSimulated && (
        <Notice tone="accent">
          {words.simulator}{' '}
          <Link to="/admin/models" className="text-accent underline underline-offset-4">
            {modelsWord}
          </Link>
        </Notice>
      )}
      {usable.length === 0 && (
        <EmptyState icon="settings" title={words.noModels}>
          {words.noModelsHint}
        </EmptyState>
      )}
      <Card>
        <ol className="grid gap-5">
          {agents.data.map((agent) => (
            <Stage key={agent.agent_type} agent={agent} models={usable} />
          ))}
        </ol>
      </Card>
    </>
  );
}

/** Only what can do the work is offered: vectors need an embedding model, words one that writes. */
const fits = (agent: SystemAgentView, { category }: ModelView): boolean =>
  agent.agent_type === 'EMBEDDING' ? category === 'embedding' : /^(text|reasoning|multimodal)$/.test(category);

function Stage({ agent, models }: { agent: SystemAgentView; models: readonly ModelView[] }) {
  const words = useWords(stageWords);
  const { saved } = useWords(adminWords);
  const say = useErrorText();
  const { assign, unassign } = useInfraChanges();
  const [title, hint] = words.stages[agent.agent_type];
  const done = { onSuccess: () => toast(saved, 'good'), onError: (error: unknown) => toast(say(error), 'bad') };
  return (
    <li>
      <Field label={title} hint={hint}>
        <Select
          value={agent.model_id ?? ''}
          disabled={assign.isPending || unassign.isPending}
          onChange={({ target: { value } }) => {
            if (value) assign.mutate({ agentType: agent.agent_type, modelId: value }, done);
            else unassign.mutate(agent.agent_type, done);
          }}
        >
          {(!agent.required || agent.model_id === null) && (
            <option value="">{agent.required ? words.choose : words.nothing}</option>
          )}
          {models
            .filter((model) => fits(agent, model) || model.id === agent.model_id)
            .map(({ id }) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
        </Select>
      </Field>
    </li>
  );
}

import { AgentType, REQUIRED_AGENT_TYPES, RegistrySource, type SystemAgentView } from '@kith/protocol';
import { eq } from 'drizzle-orm';
import { type Database, tables } from '../../db/index.ts';
import { errors } from '../../errors/index.ts';
import { instant } from './write.ts';

const { systemAgents: agents, models } = tables;
const required = new Set<string>(REQUIRED_AGENT_TYPES);

/** Which model serves which agent type. */
export function agentStore({ orm }: Database) {
  const list = async (): Promise<SystemAgentView[]> => {
    const rows = new Map((await orm.select().from(agents)).map((row) => [row.agentType, row]));
    return AgentType.options.map((agentType) => {
      const row = rows.get(agentType);
      return {
        agent_type: agentType,
        model_id: row?.modelId ?? null,
        required: required.has(agentType),
        source: row ? RegistrySource.parse(row.source) : null,
        updated_at: row ? instant(row.updatedAt) : null,
      };
    });
  };
  const get = async (agentType: AgentType): Promise<SystemAgentView> => {
    const found = (await list()).find((view) => view.agent_type === agentType);
    if (!found) throw errors.NOT_FOUND({ detail: agentType });
    return found;
  };
  return {
    list,
    get,
    assign: async (agentType: AgentType, modelId: string) => {
      const [model] = await orm.select({ category: models.category }).from(models).where(eq(models.id, modelId));
      if (!model) throw errors.MODEL_NOT_FOUND({ detail: modelId });
      refuseWrongCategory(agentType, model.category);
      const values = { agentType, modelId, source: 'api', updatedAt: new Date() };
      await orm.insert(agents).values(values).onConflictDoUpdate({ target: agents.agentType, set: values });
      return get(agentType);
    },
    unassign: async (agentType: AgentType) => {
      if (required.has(agentType)) throw errors.IN_USE({ detail: `${agentType} must have a model` });
      await orm.delete(agents).where(eq(agents.agentType, agentType));
    },
  };
}

function refuseWrongCategory(agentType: AgentType, category: string): void {
  const fits = agentType === 'EMBEDDING' ? category === 'embedding' : /^(text|reasoning|multimodal)$/.test(category);
  if (fits) return;
  const message = `a ${category} model cannot serve ${agentType}`;
  throw errors.REQUEST_INVALID({ detail: message, fields: [{ field: 'model_id', message }] });
}

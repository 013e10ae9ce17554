import { AgentType, REQUIRED_AGENT_TYPES } from '@kith/protocol';
import { errors } from '../../errors/index.ts';
import type { Snapshot } from './entities.ts';
import { modelIdOf } from './seed.ts';
import type { SeedVendor } from './seed-sources.ts';

export type StageModels = Record<(typeof REQUIRED_AGENT_TYPES)[number], string> & Partial<Record<AgentType, string>>;

export interface StageWishes {
  /** `models.stages` of kith.yaml. */
  config: Partial<Record<AgentType, string>>;
  /** `system_agents.yaml`. */
  templates: Partial<Record<AgentType, string>>;
}

/** Models that were registered by hand and can be called. */
export interface StoredModels {
  text?: string | undefined;
  embedding?: string | undefined;
}

/** Who serves which stage: what was asked for, else the first vendor that is there. */
export function chooseStages(vendors: readonly SeedVendor[], stored: StoredModels, { config, templates }: StageWishes) {
  const stages = new Map<AgentType, { modelId: string; source: string }>();
  const serving = vendors.filter(({ ready }) => ready);
  for (const agentType of AgentType.options) {
    const wished = config[agentType] ?? templates[agentType];
    const registered = agentType === 'EMBEDDING' ? stored.embedding : stored.text;
    const wanted = agentType === 'EMBEDDING' ? ['embedding'] : ['text', 'multimodal', 'reasoning'];
    const chosen = wished ?? registered;
    const found = chosen === undefined ? firstModel(serving, wanted) : { modelId: chosen, source: 'config' };
    if (found) stages.set(agentType, found);
  }
  return stages;
}

function firstModel(vendors: readonly SeedVendor[], categories: readonly string[]) {
  for (const vendor of vendors) {
    for (const category of categories) {
      const model = vendor.models.find((each) => each.category === category);
      if (model) return { modelId: modelIdOf(vendor.id, model.name), source: vendor.source };
    }
  }
  return undefined;
}

/** The models of the stages; a stage without a usable one stops the start with its name. */
export function resolveStageModels(rows: ReadonlyMap<string, string>, { models, vendors }: Snapshot): StageModels {
  const found = Object.fromEntries(
    AgentType.options.flatMap((agentType) => {
      const id = rows.get(agentType);
      const model = id === undefined ? undefined : models.get(id);
      return model?.enabled && vendors.get(model.vendorId)?.enabled ? [[agentType, model.id]] : [];
    }),
  );
  for (const agentType of REQUIRED_AGENT_TYPES) {
    if (found[agentType] === undefined) {
      const named = rows.get(agentType);
      const detail = named ? `${agentType}: there is no usable model ${named}` : `${agentType} has no model`;
      throw errors.STAGE_MODEL_MISSING({ detail, agentType });
    }
  }
  return found as StageModels;
}

/** Vendors, keys, endpoints and models as data, and the one tracked way to call any of them. */
export type { Infra } from './admin/infra.ts';
export { bookModelCalls } from './book-model-calls.ts';
export {
  type CreatedModels,
  createModels,
  type InfraOptions,
  type ModelsOptions,
  openInfra,
} from './create-models.ts';
export { loadMasterKeys, type MasterKeys } from './keys/master-keys.ts';
export { rotateMasterKey } from './keys/rotate-master-key.ts';
export type {
  CallOutcome,
  ModelAnswer,
  ModelCall,
  ModelCallRow,
  ModelMessage,
  Models,
  ModelTool,
  StructuredOutput,
  ToolCall,
} from './port.ts';
export { resolveStageModels, type StageModels } from './registry/stages.ts';
export { type Difference, type Reconciliation, reconcile } from './usage/reconcile.ts';

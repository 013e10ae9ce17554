/** Vendors, keys, endpoints and models as data, and the one tracked way to call any of them. */
export { bookModelCalls } from './book-model-calls.ts';
export { type CreatedModels, createModels, type ModelsOptions } from './create-models.ts';
export { loadMasterKeys, type MasterKeys } from './keys/master-keys.ts';
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

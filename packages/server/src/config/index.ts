/** Environment and kith.yaml → one typed Config; anything unknown or wrong stops the start and says where. */
export { type Environment, loadConfig } from './load.ts';
export { Config, type McpServerConfig, Role, VendorConfig } from './schema.ts';

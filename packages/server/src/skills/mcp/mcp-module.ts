import type { JsonObject } from '@kith/protocol';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { McpServerConfig } from '../../config/index.ts';
import type { Log } from '../../observability/index.ts';
import type { PresentedMethod, SkillModule } from '../module.ts';
import { fullName } from '../names.ts';
import type { SkillMethod } from '../port.ts';
import { type McpConnection, mcpConnection } from './connection.ts';
import { outputOf } from './result.ts';
import { inputOf, oneLine, signatureOf } from './schema.ts';

/** An MCP server as a skill: `mcp.<server>`, a method for each tool. Its tools ask the user unless they are trusted. */
export function mcpModule(server: string, config: McpServerConfig, log: Log): SkillModule {
  const name = `mcp.${server}`;
  const connection = mcpConnection(server, config, log);
  let seen: { tools: readonly Tool[]; methods: readonly PresentedMethod[] } = { tools: [], methods: [] };
  return {
    name,
    source: 'mcp',
    description: () => `Tools of the MCP server ${server}`,
    instructions: '',
    methods() {
      const tools = connection.tools();
      if (tools !== seen.tools) seen = { tools, methods: tools.map((tool) => present(name, tool, config, connection)) };
      return seen.methods;
    },
    error: connection.error,
    prepare: connection.connect,
    close: connection.close,
  };
}

function present(module: string, tool: Tool, config: McpServerConfig, connection: McpConnection): PresentedMethod {
  const title = oneLine(tool.title ?? tool.annotations?.title ?? tool.name, 80);
  const description = oneLine(tool.description ?? '', 600);
  return {
    method: methodOf(module, tool, config, connection),
    names: { zh: title, en: title },
    card: [description, `Input: ${signatureOf(tool.inputSchema)}`].filter(Boolean).join('\n'),
  };
}

function methodOf(
  module: string,
  tool: Tool,
  config: McpServerConfig,
  connection: McpConnection,
): SkillMethod<JsonObject> {
  return {
    module,
    method: tool.name,
    effect: 'outside',
    idempotent: config.idempotent.includes(tool.name),
    approval: !config.trusted.includes(tool.name),
    input: inputOf(tool.inputSchema),
    async run(input, { signal, idempotencyKey }) {
      const result = await connection.call(tool.name, input, { signal, idempotencyKey });
      return outputOf(fullName(module, tool.name), result);
    },
  };
}

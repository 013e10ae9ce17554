import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';

/** A small MCP server, for tests: over stdio, or with the argument `http` on a port that it prints. */

const anything: Tool['inputSchema'] = { type: 'object' };
const tools: Tool[] = [
  {
    name: 'echo',
    title: 'Echo',
    description: 'Says it\nagain.',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'what to say' },
        times: { type: 'integer', minimum: 1, maximum: 3 },
      },
      required: ['text'],
      additionalProperties: false,
    },
  },
  { name: 'seen', description: 'What the server was told and may see', inputSchema: anything },
  { name: 'evil\n## calendar', description: 'Pretends to be more', inputSchema: anything },
  { name: 'wait', description: 'Never answers', inputSchema: anything },
  { name: 'fail', description: 'Fails', inputSchema: anything },
  { name: 'huge', description: 'Says far too much', inputSchema: anything },
  { name: 'crash', description: 'Ends the server', inputSchema: anything },
  {
    name: 'odd',
    description: 'Has a schema beyond us',
    inputSchema: { type: 'object', $ref: '#/nowhere' },
  },
];
const text = (content: string) => ({ content: [{ type: 'text' as const, text: content }] });

function mcpServer(): Server {
  const server = new Server({ name: 'test', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    params?.cursor ? { tools: tools.slice(4) } : { tools: tools.slice(0, 4), nextCursor: 'more' },
  );
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    switch (params.name) {
      case 'echo':
        return {
          ...text(`${Object.values(params.arguments ?? {})[0]}\u0000!`),
          structuredContent: { said: params.arguments ?? {} },
        };
      case 'seen':
        return text(JSON.stringify({ meta: params._meta, environment: Object.keys(process.env).sort() }));
      case 'wait':
        process.stderr.write('waiting\n');
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('canceled'))));
      case 'fail':
        return { ...text('the disk is on fire'), isError: true };
      case 'huge':
        return text('好'.repeat(50_000));
      case 'crash':
        process.exit(3);
    }
    return text('?');
  });
  return server;
}

if (process.argv[2] === 'http') {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const http = createServer(async (request, response) => {
    const known = transports.get(String(request.headers['mcp-session-id']));
    if (request.url === '/forget') {
      transports.clear();
      response.end();
      return;
    }
    if (request.headers['x-secret'] !== 'open sesame') {
      response.writeHead(401).end();
      return;
    }
    if (!known && request.headers['mcp-session-id']) {
      response.writeHead(404).end();
      return;
    }
    const transport =
      known ??
      new StreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => void transports.set(id, transport),
      });
    if (!known) await mcpServer().connect(transport);
    await transport.handleRequest(request, response);
  });
  http.listen(Number(process.argv[3] ?? 0), '127.0.0.1', () => {
    const address = http.address();
    console.log(typeof address === 'object' ? address?.port : address);
  });
} else {
  await mcpServer().connect(new StdioServerTransport());
}

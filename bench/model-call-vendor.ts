import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The vendor of the bench: answers at once, always the same, as DeepSeek would. */
const pace = process.argv[2];
const usage = {
  prompt_tokens: 495,
  completion_tokens: 200,
  total_tokens: 695,
  prompt_tokens_details: { cached_tokens: 320 },
  prompt_cache_hit_tokens: 320,
  prompt_cache_miss_tokens: 175,
};
const head = { id: 'bench', created: 1, model: 'deepseek-flash' };
const answer = JSON.stringify({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: '好的 '.repeat(200) }, finish_reason: 'stop' }],
  usage,
});
const chunk = (choice: object, more: object = {}) =>
  `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }], ...more })}\n\n`;
const chunks = Array.from({ length: 200 }, (_, index) =>
  chunk({ delta: { content: `词${index} ` }, finish_reason: null }),
);
const last = `${chunk({ delta: {}, finish_reason: 'stop' }, { usage })}data: [DONE]\n\n`;

const server = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += String(piece);
  if (JSON.parse(body).stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await sendChunks(response);
  response.end(last);
});

async function sendChunks(response: ServerResponse): Promise<void> {
  for (const text of chunks) {
    response.write(text);
    // A turn of the event loop in between: each chunk then travels alone, as it does from a model at work.
    if (pace !== 'burst') await new Promise((resolve) => setImmediate(resolve));
  }
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.(`http://127.0.0.1:${port}`);
});
process.once('disconnect', () => process.exit(0));

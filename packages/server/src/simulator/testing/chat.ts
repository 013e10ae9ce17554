import { createParser } from 'eventsource-parser';

/** A plain client of the vendors' wire, for the tests of this room. */

export interface WireUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details: { cached_tokens: number; cache_creation_input_tokens?: number; cache_type?: string };
  completion_tokens_details?: { reasoning_tokens: number };
  prompt_cache_hit_tokens?: number;
  prompt_cache_miss_tokens?: number;
}
export interface WireCall {
  id: string;
  type: string;
  index?: number;
  function: { name: string; arguments: string };
}
export interface Completion {
  id: string;
  choices: {
    message: { role: string; content: string; reasoning_content?: string; tool_calls?: WireCall[] };
    finish_reason: string;
  }[];
  usage?: WireUsage;
}
export interface Chunk {
  choices: {
    delta: {
      role?: string;
      content?: string | null;
      reasoning_content?: string | null;
      tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[];
    };
    finish_reason: string | null;
  }[];
  usage?: WireUsage | null;
}

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sim-test', ...headers },
    body: JSON.stringify(body),
  });
}

export async function complete(url: string, body: object, headers: Record<string, string> = {}): Promise<Completion> {
  const response = await post(`${url}/chat/completions`, body, headers);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Completion;
}

/** All that a stream sent: its chunks, its comments, and whether it said that it was done. */
export async function stream(url: string, body: object, headers: Record<string, string> = {}) {
  const response = await post(`${url}/chat/completions`, { ...body, stream: true }, headers);
  const chunks: Chunk[] = [];
  const comments: string[] = [];
  let done = false;
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === '[DONE]') done = true;
      else chunks.push(JSON.parse(data) as Chunk);
    },
    onComment: (comment) => comments.push(comment),
  });
  parser.feed(await response.text());
  return { response, chunks, comments, done };
}

export const textOfChunks = (chunks: readonly Chunk[]): string =>
  chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');

export const say = (content: string, more: object = {}) => ({
  model: 'deepseek-flash',
  messages: [{ role: 'user', content }],
  ...more,
});

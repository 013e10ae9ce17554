import type { RequestTemplate, ResponseParser } from '@kith/protocol';

/** A wire that ships with Kith: how to ask and how to read. Each of these could as well have been added as data. */
export interface Preset {
  request: RequestTemplate;
  parser: Omit<ResponseParser, 'preset'>;
}

const openAiChatBody = {
  model: '{{ model }}',
  messages: '{{ wire_messages }}',
  tools: '{{ wire_tools }}',
  temperature: '{{ temperature }}',
  max_tokens: '{{ max_output_tokens }}',
  response_format: '{{ response_format }}',
  stream: '{{ stream }}',
};
const post = (path: string, body: RequestTemplate['body'], headers: Record<string, string> = {}): RequestTemplate => ({
  method: 'POST',
  path,
  headers,
  body,
});

const toolCalls = (at: string) => `${at}[*].{id: id, name: function.name, arguments: function.arguments}`;
const openAiAnswer = {
  text: 'choices[0].message.content',
  reasoning: 'choices[0].message.reasoning_content || choices[0].message.reasoning',
  tool_calls: toolCalls('choices[0].message.tool_calls'),
  finish_reason: 'choices[0].finish_reason',
  usage: 'usage',
  error: 'error',
  stream: {
    format: 'sse' as const,
    text: 'choices[0].delta.content',
    reasoning: 'choices[0].delta.reasoning_content || choices[0].delta.reasoning',
    tool_calls:
      'choices[0].delta.tool_calls[*].{index: index, id: id, name: function.name, arguments: function.arguments}',
    finish_reason: 'choices[0].finish_reason',
    usage: 'usage',
    error: 'error',
  },
};
const openAiChat: Preset = {
  request: post('/chat/completions', {
    ...openAiChatBody,
    stream_options: '{{ stream && `{"include_usage": true}` || `null` }}',
  }),
  parser: openAiAnswer,
};

const dashScopeTask = {
  id: 'output.task_id',
  state: 'output.task_status',
  succeeded: ['SUCCEEDED'],
  failed: ['FAILED', 'CANCELED', 'UNKNOWN'],
  error: 'output.{code: code, message: message}',
  poll: { method: 'GET' as const, path: '/tasks/{{ task_id }}', headers: {} },
};
const asynchronous = { 'X-DashScope-Async': 'enable' };
const dashScopeError = 'code && {code: code, message: message}';
const generation = { model: '{{ model }}', input: { prompt: '{{ prompt }}' }, parameters: '{{ parameters }}' };

export const PRESETS = {
  'openai-chat': openAiChat,
  'deepseek-chat': {
    request: post('/chat/completions', {
      ...openAiChatBody,
      stream_options: '{{ stream && `{"include_usage": true}` || `null` }}',
      thinking: '{{ thinking != null && {type: thinking && `"enabled"` || `"disabled"`} || `null` }}',
    }),
    parser: openAiAnswer,
  },
  'dashscope-chat': {
    request: post('/chat/completions', {
      ...openAiChatBody,
      stream_options: '{{ stream && `{"include_usage": true}` || `null` }}',
      enable_thinking: '{{ thinking }}',
    }),
    parser: openAiAnswer,
  },
  /** Ollama's own API: lines of JSON, tool arguments as objects, counts under other names. */
  'ollama-chat': {
    request: post('/api/chat', {
      model: '{{ model }}',
      messages: '{{ messages[*].{role: role, content: content} }}',
      tools: '{{ wire_tools }}',
      stream: '{{ stream }}',
      format: '{{ response_format && (response_format.json_schema.schema || `"json"`) }}',
      options: { temperature: '{{ temperature }}', num_predict: '{{ max_output_tokens }}' },
    }),
    parser: {
      text: 'message.content',
      reasoning: 'message.thinking',
      tool_calls: 'message.tool_calls[*].{name: function.name, arguments: function.arguments}',
      finish_reason: 'done_reason',
      usage: '{prompt_tokens: prompt_eval_count, completion_tokens: eval_count}',
      error: 'error',
      stream: {
        format: 'ndjson',
        text: 'message.content',
        reasoning: 'message.thinking',
        tool_calls: 'message.tool_calls[*].{name: function.name, arguments: function.arguments}',
        finish_reason: 'done_reason',
        usage: 'done && {prompt_tokens: prompt_eval_count, completion_tokens: eval_count} || `null`',
        error: 'error',
      },
    },
  },
  'openai-embeddings': {
    request: post('/embeddings', {
      model: '{{ model }}',
      input: '{{ input }}',
      dimensions: '{{ dimensions }}',
      encoding_format: 'float',
    }),
    parser: { vectors: 'sort_by(data, &index)[*].embedding', usage: 'usage', error: 'error' },
  },
  'dashscope-embeddings': {
    request: post('/services/embeddings/text-embedding/text-embedding', {
      model: '{{ model }}',
      input: { texts: '{{ input }}' },
      parameters: { dimension: '{{ dimensions }}' },
    }),
    parser: {
      vectors: 'sort_by(output.embeddings, &text_index)[*].embedding',
      usage: 'usage',
      error: dashScopeError,
    },
  },
  'openai-images': {
    request: post('/images/generations', {
      model: '{{ model }}',
      prompt: '{{ prompt }}',
      n: '{{ parameters.n }}',
      size: '{{ parameters.size }}',
    }),
    parser: {
      images: 'data[*].{url: url, base64: b64_json}',
      usage: 'merge(usage || `{}`, {images: length(data)})',
      error: 'error',
    },
  },
  /** Models that answer with the picture at once (qwen-image). */
  'dashscope-image': {
    request: post('/services/aigc/multimodal-generation/generation', {
      model: '{{ model }}',
      input: { messages: [{ role: 'user', content: [{ text: '{{ prompt }}' }] }] },
      parameters: '{{ parameters }}',
    }),
    parser: {
      images: 'output.choices[].message.content[].{url: image}',
      usage: 'usage',
      error: dashScopeError,
    },
  },
  'dashscope-image-task': {
    request: post('/services/aigc/text2image/image-synthesis', generation, asynchronous),
    parser: {
      images: 'output.results[?url].{url: url}',
      usage: 'usage',
      error: dashScopeError,
      task: dashScopeTask,
    },
  },
  'dashscope-video-task': {
    request: post('/services/aigc/video-generation/video-synthesis', generation, asynchronous),
    parser: {
      videos: 'output.video_url && [{url: output.video_url}] || `[]`',
      usage: 'usage',
      error: dashScopeError,
      task: dashScopeTask,
    },
  },
} as const satisfies Record<string, Preset>;

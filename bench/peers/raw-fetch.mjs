import { DESCRIPTION, INSTRUCTIONS, lookup, NAME, toolRuns } from './lookup.mjs';

/** The floor: the least that asks a model, runs its tools and asks again. Nothing is kept, nothing is checked. */
const tools = [
  {
    type: 'function',
    function: {
      name: NAME,
      description: DESCRIPTION,
      parameters: { type: 'object', properties: { date: { type: 'string' } }, required: ['date'] },
    },
  },
];

export async function open({ modelUrl }) {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-bench' };
  const ask = async (messages) => {
    const body = JSON.stringify({ model: 'mock', messages, tools });
    const response = await fetch(`${modelUrl}/chat/completions`, { method: 'POST', headers, body });
    return (await response.json()).choices[0].message;
  };
  return {
    async run(_threadId, prompt) {
      const messages = [
        { role: 'system', content: INSTRUCTIONS },
        { role: 'user', content: prompt },
      ];
      for (;;) {
        const message = await ask(messages);
        messages.push(message);
        if (!message.tool_calls) return message.content;
        for (const { id, function: call } of message.tool_calls) {
          const result = await lookup(JSON.parse(call.arguments));
          messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(result) });
        }
      }
    },
    toolRuns,
    close: async () => {},
  };
}

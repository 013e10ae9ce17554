import { overlap } from '../language/overlap.ts';
import { asRecord, parseJson } from '../prompt/json.ts';
import type { OfferedTool } from '../prompt/prompt.ts';
import { instanceOf } from '../prompt/schema-instance.ts';
import type { Goal, Intent, Listener } from './intent.ts';

const CALL =
  /^(?:请|please )?(?:调用|使用|运行|执行|call|use|run|invoke)\s*(?:工具|the tool|tool)?\s*[`「"]?([\w-]+(?:\.[\w-]+)*)[`」"]?\s*(?:with|工具|参数|，|,|:|：)?\s*(\{[\s\S]*\})?\s*[.。]?$/i;

/** 调用 mcp.weather.forecast {"city":"杭州"} · call show_map {"place":"West Lake"} */
export const namedTool: Intent = {
  name: 'named-tool',
  scenario: 'tools',
  greedy: 'message',
  understand(clause, { clientTools }) {
    const [, name, json] = CALL.exec(clause.trim()) ?? [];
    if (!name) return undefined;
    const offered = clientTools.find((tool) => tool.name === name);
    if (!offered && !/[._]/.test(name)) return undefined;
    const given = json === undefined ? {} : asRecord(parseJson(json));
    if (!given) return undefined;
    const client = offered !== undefined || !name.includes('.');
    const input = offered && json === undefined ? filled(offered, clause) : given;
    return callGoal(name, input, client);
  },
};

/** What's the weather in Hangzhou?, with a client that offers get_weather. */
export const clientTool: Intent = {
  name: 'client-tool',
  scenario: 'tools',
  understand(clause, { clientTools }: Listener) {
    const tool = clientTools.find((offered) => speaksOf(clause, offered));
    return tool && callGoal(tool.name, filled(tool, clause), true);
  },
};

function callGoal(tool: string, input: Record<string, unknown>, client: boolean): Goal {
  return {
    brief: `${tool} ${JSON.stringify(input)}`,
    draft(plan) {
      plan.add({ tool, client, task: tool, after: [], shown: true, prepare: () => ({ input }) });
    },
  };
}

const VERBS = /^(?:get|set|show|open|make|do|run|call|fetch|the|a|an|tool|change|update|display|render|create|add)$/;

/** Every telling word of the tool's name is in the sentence, or the name itself; or its description speaks of the same. */
function speaksOf(clause: string, { name, description }: OfferedTool): boolean {
  const text = clause.toLowerCase();
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word && !VERBS.test(word));
  return (
    text.includes(name.toLowerCase()) ||
    (words.length > 0 && words.every((word) => text.includes(word))) ||
    overlap(clause, description) > 0.15
  );
}

/** Required properties, filled from the sentence where a text is wanted. */
function filled({ parameters }: OfferedTool, clause: string): Record<string, unknown> {
  const instance = asRecord(instanceOf(parameters)) ?? {};
  const quoted = /[「“"]([^」”"]+)[」”"]/.exec(clause)?.[1];
  const place = /\b(?:in|for|to|of|about)\s+(?:the )?([\p{L}\d ]+?)[?.!]*$/u.exec(clause)?.[1];
  const text = quoted ?? place ?? clause;
  return Object.fromEntries(Object.entries(instance).map(([key, value]) => [key, value === '' ? text : value]));
}

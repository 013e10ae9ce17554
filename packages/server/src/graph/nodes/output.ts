import { ExecutionResult, type JsonObject, OrganizationResult } from '@kith/protocol';
import { z } from 'zod';
import { speaksChinese } from '../language.ts';
import { makeDocument } from '../outputs/document.ts';
import { fileCard, type OutputFile } from '../outputs/output-file.ts';
import { makeTable } from '../outputs/table.ts';
import { outputPrompt } from '../prompts.ts';
import { type Node, type RunServices, stageCall, usageOf } from '../services.ts';
import { append, asJson, executionOf, type RunState, resultsOf, toolResultsOf } from '../state.ts';
import { suggestedActionsOf } from '../suggested-actions.ts';
import { afterAnswer, sayAnswer } from './router.ts';

/** The organization stage: turns what was found into the answer, by the output tool that the planner chose. */
export const outputNode: Node = async (state, services) => {
  services.stream.step('worker');
  const { execution, tool } = workOf(state);
  const messageId = services.newId();
  const text = services.stream.text(messageId);
  const organized =
    'stopped' in execution.execution_data
      ? plainReport(state, execution)
      : await organize(state, services, execution, text);
  fillStructure(state, organized.result);
  const files = await makeFiles(tool, state, services, execution, organized.result.assistant_text);
  append(state, {
    node: 'output',
    preparation: tool,
    summary: `replied with ${tool}`,
    result: asJson({ ...organized.result, files }),
    context: { type: 'text', content: organized.result.assistant_text, important: true, usage_type: 'output' },
    relevance: 1,
    usage: organized.usage,
    next: [afterAnswer(state, services)],
  });
  sayAnswer(state, services, {
    messageId,
    text,
    answer: organized.result.assistant_text,
    status: statusOf[execution.status],
    suggestedActions: suggestedActionsOf(organized.result.response_metadata.suggested_actions),
    stage: 'worker',
  });
  for (const file of files) fileCard(state, services, tool, file);
  services.draft.events.push(...services.stream.endStep('worker'));
};

const statusOf = { SUCCESS: 'success', PARTIAL: 'partial_success', FAILED: 'failed' } as const;

const reflectionsOf = resultsOf('reflection', z.object({ execution: ExecutionResult.optional() }));

/** What execution left: the planner's own result, or what reflection made of a run that had to stop. */
function workOf(state: RunState): { execution: ExecutionResult; tool: string } {
  const stopped = reflectionsOf(state).at(-1)?.result.execution;
  const planned = executionOf(state);
  const execution = planned?.execution ?? stopped;
  if (!execution) throw new Error('the output stage was reached without a result');
  return { execution, tool: planned?.output ?? 'output.reply' };
}

async function organize(
  state: RunState,
  services: RunServices,
  execution: ExecutionResult,
  text: ReturnType<RunServices['stream']['text']>,
) {
  const call = await stageCall(state, services, 'RESULT_REPORTING', outputPrompt(state, services, execution));
  const outcome = await services.models.structured(
    { ...call, onText: text.onText, onReasoning: text.onReasoning },
    {
      name: 'OrganizationResult',
      schema: OrganizationResult,
      streamField: 'assistant_text',
      announce: (callId) => services.announceRepair(callId, 'RESULT_REPORTING'),
    },
  );
  services.book(outcome.bookings);
  if (!outcome.ok) throw outcome.error;
  return { result: outcome.value.value, usage: usageOf(outcome.bookings) };
}

/** A run that hit a limit makes no further call: it says what it knows, and why it stopped. */
function plainReport(state: RunState, execution: ExecutionResult) {
  const chinese = speaksChinese(state);
  const known = toolResultsOf(state)
    .filter(({ result }) => result.status !== 'failure')
    .map(({ result }) => `- ${result.summary}`);
  const reason = execution.error_message ?? execution.execution_summary;
  const opening = chinese ? `本次处理提前结束：${reason}。` : `I had to stop early: ${reason}.`;
  const heading = chinese ? '目前已知：' : 'What is known so far:';
  const assistant_text = known.length > 0 ? [opening, '', heading, ...known].join('\n') : opening;
  return { result: { assistant_text, response_metadata: {} as JsonObject }, usage: usageOf([]) };
}

/** Each expected part gets its content: by the model's own division, or the whole text where there is one part. */
function fillStructure(state: RunState, result: OrganizationResult): void {
  const parts = z
    .array(z.object({ id: z.string(), content: z.string() }))
    .safeParse(result.response_metadata.output_structure);
  const contents = new Map(parts.success ? parts.data.map((part) => [part.id, part.content]) : []);
  const whole = state.output_structure.length === 1 ? result.assistant_text : '';
  state.output_structure = state.output_structure.map((entry) => ({
    ...entry,
    content: contents.get(entry.id) ?? whole,
  }));
}

function makeFiles(
  tool: string,
  state: RunState,
  services: RunServices,
  execution: ExecutionResult,
  text: string,
): Promise<OutputFile[]> {
  if (tool === 'output.document') return makeDocument(state, services, text);
  if (tool === 'output.table') return makeTable(state, services, execution);
  return Promise.resolve([]);
}

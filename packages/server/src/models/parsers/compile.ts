import type { ModelCategory, RequestTemplate, ResponseParser, VendorAdapter } from '@kith/protocol';
import type { z } from 'zod';
import { errors } from '../../errors/index.ts';
import { CallFailure } from '../wire/call-failure.ts';
import { failureOfErrorChunk } from '../wire/vendor-errors.ts';
import { compileExpression, type Expression } from './expression.ts';
import { ImageForm, PieceForm, TaskForm, TextForm, VectorForm, VideoForm } from './normal-form.ts';
import { PRESETS } from './presets.ts';
import { type CompiledTemplate, compileTemplate } from './template.ts';

export interface TaskState extends TaskForm {
  outcome: 'running' | 'succeeded' | 'failed';
  /** Where it failed: why, in the vendor's words. */
  failure: CallFailure | undefined;
}

/** How one model is asked and how its answers are read, ready to use. */
export interface CompiledParser {
  request: CompiledTemplate;
  text(body: unknown): TextForm;
  vectors(body: unknown): VectorForm;
  images(body: unknown): ImageForm;
  videos(body: unknown): VideoForm;
  stream: { format: 'sse' | 'ndjson'; piece(data: unknown): PieceForm } | undefined;
  task: { state(body: unknown): TaskState; poll: CompiledTemplate } | undefined;
}

export interface WireDescription {
  adapter: VendorAdapter;
  category: ModelCategory;
  requestTemplate: RequestTemplate | null;
  responseParser: ResponseParser | null;
}

/**
 * The parser of a model: its own, or the built-in one of its adapter and category. Undefined where the adapter's
 * provider speaks for itself.
 */
export function parserFor(wire: WireDescription): CompiledParser | undefined {
  const given = wire.responseParser ?? {};
  const preset = given.preset ?? builtInFor(wire);
  if (preset === undefined) return undefined;
  const known = Object.entries(PRESETS).find(([name]) => name === preset)?.[1];
  if (!known) {
    const message = `no such preset; there are ${Object.keys(PRESETS).join(', ')}`;
    throw errors.REQUEST_INVALID({
      detail: `response_parser.preset: ${message}`,
      fields: [{ field: 'response_parser.preset', message }],
    });
  }
  return compileParser(wire.requestTemplate ?? known.request, { ...known.parser, ...given });
}

function builtInFor({ adapter, category, requestTemplate, responseParser }: WireDescription): string | undefined {
  if (category === 'embedding') return 'openai-embeddings';
  if (category === 'text-to-image') return adapter === 'alibaba' ? 'dashscope-image-task' : 'openai-images';
  if (category === 'text-to-video') return 'dashscope-video-task';
  const described = requestTemplate !== null || responseParser !== null;
  return adapter === 'http' || described ? 'openai-chat' : undefined;
}

/** A built-in parser by its name. */
export function compilePreset(name: keyof typeof PRESETS): CompiledParser {
  const { request, parser } = PRESETS[name];
  return compileParser(request, parser);
}

export function compileParser(template: RequestTemplate, parser: ResponseParser): CompiledParser {
  const reader = <Form extends z.ZodType>(form: Form, fields: readonly (keyof ResponseParser)[]) =>
    formReader(
      form,
      expressionsOf(parser, fields, 'response_parser'),
      errorReader(parser.error, 'response_parser.error'),
    );
  const { stream, task } = parser;
  return {
    request: compileTemplate(template, 'request_template'),
    text: reader(TextForm, ['text', 'reasoning', 'tool_calls', 'finish_reason', 'usage']),
    vectors: reader(VectorForm, ['vectors', 'usage']),
    images: reader(ImageForm, ['images', 'usage']),
    videos: reader(VideoForm, ['videos', 'usage']),
    stream: stream && {
      format: stream.format,
      piece: formReader(
        PieceForm,
        expressionsOf(stream, ['text', 'reasoning', 'tool_calls', 'finish_reason', 'usage'], 'response_parser.stream'),
        errorReader(stream.error, 'response_parser.stream.error'),
      ),
    },
    task: task && {
      state: taskReader(task, errorReader(parser.error, 'response_parser.error')),
      poll: compileTemplate(task.poll, 'response_parser.task.poll'),
    },
  };
}

type Expressions = [name: string, expression: Expression][];

function expressionsOf<Fields extends object>(from: Fields, names: readonly (keyof Fields & string)[], place: string) {
  return names.flatMap((name): Expressions => {
    const text = from[name];
    return typeof text === 'string' ? [[name, compileExpression(text, `${place}.${name}`)]] : [];
  });
}

function formReader<Form extends z.ZodType>(
  form: Form,
  expressions: Expressions,
  refuseErrors: (body: unknown) => void,
) {
  return (body: unknown): z.infer<Form> => {
    refuseErrors(body);
    const read = Object.fromEntries(expressions.map(([name, expression]) => [name, expression(body)]));
    const parsed = form.safeParse(read);
    if (parsed.success) return parsed.data;
    const where = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new CallFailure('unreadable', `the answer has no usable \`${where}\``);
  };
}

/** Some vendors say 200 and mean an error. */
function errorReader(text: string | undefined, place: string): (body: unknown) => void {
  if (text === undefined) return () => {};
  const expression = compileExpression(text, place);
  return (body) => {
    const error = expression(body);
    if (error !== null && error !== undefined && error !== false && error !== '') throw failureOfErrorChunk(error);
  };
}

function taskReader(task: NonNullable<ResponseParser['task']>, refuseErrors: (body: unknown) => void) {
  const id = compileExpression(task.id, 'response_parser.task.id');
  const state = compileExpression(task.state, 'response_parser.task.state');
  const why = task.error === undefined ? undefined : compileExpression(task.error, 'response_parser.task.error');
  return (body: unknown): TaskState => {
    refuseErrors(body);
    const parsed = TaskForm.safeParse({ id: id(body), state: state(body) });
    if (!parsed.success) throw new CallFailure('unreadable', 'the answer names no task');
    const failed = task.failed.includes(parsed.data.state);
    const outcome = failed ? 'failed' : task.succeeded.includes(parsed.data.state) ? 'succeeded' : 'running';
    const failure = failed ? failureOfErrorChunk(why?.(body) ?? parsed.data.state) : undefined;
    return { ...parsed.data, outcome, failure };
  };
}

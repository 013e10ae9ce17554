import { compile, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath';
import { errors } from '../../errors/index.ts';
import { CallFailure } from '../wire/call-failure.ts';

/** A compiled JMESPath expression: JSON in, JSON or null out. */
export type Expression = (data: unknown) => unknown;

/** Compiles once; a faulty expression is the writer's mistake and is named with its place. */
export function compileExpression(text: string, place: string): Expression {
  let tree: ReturnType<typeof compile>;
  try {
    tree = compile(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : 'not a JMESPath expression';
    throw errors.REQUEST_INVALID({ detail: `${place}: ${message}`, fields: [{ field: place, message }] });
  }
  return (data) => {
    try {
      return TreeInterpreter.search(tree, data as JSONValue);
    } catch (cause) {
      // Functions check their arguments: an answer of another shape than expected ends here.
      throw new CallFailure('unreadable', `the answer does not fit the parser's \`${place}\``, {}, cause);
    }
  };
}

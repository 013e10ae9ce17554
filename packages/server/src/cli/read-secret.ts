import { isCancel, password } from '@clack/prompts';
import { errors } from '../errors/index.ts';
import type { Terminal } from './terminal.ts';

/** A secret, typed where a person sits and piped where none does. Never an argument: those can be read by others. */
export async function readSecret(terminal: Terminal, question: string): Promise<string> {
  if (!terminal.input.isTTY) return readPiped(terminal);
  const answer = await password({ message: question, input: terminal.input });
  if (isCancel(answer)) throw errors.REQUEST_INVALID({ detail: 'no secret was given' });
  return answer.trim();
}

async function readPiped({ input }: Terminal): Promise<string> {
  let text = '';
  for await (const chunk of input) text += String(chunk);
  const secret = text.trim();
  if (secret === '')
    throw errors.REQUEST_INVALID({ detail: 'the secret is read from standard input, and nothing came' });
  return secret;
}

import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { automationsCommand } from './automations.ts';
import { chatCommand } from './chat.ts';
import { doctorCommand } from './doctor.ts';
import { keysCommand } from './keys.ts';
import { priceCommand } from './price.ts';
import { reconcileCommand } from './reconcile.ts';
import { serviceKeysCommand } from './service-keys.ts';
import { skillsCommand } from './skills.ts';
import { startCommand } from './start.ts';

/** Adds itself to the program; what it does, it does through `cli`. */
export type AddCommand = (program: Command, cli: Cli) => void;

/** Every command, once, in the order that `kith --help` shows them. */
export const commands: readonly AddCommand[] = [
  startCommand,
  chatCommand,
  doctorCommand,
  serviceKeysCommand,
  keysCommand,
  priceCommand,
  reconcileCommand,
  skillsCommand,
  automationsCommand,
];

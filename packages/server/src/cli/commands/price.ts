import { createInterface } from 'node:readline';
import { priceCatalog, priceLine } from '../../billing/index.ts';
import { exitCodes } from '../exit-codes.ts';
import type { AddCommand } from './index.ts';

export const priceCommand: AddCommand = (program, cli) => {
  program
    .command('price')
    .description(
      'price calls: JSON lines {"model","at","usage"} on standard input, their cost as JSON lines on standard output',
    )
    .action(async () => {
      const catalog = priceCatalog();
      for await (const line of createInterface({ input: cli.terminal.input })) {
        if (line.trim() === '') continue;
        const priced = priceLine(line, catalog);
        cli.terminal.write(`${priced}\n`);
        if ('error' in JSON.parse(priced)) cli.exitWith(exitCodes.failed);
      }
    });
};

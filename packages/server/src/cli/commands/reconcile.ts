import { type Reconciliation, reconcile } from '../../models/index.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Language } from '../terminal.ts';
import type { AddCommand } from './index.ts';

export const reconcileCommand: AddCommand = (program, cli) => {
  program
    .command('reconcile')
    .description('prove that the messages of every session cost and count what its model calls do')
    .action(async () => {
      const found = await cli.withDatabase((database) => reconcile(database.sql));
      const equal = found.differences.length === 0;
      cli.print({ equal, ...found }, inWords(found, cli.language));
      if (!equal) cli.exitWith(exitCodes.failed);
    });
};

function inWords({ sessions, differences }: Reconciliation, language: Language): string {
  if (differences.length === 0) {
    return language === 'zh'
      ? `${sessions} 个会话:消息与模型调用的费用和词元数一致。`
      : `${sessions} sessions: messages and model calls agree in cost and tokens.`;
  }
  const lines = differences.map(
    ({ thread_id, user_id, field, messages, model_calls }) =>
      `${thread_id}  ${user_id}  ${field}: messages ${messages}, model calls ${model_calls}`,
  );
  const title = language === 'zh' ? `${differences.length} 处不一致:` : `${differences.length} differences:`;
  return [title, ...lines].join('\n');
}

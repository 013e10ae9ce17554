import { displayToolName } from '@kith/protocol';
import type { Reading } from '../language/reading.ts';
import type { ReportedCall, Told } from './report.ts';
import { reportFor } from './table.ts';

/** One call put into words: what came back, or why nothing did. */
export function tellCall(call: ReportedCall, result: unknown, reading: Reading): Told {
  const failed = call.status === 'failed' || call.status === 'rejected';
  return failed ? { text: trouble(call, reading) } : reportFor(call.tool)(call, result, reading);
}

function trouble({ tool, error, status }: ReportedCall, { say, language }: Reading): string {
  const name = displayToolName(tool, language);
  if (status === 'rejected') {
    return say(`好的，按你的决定，没有执行「${name}」。`, `All right: as you decided, "${name}" was not carried out.`);
  }
  const why = (error?.message || error?.code || '').replace(/[.。]$/, '');
  return say(`「${name}」没有成功${why ? `：${why}` : ''}。`, `"${name}" did not succeed${why ? `: ${why}` : ''}.`);
}

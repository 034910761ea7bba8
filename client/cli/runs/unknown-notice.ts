import type { RunSummary } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { counted } from '../wording.ts';

/** A warning about rows with an unknown outcome, and what to do about them. Empty when there are none. */
export function unknownNotice({ runId, rows }: Pick<RunSummary, 'runId' | 'rows'>): string {
  const unknown = rows.unknown ?? 0;
  if (unknown === 0) return '';
  const run = printable(runId);
  return [
    `ATTENTION: ${counted(unknown, 'row')} UNKNOWN: the provider may have paid, or may still pay. Do not pay again by other means.`,
    `  rows:        payrun show ${run} --rows`,
    `  evidence:    payrun show ${run} --row REF`,
    `  ask the provider, then: payrun resolve ${run} --row REF --outcome paid|rejected|failed|never_created --reason TEXT`,
  ].join('\n');
}

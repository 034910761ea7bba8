import type { RunProposal } from '../../api/runs/run.ts';
import { differenceOf, sumOf } from '../elements/decimals.ts';

type Funds = Pick<RunProposal['funds'][number], 'needed' | 'balance' | 'committed'>;

/**
 * What is missing of what the run needs beside what is committed to others: a decimal, `0` where the balance suffices. Null: the balance
 * is not known.
 */
export function shortfallOf({ needed, balance, committed }: Funds): string | null {
  const wanted = sumOf([needed, committed]);
  const missing = balance === null || wanted === null ? null : differenceOf(wanted, balance);
  if (missing === null) return null;
  return missing.startsWith('-') || !/[1-9]/.test(missing) ? '0' : missing;
}

export function isShort(funds: Funds): boolean {
  const missing = shortfallOf(funds);
  return missing !== null && missing !== '0';
}

import type { RunProposal } from '../../api/runs/run.ts';
import { differenceOf, sumOf } from '../elements/decimals.ts';

type Funds = Pick<RunProposal['funds'][number], 'needed' | 'balance' | 'committed' | 'dueLater'>;

/**
 * What is missing of what the run needs beside what is committed to others, and does not yield to it: a decimal, `0` where the balance suffices. Null: the balance
 * is not known.
 */
export function shortfallOf({ needed, balance, committed, dueLater }: Funds): string | null {
  const wanted = sumOf([needed, committed]);
  const there = balance === null ? null : sumOf([balance, dueLater]);
  const missing = there === null || wanted === null ? null : differenceOf(wanted, there);
  if (missing === null) return null;
  return missing.startsWith('-') || !/[1-9]/.test(missing) ? '0' : missing;
}

/** Whether it can be said that nothing is missing: rows that are not quoted yet cost something, and nobody knows what. */
export function isCovered(funds: Funds & Pick<RunProposal['funds'][number], 'unquotedRows'>): boolean {
  return shortfallOf(funds) === '0' && funds.unquotedRows === 0;
}

export function isShort(funds: Funds): boolean {
  const missing = shortfallOf(funds);
  return missing !== null && missing !== '0';
}

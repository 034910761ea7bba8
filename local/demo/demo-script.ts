import type { RunSummary } from '../../client/sdk/index.ts';

/** The ledger of the sandbox, as its control API returns it. */
export interface Ledger {
  createdMoreThanOnce: string[];
  fundedMoreThanOnce: string[];
  invariantHolds: boolean;
  balances: Record<string, string>;
  payments: Record<string, number>;
  requests: { total: number; byOperation: Record<string, number> };
  rejectedByLimit: number;
  mostInAnySecond: number;
  credentialLeaks: number;
}

/** How the example's rows end in the sandbox: amounts ending in .13 are rejected, in .14 fail. */
const SCRIPTED_ROWS = { paid: 44, rejected: 2, failed: 2 };

/** What differs from the script; empty if nothing does. */
export function findDeviations(run: RunSummary, ledger: Ledger): string[] {
  const found: string[] = [];
  const expect = (isMet: boolean, deviation: string): void => {
    if (!isMet) found.push(deviation);
  };
  expect(run.state === 'partially_completed', `the run ended ${run.state}`);
  for (const [state, count] of Object.entries(SCRIPTED_ROWS)) {
    const actual = run.rows[state as keyof typeof SCRIPTED_ROWS] ?? 0;
    expect(actual === count, `${actual} rows are ${state}, not ${count}`);
  }
  const created = Object.values(ledger.payments).reduce((sum, count) => sum + count, 0);
  expect(created === run.rowCount, `the provider has ${created} payments for ${run.rowCount} rows`);
  expect(ledger.createdMoreThanOnce.length === 0, 'a payment was created more than once');
  expect(ledger.fundedMoreThanOnce.length === 0, 'a payment was funded more than once');
  expect(ledger.invariantHolds, "the provider's balances do not add up");
  expect(ledger.rejectedByLimit === 0, `${ledger.rejectedByLimit} requests were over the limit`);
  expect(ledger.credentialLeaks === 0, 'an upload carried credentials');
  return found;
}

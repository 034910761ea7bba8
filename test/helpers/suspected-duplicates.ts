import { expect } from 'vitest';
import type { ReleasedRows, SuspectQuery } from '../../api/runs/release.ts';
import type { RunProposal } from '../../domain/runs/run-proposal.ts';
import type { PaymentRow } from '../../fixtures/payment-rows.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';
import { newRows, reject, submitRows } from './run-under-test.ts';
import { until } from './until.ts';

/** One of `newRows`. */
export function newRow(parts: Partial<PaymentRow> = {}): PaymentRow {
  const [row] = newRows(1, parts);
  if (row === undefined) throw new Error('there is no row');
  return row;
}

/** A row of another file with its own reference, but the same beneficiary and amount. */
export function again(row: PaymentRow, parts: Partial<PaymentRow> = {}): PaymentRow {
  return { ...row, row_ref: `${row.row_ref}-again`, ...parts };
}

/** Submits the rows together with a new one. Returns the codes of the rows on hold. */
export async function suspectsAmong(payrun: PayrunUnderTest, rows: readonly PaymentRow[]): Promise<(string | null)[]> {
  const runId = await submitRows(payrun, [...rows, newRow()]);
  const suspects = await payrun.application.listRows(runId, { limit: 100, afterLine: 0, state: 'duplicate_suspect' });
  await reject(payrun, runId);
  return suspects.map(({ errorCode }) => errorCode);
}

/** Which suspects a release is of: without a filter all of the run. */
export function suspects(parts: Partial<SuspectQuery> = {}): SuspectQuery {
  return { rowRef: null, q: null, currency: null, code: null, ...parts };
}

/** Releases rows, having seen what that hash is of. */
export function release(
  payrun: PayrunUnderTest,
  runId: string,
  rows: SuspectQuery,
  hash: string,
): Promise<ReleasedRows> {
  const reason = 'the retainer of the next month';
  return payrun.application.releaseRows(payrun.checker, { runId }, { rows, hash, reason });
}

/** Releases a row, having seen what it is similar to now. */
export async function releaseSeen(payrun: PayrunUnderTest, runId: string, rowRef: string): Promise<void> {
  const row = await payrun.application.findRow(runId, rowRef);
  await release(payrun, runId, suspects({ rowRef }), row?.similar?.hash ?? '');
  const released = await payrun.application.findRow(runId, rowRef);
  expect(released).toMatchObject({ state: 'ready', similar: null, release: { by: { name: 'Chris Checker' } } });
}

/** Waits for a proposal of `payable` payments. */
export function untilProposed(payrun: PayrunUnderTest, runId: string, payable: number): Promise<RunProposal> {
  return until(async () => {
    const { proposal } = (await payrun.application.findRun(runId)) ?? { proposal: null };
    return proposal?.payable === payable && proposal;
  });
}

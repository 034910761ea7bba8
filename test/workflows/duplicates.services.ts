import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import type { ReleasedRow } from '../../api/runs/release.ts';
import { notifyPendingRuns } from '../../application/runs/notify-runs.ts';
import type { RunProposal } from '../../domain/runs/run-proposal.ts';
import { releaseRowAs } from '../../store/approvals/run-decisions.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { type PaymentRow } from '../../fixtures/payment-rows.ts';
import { approve, beginRun, linesOf, newRows, reject, submitRows, untilPaid } from '../helpers/run-under-test.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { expectPaidOnce } from '../helpers/sandbox-control.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

function newRow(parts: Partial<PaymentRow> = {}): PaymentRow {
  const [row] = newRows(1, parts);
  if (row === undefined) throw new Error('there is no row');
  return row;
}

/** A row of another file with its own reference, but the same beneficiary and amount. */
function again(row: PaymentRow, parts: Partial<PaymentRow> = {}): PaymentRow {
  return { ...row, row_ref: `${row.row_ref}-again`, ...parts };
}

/** Submits the rows together with a new one. Returns the codes of the rows on hold. */
async function suspectsAmong(rows: readonly PaymentRow[]): Promise<(string | null)[]> {
  const runId = await submitRows(payrun, [...rows, newRow()]);
  const suspects = await payrun.application.listRows(runId, { limit: 100, afterLine: 0, state: 'duplicate_suspect' });
  await reject(payrun, runId);
  return suspects.map(({ errorCode }) => errorCode);
}

function release(runId: string, rowRef: string, similarHash: string): Promise<ReleasedRow> {
  const reason = 'the retainer of the next month';
  return payrun.application.releaseRow(payrun.checker, { runId, rowRef }, { similarHash, reason });
}

/** Releases a row, having seen what it is similar to now. */
async function releaseSeen(runId: string, rowRef: string): Promise<void> {
  const row = await payrun.application.findRow(runId, rowRef);
  const { row: released } = await release(runId, rowRef, row?.similar?.hash ?? '');
  expect(released).toMatchObject({ state: 'ready', similar: null, release: { by: { name: 'Chris Checker' } } });
}

/** Waits for a proposal of `payable` payments. */
async function untilProposed(runId: string, payable: number): Promise<RunProposal> {
  for (;;) {
    const { proposal } = (await payrun.application.findRun(runId)) ?? { proposal: null };
    if (proposal?.payable === payable) return proposal;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function releasesOf(runId: string): Promise<{ entries: { actor: string; similar: number }[] }> {
  const { rows } = await payrun.database.query<{ actor: string; similar: number }>(
    `select actor, jsonb_array_length(detail -> 'similar') as similar from audit_entries where run_id = $1 and kind = 'row_released'`,
    [runId],
  );
  return { entries: rows };
}

describe('a row is suspected of being a duplicate', () => {
  test('if its row_ref was ever used before, in any file', async () => {
    const paid = newRow();
    const runId = await submitRows(payrun, [paid]);
    await payrun.database.query(`update runs set submitted_at = submitted_at - interval '3 years' where run_id = $1`, [
      runId,
    ]);
    expect(await suspectsAmong([newRow({ row_ref: paid.row_ref })])).toEqual(['row_ref_used_before']);
  });

  test('if the same beneficiary was paid the same amount and currency within the configured days', async () => {
    const paid = newRow();
    const runId = await submitRows(payrun, [paid]);
    expect(await suspectsAmong([again(paid)])).toEqual(['same_beneficiary_and_amount']);
    expect(await suspectsAmong([again(paid, { amount: '999.00' })])).toEqual([]);
    expect(await suspectsAmong([again(paid, { sell_currency: 'EUR' })])).toEqual([]);
    expect(await suspectsAmong([again(paid, { bank_account_number: '87654321' })])).toEqual([]);
    await payrun.database.query(`update runs set submitted_at = submitted_at - interval '61 days' where run_id = $1`, [
      runId,
    ]);
    expect(await suspectsAmong([again(paid)])).toEqual([]);
  });

  test('if an earlier row of its own file pays the same; the first of them is paid', async () => {
    const first = newRow();
    const runId = await submitRows(payrun, [first, newRow(), again(first)]);
    const page = { limit: 100, afterLine: 0, state: null, withInstructions: true };
    const rows = await payrun.application.listRows(runId, page);
    expect(rows.map(({ state }) => state)).toEqual(['ready', 'ready', 'duplicate_suspect']);
    expect(rows[2]?.errorMessage).toBe('the same amount to the same account is on line 2 of this file');
    await reject(payrun, runId);
  });
});

describe('a row is not a duplicate', () => {
  test('of a row of a rejected run, of which nothing was paid', async () => {
    const row = newRow();
    const runId = await submitRows(payrun, [row]);
    await reject(payrun, runId);
    expect(await suspectsAmong([row])).toEqual([]);
  });

  test('of a row that the provider rejected, which may be corrected and submitted again', async () => {
    const refused = newRow({ amount: '700.13' });
    const runId = await beginRun(payrun, [refused, newRow()]);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ rejected: 1, paid: 1 });
    expect(await suspectsAmong([{ ...refused, amount: '700.00' }])).toEqual([]);
  });
});

describe('a suspected duplicate', () => {
  test('is not paid, leaves the run only partially completed, and is an exception with its reason', async () => {
    const [paid, suspect] = [newRow(), newRow()];
    const before = await beginRun(payrun, [paid]);
    await untilPaid(payrun, before);
    const runId = await beginRun(payrun, [again(paid), suspect]);
    const run = await untilPaid(payrun, runId);
    expect(run).toMatchObject({ state: 'partially_completed', rows: { duplicate_suspect: 1, paid: 1 } });
    const [header, ...exceptions] = await linesOf(payrun.application.exceptions(runId));
    expect(header).toMatch(/payrun_status,payrun_reason$/);
    expect(exceptions).toHaveLength(1);
    expect(exceptions[0]).toMatch(/duplicate_suspect,.*the same amount to the same account is on line 2 of test\.csv/);
    await expectPaidOnce(payrun, before);
  });

  test('that is a whole file is reported to the approvers', async () => {
    const rows = [newRow(), newRow()];
    await submitRows(payrun, rows);
    const [first] = rows;
    if (first === undefined) throw new Error('there is no row');
    // The same bytes again; one row is payable, since the earlier one was corrected meanwhile.
    await bypassTriggers(payrun.database, `update payments set state = 'failed' where row_ref = $1`, [first.row_ref]);
    const runId = await submitRows(payrun, rows);
    const run = await payrun.application.findRun(runId);
    expect(run?.rows).toEqual({ ready: 1, duplicate_suspect: 1 });
    const today = new Date().toISOString().slice(0, 10);
    expect(run?.proposal?.warnings).toContain(`the same file was submitted before, on ${today}`);
  });

  test('that is alone in its file has to be released before its run can be approved', async () => {
    const paid = newRow();
    await submitRows(payrun, [paid]);
    const runId = await submitRows(payrun, [paid]);
    const run = await payrun.application.findRun(runId);
    expect(run).toMatchObject({ rows: { duplicate_suspect: 1 }, proposal: { payable: 0, onHold: 1 } });
    expect(run?.proposal?.warnings).toContain('suspected duplicates: 1. Each is left out unless a checker releases it');
    await expect(approve(payrun, runId)).rejects.toMatchObject({
      code: 'conflict',
      message: 'no row of this run can be paid: release suspected duplicates first, or reject it',
    });
    await releaseSeen(runId, paid.row_ref);
    await untilProposed(runId, 1);
    await approve(payrun, runId);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 1 });
  });

  test('that a checker releases is paid once, with its run, and the approvers see the release', async () => {
    const paid = newRow();
    const before = await beginRun(payrun, [paid]);
    await untilPaid(payrun, before);
    const suspect = again(paid);
    const runId = await submitRows(payrun, [suspect, newRow()]);
    const seen = await payrun.application.findRun(runId);
    const row = await payrun.application.findRow(runId, suspect.row_ref, { withInstructions: true });
    expect(row?.similar?.rows).toMatchObject([{ runId: before, line: 2, rowRef: paid.row_ref, state: 'paid' }]);
    await releaseSeen(runId, suspect.row_ref);
    // The earlier proposal is no longer what would be paid.
    const contentHash = seen?.proposal?.contentHash ?? '';
    const late = payrun.application.approveRun(payrun.checker, runId, { comment: null, contentHash });
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    const proposed = await untilProposed(runId, 2);
    expect(proposed).toMatchObject({ onHold: 0, totalsBySellCurrency: [{ rows: 2 }], warnings: [] });
    const { findings } = (await payrun.application.findReview(runId)) ?? { findings: [] };
    expect(findings.find(({ kind }) => kind === 'released_duplicate')).toMatchObject({
      rows: [suspect.row_ref],
      releasedBy: 'Chris Checker',
      reason: 'the retainer of the next month',
    });
    await approve(payrun, runId);
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 2 } });
    await expectPaidOnce(payrun, runId);
    const { entries } = await releasesOf(runId);
    expect(entries).toMatchObject([{ actor: payrun.checker.userId, similar: 1 }]);
  });

  test('is not released if another similar row has arrived that the checker has not seen', async () => {
    const paid = newRow();
    await submitRows(payrun, [paid]);
    const [one, other] = [again(paid), again(paid, { row_ref: `${paid.row_ref}-other` })];
    const [oneRun, otherRun] = [await submitRows(payrun, [one]), await submitRows(payrun, [other])];
    const seen = await payrun.application.findRow(otherRun, other.row_ref);
    await releaseSeen(oneRun, one.row_ref);
    const late = release(otherRun, other.row_ref, seen?.similar?.hash ?? '');
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    expect((await releasesOf(otherRun)).entries).toEqual([]);
    const now = await payrun.application.findRow(otherRun, other.row_ref);
    expect(now?.similar).toMatchObject({ rowCount: 2 });
    await release(otherRun, other.row_ref, now?.similar?.hash ?? '');
  });

  test('that was released while Temporal was unavailable is still proposed again', async () => {
    const paid = newRow();
    await submitRows(payrun, [paid]);
    const suspect = again(paid);
    const runId = await submitRows(payrun, [suspect, newRow()]);
    const { paymentId } = (await payrun.application.findRow(runId, suspect.row_ref)) ?? { paymentId: '' };
    const { asServer: database } = payrun.testDatabase;
    await releaseRowAs(database, payrun.checker.proof, { paymentId, similar: [], reason: 'another invoice' });
    expect((await payrun.application.findRun(runId))?.proposal?.payable).toBe(1);
    expect(await notifyPendingRuns({ database, temporal: payrun.temporal } as ApplicationDependencies)).toBeGreaterThan(
      0,
    );
    await untilProposed(runId, 2);
  });
});

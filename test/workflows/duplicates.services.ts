import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { approve, beginRun, linesOf, reject, submitRows, untilPaid } from '../helpers/run-under-test.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { expectPaidOnce } from '../helpers/sandbox-control.ts';
import {
  again,
  newRow,
  release,
  releaseSeen,
  suspects,
  suspectsAmong,
  untilProposed,
} from '../helpers/suspected-duplicates.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

async function releasesOf(runId: string): Promise<{ entries: { actor: string; similar: number }[] }> {
  const { rows } = await payrun.database.query<{ actor: string; similar: number }>(
    `select actor, detail -> 'similar' as similar from audit_entries where run_id = $1 and kind = 'rows_released'`,
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
    expect(await suspectsAmong(payrun, [newRow({ row_ref: paid.row_ref })])).toEqual(['row_ref_used_before']);
  });

  test('if the same beneficiary was paid the same amount and currency within the configured days', async () => {
    const paid = newRow();
    const runId = await submitRows(payrun, [paid]);
    expect(await suspectsAmong(payrun, [again(paid)])).toEqual(['same_beneficiary_and_amount']);
    const others = [{ amount: '999.00' }, { sell_currency: 'EUR' }, { bank_account_number: '87654321' }];
    const rows = others.map((parts, index) => again(paid, { ...parts, row_ref: `${paid.row_ref}-other-${index}` }));
    expect(await suspectsAmong(payrun, rows)).toEqual([]);
    await payrun.database.query(`update runs set submitted_at = submitted_at - interval '61 days' where run_id = $1`, [
      runId,
    ]);
    expect(await suspectsAmong(payrun, [again(paid)])).toEqual(['same_beneficiary_and_amount']);
    await bypassTriggers(
      payrun.database,
      `update payments set state = 'paid', ended_at = now() - interval '61 days' where run_id = $1`,
      [runId],
    );
    expect(await suspectsAmong(payrun, [again(paid)])).toEqual([]);
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
    expect(await suspectsAmong(payrun, [row])).toEqual([]);
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
    const before = await submitRows(payrun, rows);
    const [first] = rows;
    if (first === undefined) throw new Error('there is no row');
    // The same bytes again; one row is payable, since the earlier one was corrected meanwhile.
    await bypassTriggers(payrun.database, `update payments set state = 'failed' where row_ref = $1`, [first.row_ref]);
    const runId = await submitRows(payrun, rows);
    const run = await payrun.application.findRun(runId);
    expect(run?.rows).toEqual({ ready: 1, duplicate_suspect: 1 });
    const today = new Date().toISOString().slice(0, 10);
    expect(run?.proposal?.warnings).toContain(`the same file was submitted before, on ${today}`);
    const earlier = { runId: before, fileName: 'test.csv', submittedBy: 'Mia Maker' };
    const firstFinding = async (id: string) => (await payrun.application.findReview(id, null))?.findings[0];
    const found = await firstFinding(runId);
    expect(found).toMatchObject({ kind: 'file_submitted_before', runs: [earlier], runCount: 1 });
    // Nor is a run that was rejected one that pays them.
    await reject(payrun, runId);
    expect(await firstFinding(runId)).toEqual(found);
    const third = await submitRows(payrun, rows);
    expect(await firstFinding(third)).toMatchObject({ runs: [earlier], runCount: 1 });
  });

  test('that a checker releases is paid once, with its run, and the approvers see the release', async () => {
    const paid = newRow();
    const before = await beginRun(payrun, [paid]);
    await untilPaid(payrun, before);
    const suspect = again(paid);
    const runId = await submitRows(payrun, [suspect, newRow()]);
    const seen = await payrun.application.findRun(runId);
    const row = await payrun.application.findRow(runId, suspect.row_ref, { withInstructions: true, accounts: null });
    const amounts = { sellCurrency: 'USD', sellAmount: row?.sellAmount, buyCurrency: row?.buyCurrency };
    const like = { runId: before, line: 2, rowRef: paid.row_ref, state: 'paid', beneficiaryName: row?.beneficiaryName };
    expect(row?.similar?.rows).toMatchObject([
      { ...like, ...amounts, bankAccount: row?.bankAccount, reference: paid.payment_reference },
    ]);
    expect(row?.bankAccount).not.toBeNull();
    expect(row?.similar?.rows[0]?.paidAt).toBe((await payrun.application.findRow(before, paid.row_ref))?.endedAt);
    expect(row?.decisions, 'no approval covers it').toEqual([]);
    const masked = await payrun.application.findRow(runId, suspect.row_ref, {
      withInstructions: false,
      accounts: null,
    });
    expect(masked?.similar?.rows).toMatchObject([
      { ...like, ...amounts, beneficiaryName: null, bankAccount: null, reference: null },
    ]);
    await releaseSeen(payrun, runId, suspect.row_ref);
    // The earlier proposal is no longer what would be paid.
    const contentHash = seen?.proposal?.contentHash ?? '';
    const late = payrun.application.approveRun(payrun.checker, runId, { comment: null, contentHash });
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    const proposed = await untilProposed(payrun, runId, 2);
    expect(proposed).toMatchObject({ onHold: 0, totals: [{ rows: 2 }], warnings: [] });
    const { findings } = (await payrun.application.findReview(runId, null)) ?? { findings: [] };
    expect(findings.find(({ kind }) => kind === 'released_duplicate')).toMatchObject({
      rows: [suspect.row_ref],
      releasedBy: 'Chris Checker',
      reason: 'the retainer of the next month',
    });
    await approve(payrun, runId);
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 2 } });
    await expectPaidOnce(payrun, runId);
    const ended = await payrun.application.findRow(runId, suspect.row_ref);
    expect(ended?.decisions).toMatchObject([{ decision: 'approved', by: { name: 'Chris Checker' }, isCurrent: true }]);
    expect(ended?.endedAt).toEqual(expect.any(String));
    const { entries } = await releasesOf(runId);
    expect(entries).toMatchObject([{ actor: payrun.checker.userId, similar: 1 }]);
  });

  test('is not released if another similar row has arrived that the checker has not seen', async () => {
    const paid = newRow();
    await submitRows(payrun, [paid]);
    const [one, other] = [again(paid), again(paid, { row_ref: `${paid.row_ref}-other` })];
    const [oneRun, otherRun] = [await submitRows(payrun, [one]), await submitRows(payrun, [other])];
    const seen = await payrun.application.findRow(otherRun, other.row_ref);
    await releaseSeen(payrun, oneRun, one.row_ref);
    const late = release(payrun, otherRun, suspects({ rowRef: other.row_ref }), seen?.similar?.hash ?? '');
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    expect((await releasesOf(otherRun)).entries).toEqual([]);
    const now = await payrun.application.findRow(otherRun, other.row_ref);
    expect(now?.similar).toMatchObject({ rowCount: 2 });
    await release(payrun, otherRun, suspects({ rowRef: other.row_ref }), now?.similar?.hash ?? '');
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { csvOf, type RowParts } from '../helpers/payment-file.ts';
import { beginRun, linesOf, newRows, reject, submitFile, submitRows, untilPaid } from '../helpers/run-under-test.ts';
import { pastTriggers } from '../helpers/past-triggers.ts';
import { expectPaidOnce } from '../helpers/sandbox-control.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

function newRow(parts: Partial<RowParts> = {}): RowParts {
  const [row] = newRows(1, parts);
  if (row === undefined) throw new Error('there is no row');
  return row;
}

/** The row once more, as another row of another file: its own reference, the same payee and amount. */
function again(row: RowParts, parts: Partial<RowParts> = {}): RowParts {
  return { ...row, row_ref: `${row.row_ref}-again`, ...parts };
}

/** Submits the rows beside one that is surely new, and answers the codes of those that were set aside. */
async function suspectsAmong(rows: readonly RowParts[]): Promise<(string | null)[]> {
  const runId = await submitRows(payrun, [...rows, newRow()]);
  const suspects = await payrun.engine.listRows(runId, { limit: 100, afterLine: 0, state: 'duplicate_suspect' });
  await reject(payrun, runId);
  return suspects.map(({ errorCode }) => errorCode);
}

describe('a row is suspected of being a duplicate', () => {
  test('when its row_ref was ever used, by whatever file and however long ago', async () => {
    const paid = newRow();
    const runId = await submitRows(payrun, [paid]);
    await payrun.database.query(`update runs set submitted_at = submitted_at - interval '3 years' where run_id = $1`, [
      runId,
    ]);
    expect(await suspectsAmong([newRow({ row_ref: paid.row_ref })])).toEqual(['row_ref_used_before']);
  });

  test('when the same payee was to get the same amount of the same currency within the days, and not after', async () => {
    const paid = newRow();
    const runId = await submitRows(payrun, [paid]);
    expect(await suspectsAmong([again(paid)])).toEqual(['same_payee_and_amount']);
    expect(await suspectsAmong([again(paid, { amount: '999.00' })])).toEqual([]);
    expect(await suspectsAmong([again(paid, { sell_currency: 'EUR' })])).toEqual([]);
    expect(await suspectsAmong([again(paid, { bank_account_number: '87654321' })])).toEqual([]);
    await payrun.database.query(`update runs set submitted_at = submitted_at - interval '61 days' where run_id = $1`, [
      runId,
    ]);
    expect(await suspectsAmong([again(paid)])).toEqual([]);
  });

  test('when an earlier row of its own file pays the same, of which the first stays to be paid', async () => {
    const first = newRow();
    const runId = await submitRows(payrun, [first, newRow(), again(first)]);
    const page = { limit: 100, afterLine: 0, state: null, withInstructions: true };
    const rows = await payrun.engine.listRows(runId, page);
    expect(rows.map(({ state }) => state)).toEqual(['ready', 'ready', 'duplicate_suspect']);
    expect(rows[2]?.errorMessage).toBe('the same amount to the same account is on line 2 of this file');
    await reject(payrun, runId);
  });
});

describe('a row is no duplicate', () => {
  test('of one in a run that was rejected: nothing of that was paid', async () => {
    const row = newRow();
    const runId = await submitRows(payrun, [row]);
    await reject(payrun, runId);
    expect(await suspectsAmong([row])).toEqual([]);
  });

  test('of one that the provider rejected, which may be mended and submitted again', async () => {
    const refused = newRow({ amount: '700.13' });
    const runId = await beginRun(payrun, [refused, newRow()]);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ rejected: 1, paid: 1 });
    expect(await suspectsAmong([{ ...refused, amount: '700.00' }])).toEqual([]);
  });
});

describe('a suspect', () => {
  test('is not paid, keeps the run from being complete, and is listed with its reason to be submitted again', async () => {
    const [paid, suspect] = [newRow(), newRow()];
    const before = await beginRun(payrun, [paid]);
    await untilPaid(payrun, before);
    const runId = await beginRun(payrun, [again(paid), suspect]);
    const run = await untilPaid(payrun, runId);
    expect(run).toMatchObject({ state: 'partially_completed', rows: { duplicate_suspect: 1, paid: 1 } });
    const [header, ...exceptions] = await linesOf(payrun.engine.exceptions(runId));
    expect(header).toMatch(/payrun_status,payrun_reason$/);
    expect(exceptions).toHaveLength(1);
    expect(exceptions[0]).toMatch(/duplicate_suspect,.*the same amount to the same account is on line 2 of test\.csv/);
    await expectPaidOnce(payrun, before);
  });

  test('file as a whole is pointed out to the one who decides', async () => {
    const rows = [newRow(), newRow()];
    await submitRows(payrun, rows);
    const [first] = rows;
    if (first === undefined) throw new Error('there is no row');
    // The same bytes again, with one row left to decide on because its own was mended meanwhile.
    await pastTriggers(payrun.database, `update payments set state = 'failed' where row_ref = $1`, [first.row_ref]);
    const runId = await submitRows(payrun, rows);
    const run = await payrun.engine.findRun(runId);
    expect(run?.rows).toEqual({ ready: 1, duplicate_suspect: 1 });
    const today = new Date().toISOString().slice(0, 10);
    expect(run?.proposal?.warnings).toContain(`the very same file was submitted before, on ${today}`);
  });

  test('alone in its file leaves nothing to decide on: the run ends and says so', async () => {
    const paid = newRow();
    await submitRows(payrun, [paid]);
    const outcome = await submitFile(payrun, csvOf([paid]));
    const runId = outcome.kind === 'accepted' ? outcome.runId : '';
    const run = await untilRun(payrun.engine, runId, 'failed');
    expect(run).toMatchObject({ stateReason: 'no row of this run can be paid', rows: { duplicate_suspect: 1 } });
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvOf, aRow, someRows } from '../helpers/payment-file.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

async function submit(csv: Buffer): Promise<string> {
  const outcome = await payrun.engine.submit(payrun.maker, {
    account: null,
    fileName: 'test.csv',
    csv,
    defaults: {},
    mapping: {},
    files: [],
    onInvalid: 'reject',
  });
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome.problems));
  return outcome.runId;
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

const NO_DECISION = { comment: null, contentHash: null };

describe('a payment run', () => {
  test('pays every row once, and says so row by row', async () => {
    const runId = await submit(csvOf(someRows(5)));
    await untilRun(payrun.engine, runId, 'in_approval');
    await payrun.engine.approveRun(payrun.checker, runId, NO_DECISION);
    const run = await untilRun(payrun.engine, runId, 'completed', 'partially_completed', 'failed');
    expect(run.rows).toEqual({ paid: 5 });
    expect(run.state).toBe('completed');
    const results = await textOf(payrun.engine.results(runId));
    expect(results.trim().split('\n')).toHaveLength(6);
    const exceptions = await textOf(payrun.engine.exceptions(runId));
    expect(exceptions.trim().split('\n')).toHaveLength(1);
    const ledger = payrun.sandbox.ledger();
    expect(ledger).toMatchObject({ createdMoreThanOnce: [], fundedMoreThanOnce: [], invariantHolds: true });
  });

  test('what the provider rejects or fails is listed with its reason, and the rest is paid', async () => {
    const rows = [
      aRow(11),
      aRow(12, { amount: '50.13' }),
      aRow(13, { amount: '60.14' }),
      aRow(14, { beneficiary_company_name: 'SANCTIONED Trading Ltd' }),
    ];
    const runId = await submit(csvOf(rows));
    await untilRun(payrun.engine, runId, 'in_approval');
    await payrun.engine.approveRun(payrun.checker, runId, NO_DECISION);
    const run = await untilRun(payrun.engine, runId, 'completed', 'partially_completed', 'failed');
    expect(run.state).toBe('partially_completed');
    expect(run.rows).toEqual({ paid: 1, rejected: 2, failed: 1 });
    const exceptions = (await textOf(payrun.engine.exceptions(runId))).trim().split('\n');
    expect(exceptions).toHaveLength(4);
    expect(exceptions[0]).toMatch(/payrun_status,payrun_reason$/);
  });
});

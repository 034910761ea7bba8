import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { readComparedRun, readDifferences } from '../../store/runs/differences.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { beneficiaryAt, putInto } from './a-stored-run.ts';
import { RunsInApproval } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let runs: RunsInApproval;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
});
afterAll(() => testDatabase.drop());

type Row = Partial<PaymentInstruction>;

/** A row that sells so many USD to this account of this payee. */
function to(payee: string, account: string, amount: string): Row {
  const { beneficiary } = beneficiaryAt(account, { bankAccountHolderName: payee });
  if (beneficiary.kind !== 'details') throw new Error('expected details');
  return {
    amount,
    amountSide: 'sell',
    beneficiary: { ...beneficiary, details: { ...beneficiary.details, companyName: payee } },
  };
}

const propose = (rows: readonly Row[]) => runs.aRun(rows.length, (n) => rows[n - 1] ?? {});

/** An approved run, whose rows have this outcome. */
async function ended(state: 'paid' | 'failed', rows: readonly Row[]): Promise<string> {
  const { runId, paymentIds } = await propose(rows);
  await runs.decide(runs.chris, runId);
  for (const paymentId of paymentIds) await putInto(testDatabase.database, paymentId, state);
  return runId;
}

const differences = async (runId: string, limit = 100, after: [string, string, string, string] | null = null) => {
  const earlier = await readComparedRun(testDatabase.asServer, runId);
  return readDifferences(testDatabase.asServer, { runId, earlierId: earlier?.runId ?? runId }, { after, limit });
};

const JULY = [to('Alpha', '11111111', '100.00'), to('Beta', '22222222', '100.00'), to('Gamma', '33333333', '100.00')];

test('new and missing payees, other accounts and amounts beyond the bound are told, and the rest is counted', async () => {
  await ended('paid', [...JULY, to('Delta', '44444444', '100.00'), to('Epsilon', '55555555', '100.00')]);
  const { runId } = await propose([
    to('Alpha', '11111111', '120.00'),
    to('Beta', '29999999', '100.00'),
    to('Gamma', '33333333', '120.01'),
    to('Epsilon', '55555555', '50.00'),
    to('Epsilon', '55555555', '50.00'),
    to('Zeta', '66666666', '1.00'),
  ]);
  const found = await differences(runId);
  expect(found.counts).toEqual({ account_changed: 1, amount_changed: 1, missing: 1, new: 1, same: 2 });
  expect(found.differences.map(({ kind, before, now }) => [kind, before?.amount, now?.amount])).toEqual([
    ['account_changed', '100.00', '100.00'],
    ['amount_changed', '100.00', '120.01'],
    ['missing', '100.00', undefined],
    ['new', undefined, '1.00'],
  ]);
});

test('the bound of amounts is that of the policy', async () => {
  await ended('paid', JULY);
  const { runId } = await propose(JULY.map((row) => ({ ...row, amount: '110.00' })));
  expect((await differences(runId)).counts).toEqual({ same: 3 });
  await runs.follow({ changedAmountPercent: 5 });
  expect((await differences(runId)).counts).toEqual({ amount_changed: 3 });
  await runs.follow({});
});

test('it is compared with the last run that has paid anything, not with one that failed or was not approved', async () => {
  const paid = await ended('paid', JULY);
  await ended('failed', JULY);
  await propose(JULY);
  const { runId } = await propose(JULY);
  expect((await readComparedRun(testDatabase.asServer, runId))?.runId).toBe(paid);
});

test('a sheet with other columns is of another kind', async () => {
  const paid = await ended('paid', JULY);
  await bypassTriggers(
    testDatabase.database,
    `update runs set header = '{"names": ["row_ref", "pay_on"], "hasByteOrderMark": false}' where run_id = $1`,
    [paid],
  );
  const { runId } = await propose(JULY);
  expect((await readComparedRun(testDatabase.asServer, runId))?.runId).not.toBe(paid);
});

test('pages have all differences, each once', async () => {
  await ended('paid', JULY);
  const { runId } = await propose(Array.from({ length: 7 }, (_, n) => to(`New ${n}`, `7000000${n}`, '5.00')));
  const whole = await differences(runId);
  expect(whole.differences).toHaveLength(10);
  const paged: unknown[] = [];
  for (let after: [string, string, string, string] | null = null; ; ) {
    const { differences: page, counts } = await differences(runId, 3, after);
    expect(counts).toEqual({ missing: 3, new: 7 });
    paged.push(...page);
    const last = page.at(-1);
    if (last === undefined) break;
    after = [last.kind, last.payee, last.currency, last.side];
  }
  expect(paged).toEqual(whole.differences);
});

test('of an approved run all approved rows count, whatever became of them', async () => {
  await ended('paid', JULY);
  const { runId, paymentIds } = await propose(JULY);
  await runs.decide(runs.chris, runId);
  await putInto(testDatabase.database, paymentIds[0] ?? '', 'held');
  expect((await differences(runId)).counts).toEqual({ same: 3 });
});

test('a payee whose rows are all on hold is not missing', async () => {
  await ended('paid', JULY);
  const { runId, paymentIds } = await propose(JULY);
  await putInto(testDatabase.database, paymentIds[0] ?? '', 'duplicate_suspect');
  const found = await differences(runId);
  expect(found.counts).toEqual({ held: 1, same: 2 });
  expect(found.differences).toMatchObject([{ kind: 'held', before: { amount: '100.00' }, now: null }]);
});

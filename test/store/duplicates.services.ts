import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { listUnreadBeneficiaries } from '../../store/beneficiaries/provider-beneficiaries.ts';
import { markDuplicates, readEarlierSubmission } from '../../store/runs/duplicates.ts';
import { endRun } from '../../store/runs/run-outcome.ts';
import { transitionRun } from '../../store/runs/run-transition.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { identityHashesOf } from '../../domain/runs/row-identity.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, anApprovedRun, aStoredRun, beneficiaryAt, withoutDuplicates } from './a-stored-run.ts';
import { RunsInApproval } from './runs-in-approval.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

type Parts = Partial<PaymentInstruction>;

/** Rows with different references, and otherwise different except for the given parts. */
async function aRunOf(...rows: Parts[]): Promise<string> {
  const of = (n: number): Parts => ({ rowRef: randomUUID(), ...rows[n - 1] });
  return (await aStoredRun(testDatabase.database, rows.length, of)).runId;
}

/** Codes of the suspected rows, by row number. */
async function suspectsOf(runId: string): Promise<Record<number, string>> {
  await markDuplicates(testDatabase.asWorker, runId);
  const { rows } = await testDatabase.database.query<{ n: number; code: string; message: string }>(
    `select row_number as n, error_code as code from payments where run_id = $1 and state = 'duplicate_suspect'`,
    [runId],
  );
  return Object.fromEntries(rows.map(({ n, code }) => [n, code]));
}

/** The same account with another holder's name. */
function heldBy(accountNumber: string, holder: string): Parts {
  const { beneficiary } = beneficiaryAt(accountNumber);
  if (beneficiary.kind !== 'details') throw new Error('there are no details');
  const bankAccount = { ...beneficiary.details.bankAccount, bankAccountHolderName: holder };
  return { beneficiary: { kind: 'details', details: { ...beneficiary.details, companyName: holder, bankAccount } } };
}

/** What the provider has shown of a beneficiary. */
async function shown(beneficiaryId: string, accountNumber: string): Promise<void> {
  const { beneficiary } = beneficiaryAt(accountNumber);
  if (beneficiary.kind !== 'details') throw new Error('there are no details');
  const { hash } = await payeesIn(testDatabase.database);
  const { accountHash } = identityHashesOf(hash, beneficiary.details);
  await testDatabase.database.query(
    `insert into provider_beneficiaries (account, beneficiary_id, encrypted, account_hash) values ($1, $2, '', $3)`,
    [ACCOUNT, beneficiaryId, accountHash],
  );
}

const byId = (beneficiaryId: string): Parts => ({ beneficiary: { kind: 'existing', beneficiaryId } });
const SAME = 'same_beneficiary_and_amount';
const amount = '77.00';

describe('the same amount to the same account is suspected', () => {
  test('however the holder is spelt, in another run and in the file itself', async () => {
    const account = randomUUID();
    await aRunOf({ ...heldBy(account, 'Winkler AG'), amount });
    const again = await aRunOf({ ...heldBy(account, 'Winkler Aktiengesellschaft'), amount }, { amount });
    expect(await suspectsOf(again)).toEqual({ 1: SAME });
    const other = randomUUID();
    const twice = await aRunOf({ ...heldBy(other, 'A'), amount }, { ...heldBy(other, 'B'), amount });
    expect(await suspectsOf(twice)).toEqual({ 2: SAME });
  });

  test('whichever of the two rows names the beneficiary by the provider’s id', async () => {
    const [account, id, otherId] = [randomUUID(), randomUUID(), randomUUID()];
    await shown(id, account);
    await shown(otherId, account);
    await aRunOf({ ...byId(id), amount });
    expect(await suspectsOf(await aRunOf({ ...heldBy(account, 'Whoever'), amount }))).toEqual({ 1: SAME });
    expect(await suspectsOf(await aRunOf({ ...byId(otherId), amount }))).toEqual({ 1: SAME });
    const known = randomUUID();
    await aRunOf({ ...heldBy(known, 'Whoever'), amount });
    const later = randomUUID();
    await shown(later, known);
    expect(await suspectsOf(await aRunOf({ ...byId(later), amount }))).toEqual({ 1: SAME });
  });

  test('by the id if the provider has not shown the account', async () => {
    const id = randomUUID();
    await aRunOf({ ...byId(id), amount });
    expect(await suspectsOf(await aRunOf({ ...byId(id), amount }, { ...byId(randomUUID()), amount }))).toEqual({
      1: SAME,
    });
  });

  test('also of a row that was stored without a hash of its account', async () => {
    const account = randomUUID();
    const before = await aRunOf({ ...beneficiaryAt(account), amount });
    await bypassTriggers(testDatabase.database, 'update payments set account_hash = null where run_id = $1', [before]);
    expect(await suspectsOf(await aRunOf({ ...beneficiaryAt(account), amount }))).toEqual({ 1: SAME });
  });

  test('however long ago its run was submitted, until 60 days after its row was paid', async () => {
    const account = randomUUID();
    const before = await aRunOf({ ...beneficiaryAt(account), amount });
    const { database } = testDatabase;
    const suspectsNow = async () => suspectsOf(await aRunOf({ ...beneficiaryAt(account), amount }));
    await bypassTriggers(database, `update runs set submitted_at = now() - interval '1 year' where run_id = $1`, [
      before,
    ]);
    const end = (state: string, days: number): Promise<unknown> =>
      bypassTriggers(
        database,
        'update payments set state = $2, ended_at = now() - make_interval(days => $3) where run_id = $1',
        [before, state, days],
      );
    const first = await aRunOf({ ...beneficiaryAt(account), amount });
    expect(await suspectsOf(first)).toEqual({ 1: SAME });
    await end('unknown', 61);
    expect(await suspectsNow()).toEqual({ 1: SAME });
    await end('paid', 59);
    expect(await suspectsNow()).toEqual({ 1: SAME });
    await end('paid', 61);
    expect(await suspectsNow()).toEqual({});
  });

  test('from any account of the installation, whose runs are not named', async () => {
    const [account, id] = [randomUUID(), randomUUID()];
    await shown(id, account);
    const others = [
      await aRunOf({ ...heldBy(account, 'Winkler AG'), amount }),
      await aRunOf({ ...byId(id), amount: '78.00' }),
    ];
    for (const table of ['payments', 'runs', 'provider_beneficiaries']) {
      const ofThem = table === 'provider_beneficiaries' ? 'beneficiary_id = any($1)' : 'run_id::text = any($1)';
      await bypassTriggers(testDatabase.database, `update ${table} set account = 'asia' where ${ofThem}`, [
        [...others, id],
      ]);
    }
    const again = await aRunOf({ ...beneficiaryAt(account), amount }, { ...beneficiaryAt(account), amount: '78.00' });
    expect(await suspectsOf(again)).toEqual({ 1: SAME, 2: SAME });
    const { rows } = await testDatabase.database.query(
      'select distinct error_message as message from payments where run_id = $1',
      [again],
    );
    expect(rows).toEqual([{ message: 'the same amount to the same account is in a run of another provider account' }]);
  });

  test('and not with another amount, side or currency', async () => {
    const account = randomUUID();
    await aRunOf({ ...beneficiaryAt(account), amount });
    const others: Parts[] = [
      { amount: '77.01' },
      { amountSide: 'buy' },
      { sellCurrency: 'EUR' },
      { buyCurrency: 'EUR' },
    ];
    const runId = await aRunOf(...others.map((parts) => ({ ...beneficiaryAt(account), amount, ...parts })));
    expect(await suspectsOf(runId)).toEqual({});
  });
});

describe('a row_ref that was used before is suspected', () => {
  test('before any other match, and reported once', async () => {
    const account = randomUUID();
    const parts = { ...beneficiaryAt(account), amount, rowRef: randomUUID() };
    await aRunOf(parts);
    const again = await aRunOf(parts);
    expect(await suspectsOf(again)).toEqual({ 1: 'row_ref_used_before' });
    expect(await markDuplicates(testDatabase.asWorker, again)).toBe(0);
  });
});

describe('a run is decided on', () => {
  test('once duplicates were looked for among its rows, whatever workflow proposes it', async () => {
    const runId = await aRunOf({});
    const propose = () => transitionRun(testDatabase.asWorker, runId, { to: 'proposed' });
    await expect(propose()).rejects.toThrow('once its rows were compared');
    await markDuplicates(testDatabase.asWorker, runId);
    expect(await propose()).toBe(true);
  });

  test('and duplicates are not looked for again after that', async () => {
    const account = randomUUID();
    const { runId } = await anApprovedRun(testDatabase.database, 2, () => ({ ...beneficiaryAt(account), amount }));
    expect(await suspectsOf(runId)).toEqual({});
  });

  test('with the accounts that were known when duplicates were looked for', async () => {
    const [account, id] = [randomUUID(), randomUUID()];
    await aRunOf({ ...beneficiaryAt(account), amount });
    const runs = await RunsInApproval.of(testDatabase);
    const { runId } = await aStoredRun(testDatabase.database, 1, () => ({ rowRef: randomUUID(), ...byId(id), amount }));
    expect(await suspectsOf(runId)).toEqual({});
    for (const to of ['proposed', 'in_approval'] as const) await transitionRun(testDatabase.asWorker, runId, { to });
    expect(await listUnreadBeneficiaries(testDatabase.asWorker, runId)).toEqual([]);
    await shown(id, account);
    await expect(runs.decide(runs.chris, runId)).rejects.toThrow('after duplicates were looked for');
    expect(await runs.refusalsOf(runId)).toMatchObject([{ why: 'read_since' }]);
    // No worker says afterwards that it has compared.
    const { asWorker } = testDatabase;
    const later = `update runs set duplicates_checked_at = now() where run_id = '${runId}'`;
    await expect(asWorker.query(later)).rejects.toThrow('permission denied');
    await withoutDuplicates(asWorker, runId);
    await expect(runs.decide(runs.chris, runId)).rejects.toThrow('after duplicates were looked for');
    expect(await runs.decide(runs.chris, runId, 'rejected')).toMatchObject({ decision: 'rejected' });
  });
});

test('a run that nobody approved ends with the reason that its record gives', async () => {
  const runId = await aRunOf({});
  await bypassTriggers(testDatabase.database, `update payments set state = 'invalid' where run_id = $1`, [runId]);
  expect(await endRun(testDatabase.asWorker, runId)).toBe('failed');
  const { rows } = await testDatabase.database.query('select state_reason as reason from runs where run_id = $1', [
    runId,
  ]);
  expect(rows).toEqual([{ reason: 'no row of this run can be paid' }]);
});

test('a file counts as submitted before unless its run was withdrawn, or cancelled with nothing sent', async () => {
  const { database } = testDatabase;
  const [before, again] = [await aRunOf({}), await aRunOf({})];
  const sameFile = 'update runs set file_sha256 = $2 where run_id = any($1)';
  await bypassTriggers(database, sameFile, [[before, again], randomUUID()]);
  expect(await readEarlierSubmission(database, again)).not.toBe(null);
  const end = async (state: string): Promise<void> => {
    await bypassTriggers(database, `update runs set state = 'cancelled', finished_at = now() where run_id = $1`, [
      before,
    ]);
    await bypassTriggers(database, 'update payments set state = $2 where run_id = $1', [before, state]);
  };
  await end('cancelled');
  expect(await readEarlierSubmission(database, again)).toBe(null);
  await end('paid');
  expect(await readEarlierSubmission(database, again)).not.toBe(null);
});

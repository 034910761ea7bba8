import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApplication } from '../../application/create-application.ts';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { saveProviderBeneficiaries } from '../../store/beneficiaries/provider-beneficiaries.ts';
import { createReviews } from '../../application/runs/run-review.ts';
import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import { aDataKey, TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { beneficiaryAt, putInto, anApprovedRun } from './a-stored-run.ts';
import { RunsInApproval } from './runs-in-approval.ts';

/** Whether one login to the database could make approvers see something false. */

let testDatabase: TestDatabase;
let runs: RunsInApproval;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
});
afterAll(() => testDatabase.drop());

describe('the findings of a run', () => {
  let clockMs = Date.now();
  const application = () =>
    createApplication({
      database: testDatabase.asServer,
      accounts: [],
      dataKeys: TEST_DATA_KEYS,
      now: () => clockMs,
    } as unknown as ApplicationDependencies);
  const kindsOf = (found: Awaited<ReturnType<ReturnType<typeof application>['findReview']>>) =>
    found?.findings.map(({ kind }) => kind);

  test('are cached by the server that computed them, and not stored in the database', async () => {
    const reviewing = application();
    const { runId } = await runs.aRun(1, () => beneficiaryAt('31926819'));
    const page = { limit: 10, afterLine: 0, state: null, withInstructions: true };
    const shown = async () => [
      kindsOf(await reviewing.findReview(runId, null)),
      (await reviewing.listRows(runId, page)).map(({ marks }) => marks),
    ];
    const before = await shown();
    expect(before).toEqual([['new_beneficiary'], [['new_beneficiary']]]);
    const { paymentIds } = await anApprovedRun(testDatabase.database, 1, () => ({
      ...beneficiaryAt('31926819'),
      amount: '80.00',
    }));
    await putInto(testDatabase.database, paymentIds[0] ?? '', 'paid');
    expect(await shown()).toEqual(before);
    clockMs += 121_000;
    expect(await shown()).toEqual([[], [[]]]);
    const { rows } = await testDatabase.database.query(
      `select from information_schema.tables where table_name ~ 'finding|review'`,
    );
    expect(rows).toEqual([]);
  });

  test('are computed once for all who ask at the same time', async () => {
    const { runId } = await runs.aRun(1, () => beneficiaryAt('55779911'));
    const reviewing = application();
    const page = { limit: 10, afterLine: 0, state: null, withInstructions: true };
    const [rows, again] = await Promise.all([reviewing.listRows(runId, page), reviewing.listRows(runId, page)]);
    expect(rows).toEqual(again);
  });

  test('of a large run are those that a thread of their own finds', async () => {
    const { runId } = await runs.aRun(3, () => beneficiaryAt('77331100'));
    const [here, inThread] = [1_000, 0].map((maxRowsHere) =>
      createReviews({ database: testDatabase.asServer, dataKeys: TEST_DATA_KEYS, now: () => clockMs }, maxRowsHere),
    );
    const found = await here?.find(runId);
    expect(found?.findings.length).toBeGreaterThan(0);
    expect(await inThread?.find(runId)).toEqual(found);
    const all = { first: 1, last: 3 };
    expect(await inThread?.marksOf(runId, all)).toEqual(await here?.marksOf(runId, all));
  });

  test('of a large run are found with a data key that was added to the file since the server started', async () => {
    const { runId } = await runs.aRun(1, () => beneficiaryAt('77331122'));
    const before = aDataKey('before');
    const dataKeys: DataKeys = {
      ...{ current: before, all: [before] },
      reread: () => {
        dataKeys.all = [TEST_DATA_KEYS.current, before];
      },
    };
    const reviews = createReviews({ database: testDatabase.asServer, dataKeys, now: () => clockMs }, 0);
    expect((await reviews.find(runId))?.contentHash).toMatch(/./);
  });

  test('are not waited for by who asks for the rows with the marks that are known', async () => {
    const { runId } = await runs.aRun(1, () => beneficiaryAt('66880022'));
    const reviewing = application();
    const page = { limit: 10, afterLine: 0, state: null, withInstructions: true, marks: 'if_known' } as const;
    const marks = async () => (await reviewing.listRows(runId, page)).map((row) => row.marks);
    const holder = await testDatabase.database.connect();
    try {
      await holder.query('begin');
      // The review reads it, and the list of rows does not.
      await holder.query('lock table row_releases in access exclusive mode');
      expect(await marks()).toEqual([null]);
      await holder.query('rollback');
    } finally {
      holder.release();
    }
    await expect.poll(marks).toEqual([[expect.any(String)]]);
  });
});

describe('of what is damaged', () => {
  const application = () =>
    createApplication({
      ...{ database: testDatabase.asServer, accounts: [], dataKeys: TEST_DATA_KEYS, now: () => Date.now() },
      temporal: { workflow: { signalWithStart: () => Promise.resolve() } },
    } as unknown as ApplicationDependencies);
  const damage = (paymentId = ''): Promise<void> =>
    bypassTriggers(
      testDatabase.database,
      'update payments set encrypted = set_byte(encrypted, 30, get_byte(encrypted, 30) # 1) where payment_id = $1',
      [paymentId],
    );

  test('a row is named in the review of its run, which shows the others and cannot be approved', async () => {
    const reviewing = application();
    const { runId, paymentIds } = await runs.aRun(2, (n) => beneficiaryAt(`9944110${n}`));
    await damage(paymentIds[0]);
    const review = await reviewing.findReview(runId, null);
    expect(review?.findings).toMatchObject([
      { kind: 'row_unreadable', rows: ['row-1'], rowCount: 1 },
      { rows: ['row-2'], rowCount: 1 },
    ]);
    const decision = { comment: null, contentHash: review?.contentHash ?? '' };
    await expect(reviewing.approveRun(runs.chris, runId, decision)).rejects.toThrow('nobody can see whom they pay');
    expect(await runs.frozenRows(runId)).toBe(0);
    expect(await runs.decide(runs.sam, runId, 'rejected')).toMatchObject({ decision: 'rejected' });
  });

  test('a payment of another run keeps no review from being shown', async () => {
    const paidBefore = await anApprovedRun(testDatabase.database, 1, () => beneficiaryAt('88441101'));
    const [paymentId = ''] = paidBefore.paymentIds;
    await putInto(testDatabase.database, paymentId, 'paid');
    await damage(paymentId);
    const { runId } = await runs.aRun(1, () => ({ rowRef: 'another', ...beneficiaryAt('88441102') }));
    const review = await application().findReview(runId, null);
    expect(review?.findings.map(({ kind }) => kind)).toContain('account_changed');
  });
});

describe('a beneficiary that rows name by the provider’s id', () => {
  const shown = (companyName: string) => ({
    beneficiaryId: 'a-supplier',
    known: { entityType: 'company', country: 'GB', companyName, bankAccount: { accountNumber: '1' } } as never,
    mac: 'of a worker',
  });
  const storedName = async () => {
    const { rows } = await testDatabase.database.query<{ encrypted: Buffer | null }>(
      `select encrypted from provider_beneficiaries where beneficiary_id = 'a-supplier'`,
    );
    const payees = await payeesIn(asWorker());
    return rows.map(({ encrypted }) =>
      encrypted === null ? null : payees.decryptBeneficiary('default', 'a-supplier', encrypted).companyName,
    );
  };
  const asWorker = () => testDatabase.asWorker;

  test('has nothing by which it looks known until the provider shows it', async () => {
    for (const column of ['countries', 'account_hash', 'routing_hash', 'name_hash']) {
      const forged = asWorker().query(
        `insert into provider_beneficiaries (account, beneficiary_id, read_at, ${column}) values ('default', $1, 'infinity', $2)`,
        [`never-shown-${column}`, column === 'countries' ? '["DE"]' : 'x'],
      );
      await expect(forged).rejects.toThrow('nothing_known_of_what_is_not_shown');
    }
  });

  test('stays as the provider first showed it', async () => {
    await saveProviderBeneficiaries(asWorker(), await payeesIn(asWorker()), 'default', [
      { beneficiaryId: 'a-supplier', known: null, mac: null },
    ]);
    expect(await storedName()).toEqual([null]);
    await saveProviderBeneficiaries(asWorker(), await payeesIn(asWorker()), 'default', [shown('Acme Ltd')]);
    await saveProviderBeneficiaries(asWorker(), await payeesIn(asWorker()), 'default', [shown('Evil Ltd')]);
    expect(await storedName()).toEqual(['Acme Ltd']);
    for (const change of [
      `encrypted = 'x'`,
      'encrypted = null',
      `countries = '[]'`,
      `account_hash = 'x'`,
      `routing_hash = 'x'`,
      `name_hash = 'x'`,
    ]) {
      const changed = asWorker().query(`update provider_beneficiaries set ${change}`);
      await expect(changed).rejects.toThrow('does not change');
    }
    await expect(asWorker().query('delete from provider_beneficiaries')).rejects.toThrow('permission denied');
  });
});

describe('a row that nobody approved', () => {
  test.each(['quoted', 'unknown'])('does not become %s, as if it had been sent', async (to) => {
    const { paymentIds } = await runs.aRun();
    const moved = testDatabase.asWorker.query('update payments set state = $2 where payment_id = any($1)', [
      paymentIds,
      to,
    ]);
    await expect(moved).rejects.toThrow('nothing is sent of a row that nobody has approved');
  });

  test('does not make an account look paid', async () => {
    const { paymentIds } = await runs.aRun(1, () => beneficiaryAt('66374958'));
    for (const to of ['quoted', 'paid']) {
      const moved = testDatabase.asWorker.query('update payments set state = $2 where payment_id = any($1)', [
        paymentIds,
        to,
      ]);
      await expect(moved).rejects.toThrow();
    }
  });
});

describe('a run that nobody decided on', () => {
  const setAsWorker = (runId: string, change: string) =>
    testDatabase.asWorker.query(`update runs set ${change} where run_id = $1`, [runId]);

  test.each(['running', 'awaiting_funds', 'scheduled'])('does not become %s', async (state) => {
    const { runId } = await runs.aRun();
    await expect(setAsWorker(runId, `state = '${state}'`)).rejects.toThrow('once it is approved');
    expect(await runs.stateOf(runId)).toBe('in_approval');
  });

  test('does not become rejected', async () => {
    const { runId } = await runs.aRun();
    await expect(setAsWorker(runId, `state = 'rejected', finished_at = now()`)).rejects.toThrow('by people alone');
  });

  test('cannot be marked as ended, which would exclude later payments from its review', async () => {
    const { runId } = await runs.aRun();
    await expect(setAsWorker(runId, `finished_at = '-infinity'`)).rejects.toThrow('has not ended');
  });
});

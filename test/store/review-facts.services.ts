import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BeneficiaryDetails, PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { RowFacts } from '../../domain/runs/run-findings.ts';
import { inTransaction } from '../../store/database/database.ts';
import {
  listUnreadBeneficiaries,
  saveProviderBeneficiaries,
} from '../../store/beneficiaries/provider-beneficiaries.ts';
import { readLastRoutings, readOtherAccounts } from '../../store/runs/review-details.ts';
import { readReviewedRun } from '../../store/runs/review-facts.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, anApprovedRun, aStoredRun, putInto } from './a-stored-run.ts';
import { readRowFacts } from './read-row-facts.ts';

let testDatabase: TestDatabase;
/** Separate for each test, so that none sees what another has paid. */
let name: string;
let bank: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());
beforeEach(() => {
  name = `Supplier ${randomUUID()}`;
  bank = randomUUID();
});

/** A row that pays this supplier's account an amount. */
function paying(
  accountNumber: string,
  amount: string,
  parts: Partial<PaymentInstruction> = {},
): Partial<PaymentInstruction> {
  return { amount, beneficiary: { kind: 'details', details: detailsOf(accountNumber) }, ...parts };
}

function detailsOf(accountNumber: string, companyName = name, parts: Partial<BeneficiaryDetails['bankAccount']> = {}) {
  const bankAccount = {
    country: 'GB',
    currency: 'GBP',
    bankName: 'Test Bank',
    bankAccountHolderName: companyName,
    accountNumber,
    bankCode: bank,
    ...parts,
  };
  return { entityType: 'company' as const, country: 'GB', companyName, bankAccount };
}

/** A run with one row that was paid this many days ago. */
async function paid(row: Partial<PaymentInstruction>, daysAgo: number): Promise<string> {
  const { runId, paymentIds } = await anApprovedRun(testDatabase.database, 1, () => row);
  await putInto(testDatabase.database, paymentIds[0] ?? '', 'paid', { fundedAgo: `${daysAgo} days` });
  return runId;
}

/** The row facts of a run with these rows, as the server reads them. */
async function factsOf(...rows: Partial<PaymentInstruction>[]): Promise<RowFacts[]> {
  const { runId } = await aStoredRun(testDatabase.database, rows.length, (n) => rows[n - 1] ?? {});
  return factsOfRun(runId);
}

function factsOfRun(runId: string): Promise<RowFacts[]> {
  return inTransaction(testDatabase.asServer, async (transaction) => {
    const run = await readReviewedRun(transaction, runId);
    if (run === null) throw new Error('there is no run');
    return readRowFacts(transaction, run);
  });
}

describe('what was paid before', () => {
  test('is found by the name, by the account, and by both together', async () => {
    await paid(paying('1', '10.00'), 3);
    const another = `Another ${name}`;
    const facts = await factsOf(
      paying('1', '10.00'),
      paying('2', '10.00'),
      { beneficiary: { kind: 'details', details: detailsOf('1', another) } },
      { beneficiary: { kind: 'details', details: detailsOf('3', another) } },
    );
    expect(facts.map(({ before }) => before)).toMatchObject([
      { isNamePaid: true, isAccountPaid: true, isPairPaid: true, isAccountPaidToOthers: false },
      { isNamePaid: true, isAccountPaid: false, isPairPaid: false, isAccountPaidToOthers: false },
      { isNamePaid: false, isAccountPaid: true, isPairPaid: false, isAccountPaidToOthers: true },
      { isNamePaid: false, isAccountPaid: false, isPairPaid: false, isAccountPaidToOthers: false },
    ]);
    expect(new Set(facts.map((row) => row.account)).size).toBe(3);
    expect(new Set(facts.map((row) => row.name)).size).toBe(2);
  });

  test('is neither a row of the same run, nor one that was not sent, nor one of another provider account', async () => {
    const { paymentIds } = await aStoredRun(testDatabase.database, 1, () => paying('1', '10.00'));
    for (const state of ['ready', 'created', 'rejected', 'failed', 'returned', 'unknown'] as const) {
      await putInto(testDatabase.database, paymentIds[0] ?? '', state);
      expect(await factsOf(paying('1', '10.00'), paying('1', '11.00')), state).toMatchObject([
        { before: { isNamePaid: false } },
        { before: { isNamePaid: false } },
      ]);
    }
    await putInto(testDatabase.database, paymentIds[0] ?? '', 'funded');
    expect(await factsOf(paying('1', '10.00'))).toMatchObject([{ before: { isPairPaid: true } }]);
    await bypassTriggers(
      testDatabase.database,
      `update payments set account = 'other' where payment_id = $1`,
      paymentIds,
    );
    expect(await factsOf(paying('1', '10.00'))).toMatchObject([{ before: { isNamePaid: false } }]);
  });

  test('of amounts, the largest of the last twelve in the row’s own currency counts', async () => {
    await paid(paying('1', '9000.00'), 20);
    await paid(paying('1', '8000.00', { amountSide: 'buy' }), 2);
    for (let day = 15; day > 4; day -= 1) await paid(paying('1', `${100 + day}.00`), day);
    expect(await factsOf(paying('1', '10.00'))).toMatchObject([{ currency: 'USD', before: { largest: '9000.00' } }]);
    await paid(paying('1', '50.00'), 1);
    expect(await factsOf(paying('1', '10.00'), paying('1', '1.00', { amountSide: 'buy' }))).toMatchObject([
      { currency: 'USD', before: { largest: '115.00' } },
      { currency: 'GBP', before: { largest: '8000.00' } },
    ]);
    // For a new name at a known account, the account's payments are compared.
    const renamed = { beneficiary: { kind: 'details' as const, details: detailsOf('1', `${name} Holding`) } };
    expect(await factsOf(renamed)).toMatchObject([{ before: { isNamePaid: false, largest: '115.00' } }]);
  });

  test('the account that was paid last is the old one', async () => {
    await paid(paying('1', '10.00'), 9);
    await paid(paying('2', '10.00'), 3);
    await paid(paying('1', '10.00'), 6);
    const { runId } = await aStoredRun(testDatabase.database, 1, () => paying('3', '10.00'));
    const run = await readReviewedRun(testDatabase.asServer, runId);
    const others = await readOtherAccounts(testDatabase.asServer, await payeesIn(testDatabase.asServer), run!, [1]);
    expect(others.get(1)).toMatchObject({ accounts: 2, known: { bankAccount: { accountNumber: '2' } } });
  });

  test('is found by the routing as well: its holder, its codes, the intermediary bank', async () => {
    const led = (
      parts: Partial<BeneficiaryDetails['bankAccount']>,
      through: object = {},
    ): Partial<PaymentInstruction> => ({
      beneficiary: { kind: 'details', details: { ...detailsOf('1', name, parts), ...through } },
    });
    await paid(led({ bicSwift: 'COBADEFF' }), 9);
    await paid(led({ bicSwift: 'DEUTDEFF' }), 3);
    const rows = [
      led({ bicSwift: 'DEUTDEFFXXX' }),
      led({ bicSwift: 'COBADEFF', bankName: 'T. Bank' }),
      led({ bicSwift: 'OTHRLT21' }),
      led({ bicSwift: 'COBADEFF', bankAccountHolderName: 'Somebody else' }),
      led({ bicSwift: 'COBADEFF' }, { intermediaryBank: { bankName: 'In between', bicSwift: 'OTHRLT21' } }),
    ];
    expect((await factsOf(...rows)).map(({ before }) => [before.isPairPaid, before.isRoutingPaid])).toEqual([
      [true, true],
      [true, true],
      [true, false],
      [true, false],
      [true, false],
    ]);
    const { runId } = await aStoredRun(testDatabase.database, 1, () => rows[2] ?? {});
    const payees = await payeesIn(testDatabase.asServer);
    const last = await inTransaction(testDatabase.asServer, async (transaction) => {
      const scope = await readReviewedRun(transaction, runId);
      return scope === null ? null : readLastRoutings(transaction, payees, scope, [1]);
    });
    expect(last?.get(1)).toMatchObject({ known: { bankAccount: { bicSwift: 'DEUTDEFF' } } });
  });

  test('is, for a decided run, what was paid by then', async () => {
    const { runId } = await anApprovedRun(testDatabase.database, 1, () => paying('1', '10.00'));
    const later = await paid(paying('1', '10.00'), 0);
    await bypassTriggers(
      testDatabase.database,
      `update runs set decided_at = decided_at - interval '1 day' where run_id = $1`,
      [runId],
    );
    expect(later).not.toBe(runId);
    expect(await factsOfRun(runId)).toMatchObject([{ before: { isNamePaid: false } }]);
    expect(await factsOf(paying('1', '10.00'))).toMatchObject([{ before: { isNamePaid: true } }]);
  });
});

describe('an approved payment that waits', () => {
  test('makes another account under its name a changed one, and says that it is not paid yet', async () => {
    const byId = randomUUID();
    await saveProviderBeneficiaries(testDatabase.asWorker, await payeesIn(testDatabase.asWorker), ACCOUNT, [
      { beneficiaryId: byId, known: detailsOf('1'), mac: null },
    ]);
    for (const row of [
      paying('1', '10.00', { payOn: '2999-01-01' }),
      { beneficiary: { kind: 'existing', beneficiaryId: byId } } as const,
    ]) {
      const waiting = await aStoredRun(testDatabase.database, 1, () => row);
      const asked = [paying('1', '11.00'), paying('2', '10.00')] as const;
      expect(await factsOf(...asked), 'nobody approved it').toMatchObject([
        { before: { isNameKnownElsewhere: false } },
        { before: { isNameKnownElsewhere: false } },
      ]);
      const { runId, paymentIds } = await anApprovedRun(testDatabase.database, 1, () => row);
      expect(await factsOf(...asked)).toMatchObject([
        { before: { isNameKnownElsewhere: false, isNamePaid: false } },
        { before: { isNameKnownElsewhere: true, isNamePaid: false } },
      ]);
      const next = await aStoredRun(testDatabase.database, 1, () => paying('2', '10.00'));
      const run = await readReviewedRun(testDatabase.asServer, next.runId);
      const others = await readOtherAccounts(testDatabase.asServer, await payeesIn(testDatabase.asServer), run!, [1]);
      expect(others.get(1)).toMatchObject({
        accounts: 1,
        known: { bankAccount: { accountNumber: '1' } },
        paidAt: null,
      });
      // One that came to nothing does not count.
      await putInto(testDatabase.database, paymentIds[0] ?? '', 'rejected');
      expect(await factsOf(...asked)).toMatchObject([
        { before: { isNameKnownElsewhere: false } },
        { before: { isNameKnownElsewhere: false } },
      ]);
      expect([runId, waiting.runId]).toHaveLength(2);
    }
  });

  test('does not make an account a changed one that was paid under its name', async () => {
    await paid(paying('2', '10.00'), 1);
    await anApprovedRun(testDatabase.database, 1, () => paying('1', '10.00'));
    expect(await factsOf(paying('2', '10.00'))).toMatchObject([
      { before: { isNameKnownElsewhere: true, isPairPaid: true } },
    ]);
  });
});

describe('a beneficiary that is named by the provider’s id', () => {
  const byId = (beneficiaryId: string): Partial<PaymentInstruction> => ({
    beneficiary: { kind: 'existing', beneficiaryId },
  });

  test('is unread until the provider has shown it, and again for later runs if it did not exist', async () => {
    const { database, asWorker } = testDatabase;
    const [known, unknown] = [randomUUID(), randomUUID()];
    const rows = [byId(known), byId(unknown), byId(known), paying('1', '10.00')];
    const { runId } = await aStoredRun(database, rows.length, (n) => rows[n - 1] ?? {});
    expect(await listUnreadBeneficiaries(asWorker, runId)).toEqual([known, unknown].sort());
    await saveProviderBeneficiaries(asWorker, await payeesIn(asWorker), ACCOUNT, [
      { beneficiaryId: known, known: detailsOf('1'), mac: null },
      { beneficiaryId: unknown, known: null, mac: null },
    ]);
    expect(await listUnreadBeneficiaries(asWorker, runId)).toEqual([]);
    const next = await aStoredRun(database, 2, (n) => rows[n - 1] ?? {});
    expect(await listUnreadBeneficiaries(asWorker, next.runId)).toEqual([unknown]);
    expect((await factsOfRun(runId)).map((row) => row.unknown)).toEqual([null, 'no_such_beneficiary', null, null]);
    await saveProviderBeneficiaries(asWorker, await payeesIn(asWorker), ACCOUNT, [
      { beneficiaryId: unknown, known: { bankAccount: {} }, mac: null },
    ]);
    expect((await factsOfRun(runId))[1]).toMatchObject({ unknown: 'no_account_shown', account: null, name: null });
  });

  test('is the same as one with equal details, whichever was paid', async () => {
    const [paidById, paidByDetails] = [randomUUID(), randomUUID()];
    await saveProviderBeneficiaries(testDatabase.asWorker, await payeesIn(testDatabase.asWorker), ACCOUNT, [
      { beneficiaryId: paidById, known: detailsOf('1'), mac: null },
      { beneficiaryId: paidByDetails, known: detailsOf('2'), mac: null },
    ]);
    await paid(byId(paidById), 1);
    await paid(paying('2', '10.00'), 1);
    expect(await factsOf(paying('1', '10.00'), byId(paidByDetails), paying('3', '10.00'))).toMatchObject([
      { before: { isPairPaid: true } },
      { before: { isPairPaid: true }, beneficiaryId: paidByDetails },
      { before: { isNamePaid: true, isPairPaid: false } },
    ]);
  });

  test('is new to the policy until its account or its id was paid', async () => {
    const policy = {
      rules: [
        { name: 'new', when: { newBeneficiary: true }, steps: [{ role: 'checker' }, { role: 'checker' }] },
        { name: 'all', when: {}, steps: [{ role: 'checker' }] },
      ],
    };
    const stepsFor = async (row: Partial<PaymentInstruction>): Promise<number> => {
      const { runId } = await aStoredRun(testDatabase.database, 1, () => row);
      const { rows } = await testDatabase.asServer.query<{ steps: object[] }>('select steps_for($1, $2) as steps', [
        runId,
        JSON.stringify(policy),
      ]);
      return rows[0]?.steps.length ?? 0;
    };
    const [shown, neverShown] = [randomUUID(), randomUUID()];
    expect([await stepsFor(byId(shown)), await stepsFor(byId(neverShown))]).toEqual([2, 2]);
    await paid(paying('1', '10.00'), 1);
    await saveProviderBeneficiaries(testDatabase.asWorker, await payeesIn(testDatabase.asWorker), ACCOUNT, [
      { beneficiaryId: shown, known: detailsOf('1'), mac: null },
    ]);
    await paid(byId(neverShown), 1);
    expect([await stepsFor(byId(shown)), await stepsFor(byId(neverShown))]).toEqual([1, 1]);
    expect([await stepsFor(paying('1', '10.00')), await stepsFor(paying('2', '10.00'))]).toEqual([1, 2]);
  });
});

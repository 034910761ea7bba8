import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkDuplicatesActivity } from '../../activities/runs/check-duplicates.ts';
import { computeReview } from '../../application/runs/compute-review.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { holdUnconfirmedAccounts } from '../../store/beneficiaries/account-holds.ts';
import { saveProviderBeneficiaries } from '../../store/beneficiaries/provider-beneficiaries.ts';
import { emptyTables } from '../helpers/bypass-triggers.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ABook, aName, paidTo } from './a-book.ts';
import { ACCOUNT, anApprovedRun, aStoredRun, openForDecision, putInto } from './a-stored-run.ts';

/** Rows that name a beneficiary by the provider's id, whose account is not known, or becomes known later. */

let testDatabase: TestDatabase;
let book: ABook;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  book = await ABook.in(testDatabase);
});
beforeEach(async () => {
  await emptyTables(testDatabase, 'runs', 'beneficiary_accounts', 'provider_beneficiaries');
  await book.runs.follow({});
});
afterAll(() => testDatabase.drop());

type Parts = Partial<PaymentInstruction>;

const byId = (beneficiaryId: string): Parts => ({ beneficiary: { kind: 'existing', beneficiaryId } });

async function aRunOf(parts: Parts): Promise<string> {
  const { runId } = await aStoredRun(testDatabase.database, 1, () => ({ rowRef: randomUUID(), ...parts }));
  return runId;
}

async function check(runId: string): Promise<void> {
  await checkDuplicatesActivity({ database: testDatabase.asWorker, dataKeys: TEST_DATA_KEYS })({ runId });
}

async function stateOf(runId: string): Promise<string | undefined> {
  const { rows } = await testDatabase.database.query<{ state: string }>(
    'select state from payments where run_id = $1',
    [runId],
  );
  return rows[0]?.state;
}

async function shown(beneficiaryId: string, known: ReturnType<typeof paidTo>['details']): Promise<void> {
  await saveProviderBeneficiaries(testDatabase.asWorker, book.payees, ACCOUNT, [{ beneficiaryId, known, mac: null }]);
}

describe('a row whose account is not known', () => {
  test('is held where the account has a book, and by the policy that holds all, and never where it warns', async () => {
    const held = async () => {
      const runId = await aRunOf(byId(randomUUID()));
      await openForDecision(testDatabase.asWorker, runId);
      await holdUnconfirmedAccounts(testDatabase.asWorker, runId);
      return stateOf(runId);
    };
    expect(await held()).toBe('ready');
    await book.aConfirmed();
    expect(await held()).toBe('account_unconfirmed');
    await book.runs.follow({ unconfirmedAccounts: 'hold' });
    expect(await held()).toBe('account_unconfirmed');
    await book.runs.follow({ unconfirmedAccounts: 'warn' });
    expect(await held()).toBe('ready');
  });

  test('and that paid what another row pays is found once its account is known', async () => {
    const [id, to] = [randomUUID(), paidTo(aName(), '12340000')];
    const { paymentIds } = await anApprovedRun(testDatabase.database, 1, () => ({ ...byId(id), amount: '321.00' }));
    await putInto(testDatabase.database, paymentIds[0] ?? '', 'paid', { fundedAgo: '1 days' });
    const runId = await aRunOf({ beneficiary: to, amount: '321.00', paymentReference: 'Rent' });
    await openForDecision(testDatabase.asWorker, runId);
    expect(await stateOf(runId)).toBe('ready');
    await shown(id, to.details);
    const { review } = await computeReview(testDatabase.database, TEST_DATA_KEYS, runId, Date.now());
    expect(review.findings.map(({ kind }) => kind)).toContain('similar_payment');
    await expect(book.runs.decide(book.runs.sam, runId)).rejects.toThrow('pays the same amount to an account');
    expect(await book.runs.refusalsOf(runId)).toMatchObject([{ why: 'paid_since' }]);
    const again = await aRunOf({ beneficiary: to, amount: '321.00', paymentReference: 'Rent' });
    await check(again);
    expect(await stateOf(again)).toBe('duplicate_suspect');
  });

  test('and that paid another amount, or will never be paid, is no reason against an approval', async () => {
    const [id, other, to] = [randomUUID(), randomUUID(), paidTo(aName(), '12340000')];
    await anApprovedRun(testDatabase.database, 1, () => ({ ...byId(id), amount: '654.00' }));
    const { paymentIds } = await anApprovedRun(testDatabase.database, 1, () => ({ ...byId(other), amount: '321.00' }));
    await putInto(testDatabase.database, paymentIds[0] ?? '', 'cancelled');
    const runId = await aRunOf({ beneficiary: to, amount: '321.00', paymentReference: 'Rent' });
    await openForDecision(testDatabase.asWorker, runId);
    for (const each of [id, other]) await shown(each, to.details);
    await book.runs.decide(book.runs.sam, runId);
    expect(await book.runs.stateOf(runId)).not.toBe('in_approval');
  });
});

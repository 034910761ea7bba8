import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { requestQuoteActivity } from '../../activities/payments/request-quote.ts';
import type { ProviderClient } from '../../provider/client.ts';
import type { Quote } from '../../provider/payments/simple-payment-fields.ts';
import { createRecordSeal } from '../../provider/record-seal.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { pastTriggers } from '../helpers/past-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { anApprovedRun } from '../store/a-stored-run.ts';
import { asActivity } from './activities-under-test.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const AS_APPROVED = {
  quoteId: 'a-quote',
  expiresAt: null,
  beneficiaryId: 'a-beneficiary',
  sellCurrency: 'USD',
  buyCurrency: 'GBP',
  sellAmount: '101.00',
  buyAmount: '80.00',
  totalAmount: '102.00',
  rate: '0.8',
  totalFee: '1.00',
  supportingDocumentsRequired: false,
} as Quote;

/** What becomes of an approved row, to which the provider answers with this quote. */
async function quotedWith(
  answer: Partial<Quote>,
  before: (paymentId: string) => Promise<unknown> = () => Promise.resolve(),
) {
  const { paymentIds } = await anApprovedRun(testDatabase.database);
  const paymentId = paymentIds[0] ?? '';
  await before(paymentId);
  const quote = () => Promise.resolve({ ...AS_APPROVED, ...answer });
  const dependencies = {
    database: testDatabase.asWorker,
    provider: () => ({ simplePayments: { quote } }) as unknown as ProviderClient,
    seal: () => createRecordSeal('default', 'secret'),
    now: Date.now,
    settings: { maxFeePercent: 20 },
  } as unknown as ActivityDependencies;
  await asActivity(() => requestQuoteActivity(dependencies)({ paymentId, isLast: true }));
  return (await readPayment(testDatabase.database, paymentId)).state;
}

test('a quote for what was approved is used', async () => {
  expect(await quotedWith({})).toBe('quoted');
});

test.each([
  ['beneficiary', { beneficiaryId: 'another' }],
  ['amount', { sellAmount: '101.01' }],
  ['currency', { sellCurrency: 'EUR' }],
  ['currency to receive', { buyCurrency: 'EUR' }],
])('a quote for another %s holds the row', async (_what, answer) => {
  expect(await quotedWith(answer)).toBe('held');
});

test('a quote with fees beyond the limit holds the row', async () => {
  expect(await quotedWith({ totalAmount: '130.00' })).toBe('held');
});

test('a quote that wants documents holds a row without any', async () => {
  expect(await quotedWith({ supportingDocumentsRequired: true })).toBe('held');
});

/** An earlier creation was answered as if the reference were taken, and a look-up did not show it. */
const createdPerhaps = (paymentId: string) =>
  testDatabase.database.query(
    `insert into provider_requests (account, payment_id, attempt, operation, exclusive, answered_at, outcome, answer)
     select account, payment_id, attempt, 'create', true, now(), 'had_no_effect', 'duplicate_reference' from payments where payment_id = $1`,
    [paymentId],
  );

test.each([
  ['a quote that is refused', { totalAmount: '130.00' }],
  ['a quote for another amount', { sellAmount: '101.01' }],
])('%s does not free a row that the provider may have', async (_what, answer) => {
  expect(await quotedWith(answer, createdPerhaps)).toBe('unknown');
});

test('nor does a change of what was approved', async () => {
  const redirected = async (paymentId: string) => {
    await createdPerhaps(paymentId);
    await pastTriggers(testDatabase.database, `update payments set row_hash = 'other' where payment_id = $1`, [
      paymentId,
    ]);
  };
  expect(await quotedWith({}, redirected)).toBe('unknown');
});

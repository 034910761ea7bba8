import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { requestQuoteActivity } from '../../activities/request-quote.ts';
import type { ProviderClient } from '../../provider/client.ts';
import type { Quote } from '../../provider/simple-payment-fields.ts';
import { createRecordSeal } from '../../provider/record-seal.ts';
import { readPayment } from '../../store/payments.ts';
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
async function quotedWith(answer: Partial<Quote>): Promise<unknown> {
  const { paymentIds } = await anApprovedRun(testDatabase.database);
  const paymentId = paymentIds[0] ?? '';
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

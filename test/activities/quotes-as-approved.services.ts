import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { requestQuoteActivity } from '../../activities/payments/request-quote.ts';
import type { ProviderClient } from '../../provider/client.ts';
import type { Quote } from '../../provider/payments/simple-payment-fields.ts';
import { createMac } from '../../provider/mac.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { anApprovedRun } from '../store/a-stored-run.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
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

/** The state of an approved row after the provider has answered with this quote. */
async function stateAfterQuote(
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
    macOf: () => createMac('default', 'secret'),
    dataKeys: TEST_DATA_KEYS,
    now: Date.now,
  } as unknown as ActivityDependencies;
  await asActivity(() => requestQuoteActivity(dependencies)({ paymentId, isLast: true }));
  return (await readPayment(testDatabase.database, paymentId)).state;
}

test('a quote for what was approved is used', async () => {
  expect(await stateAfterQuote({})).toBe('quoted');
});

test.each([
  ['beneficiary', { beneficiaryId: 'another' }],
  ['amount', { sellAmount: '101.01' }],
  ['currency', { sellCurrency: 'EUR' }],
  ['currency to receive', { buyCurrency: 'EUR' }],
])('a quote for another %s holds the row', async (_what, answer) => {
  expect(await stateAfterQuote(answer)).toBe('held');
});

test('a quote with fees beyond the limit holds the row', async () => {
  expect(await stateAfterQuote({ totalAmount: '130.00' })).toBe('held');
});

test('a quote that wants documents holds a row without any', async () => {
  expect(await stateAfterQuote({ supportingDocumentsRequired: true })).toBe('held');
});

/** Records an earlier create request that was refused since its reference is taken, and that a lookup did not find. */
const recordUncertainCreation = (paymentId: string) =>
  testDatabase.database.query(
    `insert into provider_requests (account, payment_id, attempt, operation, non_idempotent, answered_at, outcome, answer)
     select account, payment_id, attempt, 'create', true, now(), 'not_seen', 'duplicate_reference' from payments where payment_id = $1`,
    [paymentId],
  );

test.each([
  ['a quote with fees beyond the limit', { totalAmount: '130.00' }],
  ['a quote for another amount', { sellAmount: '101.01' }],
])('%s does not hold a row that the provider may have: it is unknown', async (_what, answer) => {
  expect(await stateAfterQuote(answer, recordUncertainCreation)).toBe('unknown');
});

test('a change of the approved content does not hold a row that the provider may have: it is unknown', async () => {
  const changeContent = async (paymentId: string) => {
    await recordUncertainCreation(paymentId);
    await bypassTriggers(testDatabase.database, `update payments set row_hash = 'other' where payment_id = $1`, [
      paymentId,
    ]);
  };
  expect(await stateAfterQuote({}, changeContent)).toBe('unknown');
});

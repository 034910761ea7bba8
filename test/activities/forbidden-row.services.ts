import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createBeneficiaryActivity } from '../../activities/beneficiaries/create-beneficiary.ts';
import { readPayment } from '../../store/payments/payments.ts';
import type { Reply } from '../provider/local-provider.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { anApprovedPayment } from './an-approved-payment.ts';
import { anEarlierRequest, aQuotedPayment, stepsAnswered } from './steps-answered.ts';

/** An HTTP 403 is about the credentials or about one row. */

const FORBIDDEN: Reply = { status: 403, body: { code: 'forbidden', message: 'Forbidden' } };

let testDatabase: TestDatabase;
/** The provider's answer to the next creation of a beneficiary. */
let reply: Reply;
let create: (paymentId: string) => Promise<string>;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(async () => {
  const { dependencies } = await stepsAnswered(testDatabase, () => reply);
  const activity = createBeneficiaryActivity(dependencies);
  const context = { cancellationSignal: new AbortController().signal, info: { attempt: 5 } } as unknown as Context;
  create = (paymentId) =>
    asyncLocalStorage
      .run(context, () => activity({ paymentId }))
      .then(
        (outcome) => (outcome.kind === 'ended' ? outcome.state : outcome.kind),
        (error: unknown) => (error as { type: string }).type,
      );
});
afterAll(() => testDatabase.drop());

async function forbid(paymentId: string): Promise<string> {
  reply = FORBIDDEN;
  return create(paymentId);
}

/** The provider creates the beneficiary of another payment. */
async function serveAnother(): Promise<void> {
  reply = { body: { data: { beneficiaryId: `of-another-${Math.random()}` } } };
  const { paymentId } = await anApprovedPayment(testDatabase);
  expect(await create(paymentId)).toBe('ready');
}

test('a 403 for every row rejects no row, however often it is repeated', async () => {
  const { paymentId: quoted } = await aQuotedPayment(testDatabase);
  await anEarlierRequest(testDatabase, quoted, 'create', 'took_effect', 'as_asked');
  await serveAnother();
  const rows = [await anApprovedPayment(testDatabase), await anApprovedPayment(testDatabase)];
  for (let times = 0; times < 5; times += 1) {
    for (const { paymentId } of rows) expect(await forbid(paymentId)).toBe('provider_unauthenticated');
  }
  for (const { paymentId } of rows) expect((await readPayment(testDatabase.asWorker, paymentId)).state).toBe('ready');
});

test('a 403 that ends and occurs once more rejects no row', async () => {
  const { paymentId } = await anApprovedPayment(testDatabase);
  for (let times = 0; times < 3; times += 1) await forbid(paymentId);
  await serveAnother();
  expect(await forbid(paymentId)).toBe('provider_unauthenticated');
});

test('a 403 that is repeated for one row, while others are served in between, rejects that row', async () => {
  const { paymentId } = await anApprovedPayment(testDatabase);
  expect(await forbid(paymentId)).toBe('provider_unauthenticated');
  await serveAnother();
  expect(await forbid(paymentId)).toBe('provider_unauthenticated');
  await serveAnother();
  expect(await forbid(paymentId)).toBe('rejected');
});

test('a 403 for one row, while others are served by other operations, does not reject it', async () => {
  const { paymentId } = await anApprovedPayment(testDatabase);
  const { paymentId: quoted } = await aQuotedPayment(testDatabase);
  for (let times = 0; times < 4; times += 1) {
    expect(await forbid(paymentId)).toBe('provider_unauthenticated');
    await anEarlierRequest(testDatabase, quoted, 'create', 'not_seen', 'as_asked');
  }
});

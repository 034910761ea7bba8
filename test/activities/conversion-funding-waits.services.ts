import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CONVERSION_PAUSES_MS } from '../../config/durations.ts';
import { pauseAfter } from '../../domain/doubling-pauses.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { findOrderView } from '../../store/treasury/order-views.ts';
import { beginFunding, readOpenOrderRequest, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { conversionWorker, type ProviderAnswers } from '../helpers/conversion-worker.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aCreatedOrder, fundingUnanswered, readEvidence } from '../store/a-created-order.ts';
import { anOrder, stateOf } from '../store/a-stored-order.ts';
import { LedgerWorld } from '../store/ledger-world.ts';
import { timePasses } from '../store/time-passes.ts';

/** A created conversion that is not funded at once goes on as soon as it may, or people are notified after a day. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;
let world: LedgerWorld;
let orderId: string;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());

beforeEach(async () => {
  world = new LedgerWorld(testDatabase, anOrder().sellCurrency);
  world.change(5000);
  await world.readHistory();
  const expiresAt = new Date(Date.now() + 7 * 24 * HOUR).toISOString();
  const values = { sellCurrency: world.currency, buyCurrency: 'SGD', expiresAt };
  ({ orderId } = await aCreatedOrder(testDatabase, { treasurer, checker }, values));
});

const worker = (answers: Partial<ProviderAnswers> = {}) =>
  conversionWorker(testDatabase, { item: () => ({ status: 'awaiting_funds', fundingCutoffTime: null }), ...answers });
const state = () => stateOf(testDatabase, orderId);

/** Plays the loop of the workflow while it looks for the debit. Answers the step that is not one of it, and when it comes. */
async function lookForDebit(pauses: { firstMs: number; maxMs: number }, forMs: number) {
  let [passedMs, idle] = [0, 0];
  for (;;) {
    const plan = await worker().stage({ orderId });
    if (plan.step !== 'find_out_funding' || passedMs > forMs) return { step: plan.step, passedMs };
    await readEvidence(testDatabase, world);
    await worker().read({ orderId });
    const judged = await worker().judge({ orderId });
    idle = judged.state === plan.state ? idle + 1 : 0;
    if (idle === 0 || judged.isToBeFunded) continue;
    const pauseMs = Math.min(pauseAfter(idle, pauses), plan.waitMs);
    await timePasses(testDatabase, pauseMs);
    passedMs += pauseMs;
  }
}

test.each([CONVERSION_PAUSES_MS.maxMs, 3 * MINUTE, 20 * MINUTE])(
  'one whose request was lost is funded once more, with pauses of up to %i ms',
  async (maxMs) => {
    await fundingUnanswered(testDatabase, orderId);
    const { step, passedMs } = await lookForDebit({ firstMs: CONVERSION_PAUSES_MS.firstMs, maxMs }, 2 * HOUR);
    expect([step, await state()]).toEqual(['fund', 'funding']);
    expect(passedMs).toBeGreaterThanOrEqual(10 * MINUTE);
    expect(await beginFunding(testDatabase.asWorker, orderId)).toEqual({ requestId: expect.any(String) as string });
  },
  60_000,
);

test('one whose debit may be that of a payment is for people after a day', async () => {
  await fundingUnanswered(testDatabase, orderId);
  await world.approveRun([1000]);
  const paymentId = world.runs[0]?.paymentIds[0] ?? '';
  await world.create(paymentId, 2.5, 'took_effect');
  expect(await world.fund(paymentId, 'answered')).toBe('funded');
  await lookForDebit({ firstMs: 2 * HOUR, maxMs: 2 * HOUR }, 30 * HOUR);
  expect(await findOrderView(testDatabase.asServer, orderId)).toMatchObject({
    ...{ state: 'unknown', stateReason: 'funding_uncertain' },
  });
});

test('one of which nothing more can be read is for people after a day', async () => {
  await fundingUnanswered(testDatabase, orderId);
  await readEvidence(testDatabase, world);
  await timePasses(testDatabase, 23 * HOUR);
  await worker().judge({ orderId });
  expect(await state()).toBe('funding');
  await timePasses(testDatabase, 1.1 * HOUR);
  await worker().judge({ orderId });
  expect(await state()).toBe('unknown');
});

test('one that no request gets through for is for people after a day', async () => {
  const failure = new ProviderFailure({
    ...{ operation: 'conversion-fund', kind: 'unauthenticated', reason: 'not authenticated', httpStatus: 401 },
  });
  const fund = () => worker({ fund: () => Promise.reject(failure) }).fund({ orderId });
  await expect(fund()).rejects.toMatchObject({ type: 'provider_unauthenticated' });
  expect(await state()).toBe('funding');
  await timePasses(testDatabase, 25 * HOUR);
  // It is read before another request, which fails as well.
  expect(await worker().stage({ orderId })).toMatchObject({ step: 'find_out_funding' });
  expect(await worker().judge({ orderId })).toMatchObject({ state: 'unknown' });
});

test.each([
  ['lost', 'unknown_outcome', null],
  ['a refusal', 'refused', 409],
] as const)('one whose answer is %s keeps its request open, and sends no other', async (_, kind, httpStatus) => {
  let sent = 0;
  const failure = new ProviderFailure({ operation: 'conversion-fund', kind, reason: 'not known', httpStatus });
  const fund = () => {
    sent += 1;
    throw failure;
  };
  await worker({ fund }).fund({ orderId });
  expect(await readOpenOrderRequest(testDatabase.asWorker, orderId, 'fund')).not.toBeNull();
  expect(await beginFunding(testDatabase.asWorker, orderId)).toEqual({ refused: 'state' });
  expect(sent).toBe(1);
});

test('one that is funded after its request was closed is for people, with the answer in the audit trail', async () => {
  const { asWorker, database } = testDatabase;
  const fund = async () => {
    const open = await readOpenOrderRequest(asWorker, orderId, 'fund');
    const had = { outcome: 'not_seen', answer: 'unknown_outcome', httpStatus: null } as const;
    await recordOrderAnswer(asWorker, { requestId: open?.requestId ?? '', ...had });
    return { status: 'awaiting_funds' };
  };
  await worker({ fund }).fund({ orderId });
  const { rows } = await database.query<{ detail: unknown }>(
    `select detail from audit_entries where kind = 'conversion_answered' and detail ->> 'order' = $1
     and detail ->> 'operation' = 'fund' order by entry_id desc limit 1`,
    [orderId],
  );
  expect(rows[0]?.detail).toMatchObject({ outcome: 'took_effect', recordedBefore: 'not_seen' });
  expect(await state()).toBe('unknown');
});

describe('one whose debit the ledger has posted, although no request is known to have been sent', () => {
  beforeEach(async () => {
    const begun = await beginFunding(testDatabase.asWorker, orderId);
    if (!('requestId' in begun)) throw new Error(begun.refused);
    const unsent = { outcome: 'not_sent', answer: 'rate_limited', httpStatus: 429 } as const;
    await recordOrderAnswer(testDatabase.asWorker, { requestId: begun.requestId, ...unsent });
    world.change(-1002.5, { isOurs: true });
    await world.readHistory();
  });

  test('is read, and goes on when it is completed', async () => {
    expect(await worker().stage({ orderId })).toMatchObject({ state: 'funding', step: 'read' });
    await worker().read({ orderId });
    expect(await state()).toBe('funding');
    await worker({ item: () => ({ status: 'completed', fundingCutoffTime: null }) }).read({ orderId });
    expect(await state()).toBe('completed');
  });

  test('is for people after a day', async () => {
    await timePasses(testDatabase, 25 * HOUR);
    await worker().read({ orderId });
    expect(await state()).toBe('unknown');
  });

  test('is for people at its cut-off, and has not lapsed', async () => {
    const fundingCutoffTime = { epochMs: Date.now() - 1_000 };
    await worker({ item: () => ({ status: 'awaiting_funds', fundingCutoffTime }) }).read({ orderId });
    expect(await state()).toBe('unknown');
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { readOpenMetrics } from '../../store/metrics/stored-metrics.ts';
import { decideOrderAs, type OrderManualOutcomeKind } from '../../store/treasury/order-decisions.ts';
import { beginCreation, readOpenOrderRequest, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { listOrderManualOutcomes } from '../../store/treasury/order-views.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { readOrder } from '../../store/treasury/orders.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { conversionWorker } from '../helpers/conversion-worker.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aCreatedOrder, confirmedManualOutcome, fundingUnanswered } from '../store/a-created-order.ts';
import { aQuotedOrder, stateOf } from '../store/a-stored-order.ts';

/** Orders that wait for the provider have an age at which people are notified, and an end. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());

/** Funded by an answer, or by what the history shows alone; some hours ago. */
async function funded(hoursAgo: number, by: 'answer' | 'history', cutoffHours: number | null = null): Promise<string> {
  const { asWorker, database } = testDatabase;
  const { orderId } = await aCreatedOrder(testDatabase, { treasurer, checker });
  await fundingUnanswered(testDatabase, orderId);
  const open = await readOpenOrderRequest(asWorker, orderId, 'fund');
  const answer = by === 'answer' ? 'as_asked' : 'unknown_outcome';
  const requestId = open?.requestId ?? '';
  await recordOrderAnswer(asWorker, { requestId, outcome: 'took_effect', answer, httpStatus: null });
  await moveOrder(asWorker, orderId, 'funded', { isFunded: true });
  await bypassTriggers(
    database,
    `update conversion_orders set funded_at = now() - make_interval(hours => $2),
       funding_cutoff_at = now() + make_interval(hours => $3) where order_id = $1`,
    [orderId, hoursAgo, cutoffHours],
  );
  return orderId;
}

const unreadable = (): never => {
  throw new Error('the provider does not answer');
};
const awaiting = () => ({ status: 'awaiting_funds', fundingCutoffTime: null });

async function resolve(orderId: string, outcome: OrderManualOutcomeKind): Promise<void> {
  const manualOutcomeId = await confirmedManualOutcome(testDatabase, { treasurer, checker }, orderId, outcome);
  await conversionWorker(testDatabase, { item: awaiting }).resolve({ manualOutcomeId });
}

describe('a funded order that the provider does not show as completed', () => {
  test.each([
    ['is for people after a day', 25, 'answer', null, 'unknown'],
    ['waits before that', 23, 'answer', null, 'funded'],
    ['waits past its cut-off if the provider has said that it is funded', 1, 'answer', -1, 'funded'],
    ['is for people past its cut-off if only the history says that it is funded', 1, 'history', -1, 'unknown'],
    ['waits before its cut-off', 1, 'history', 1, 'funded'],
  ] as const)('%s', async (_, hoursAgo, by, cutoffHours, expected) => {
    const orderId = await funded(hoursAgo, by, cutoffHours);
    await conversionWorker(testDatabase, { item: awaiting }).read({ orderId });
    const { state, stateReason } = await readOrder(testDatabase.asWorker, orderId);
    expect([state, stateReason]).toEqual([expected, expected === 'unknown' ? 'completion_not_seen' : null]);
  });

  test('is for people after a day also if it cannot be read', async () => {
    const orderId = await funded(25, 'answer');
    await expect(conversionWorker(testDatabase, { item: unreadable }).read({ orderId })).rejects.toThrow();
    expect(await stateOf(testDatabase, orderId)).toBe('unknown');
  });

  test('waits on when two people say that it is funded', async () => {
    const orderId = await funded(25, 'history', -1);
    const { read, stage } = conversionWorker(testDatabase, { item: awaiting });
    await read({ orderId });
    expect(await stage({ orderId })).toMatchObject({ state: 'unknown', step: 'read' });
    await resolve(orderId, 'funded');
    await read({ orderId });
    expect(await stateOf(testDatabase, orderId)).toBe('funded');
  });

  test('ends as lapsed when two people say so, and is not funded again', async () => {
    const orderId = await funded(25, 'history');
    await conversionWorker(testDatabase, { item: awaiting }).read({ orderId });
    await expect(resolve(orderId, 'fund_again')).rejects.toMatchObject({ code: 'conflict' });
    await resolve(orderId, 'lapsed');
    expect(await stateOf(testDatabase, orderId)).toBe('lapsed');
  });
});

describe('a completed order whose bought money did not come exactly', () => {
  const completed = () => ({ status: 'completed', fundingCutoffTime: null });

  test('is ended by two people, and by no other outcome', async () => {
    const orderId = await funded(1, 'answer');
    const { read, resolve: conclude } = conversionWorker(testDatabase, { item: completed });
    await read({ orderId });
    expect(await stateOf(testDatabase, orderId)).toBe('completed');
    await moveOrder(testDatabase.asWorker, orderId, 'unknown', { reason: 'credit_not_seen' });
    for (const [outcome, state] of [
      ['lapsed', 'completed'],
      ['settled', 'settled'],
    ] as const) {
      const { asWorker } = testDatabase;
      const manualOutcomeId = await confirmedManualOutcome(testDatabase, { treasurer, checker }, orderId, outcome);
      // The evidence is read before, and shows the conversion as completed.
      await read({ orderId });
      await conclude({ manualOutcomeId });
      expect(await stateOf(testDatabase, orderId)).toBe(state);
      if (state === 'completed') await moveOrder(asWorker, orderId, 'unknown', { reason: 'credit_not_seen' });
    }
    const { rows } = await testDatabase.database.query(
      'select ended_at is not null as ended from conversion_orders where order_id = $1',
      [orderId],
    );
    expect(rows).toEqual([{ ended: true }]);
  });

  test('is not settled by people before it was funded', async () => {
    const { orderId } = await aCreatedOrder(testDatabase, { treasurer, checker });
    await fundingUnanswered(testDatabase, orderId);
    await moveOrder(testDatabase.asWorker, orderId, 'unknown', { reason: 'funding_uncertain' });
    await expect(resolve(orderId, 'settled')).rejects.toMatchObject({ code: 'conflict' });
  });
});

async function committed(hoursAgo: number): Promise<string> {
  const { orderId } = await aQuotedOrder(testDatabase, { treasurer, checker });
  await beginCreation(testDatabase.asWorker, orderId);
  await bypassTriggers(
    testDatabase.database,
    'update conversion_requests set begun_at = now() - make_interval(hours => $2) where order_id = $1',
    [orderId, hoursAgo],
  );
  return orderId;
}

const shown = (orderId: string, parts: object = {}) => ({
  ...{ conversionId: `c-${orderId}`, status: 'awaiting_funds', fundingCutoffTime: null, fixedSide: 'sell' },
  ...{ sellAmount: '1000.00', buyAmount: '900.00', totalAmount: '1002.50', totalFees: '2.50' },
  referenceId: referenceIdOf(orderId, 1),
  ...parts,
});

describe('a creation whose outcome is unknown', () => {
  test.each([
    [25, 'unknown', 'creation_uncertain'],
    [23, 'committed', null],
  ] as const)('that cannot be looked up for %i hours is %s', async (hoursAgo, state, reason) => {
    const orderId = await committed(hoursAgo);
    await conversionWorker(testDatabase, { ours: unreadable })
      .resolveCreation({ orderId })
      .catch(() => undefined);
    expect(await readOrder(testDatabase.asWorker, orderId)).toMatchObject({ state, stateReason: reason });
  });

  test.each([
    [1, 'committed', null],
    [25, 'unknown', 'creation_uncertain'],
  ] as const)('that is found with a status that nobody knows is %i hours later %s', async (hoursAgo, state, reason) => {
    const orderId = await committed(hoursAgo);
    const { sellCurrency, buyCurrency } = (await readOrder(testDatabase.asWorker, orderId)).terms;
    const ours = () => [shown(orderId, { sellCurrency, buyCurrency, status: 'under_a_stone' })];
    const looked = conversionWorker(testDatabase, { ours }).resolveCreation({ orderId });
    if (state === 'committed') await expect(looked).rejects.toMatchObject({ type: 'status_not_known' });
    else await looked;
    expect(await readOrder(testDatabase.asWorker, orderId)).toMatchObject({ state, stateReason: reason });
    expect(await readOpenOrderRequest(testDatabase.asWorker, orderId, 'create')).not.toBeNull();
  });

  async function uncertain(): Promise<{ orderId: string; currencies: object }> {
    const orderId = await committed(25);
    await moveOrder(testDatabase.asWorker, orderId, 'unknown', { reason: 'creation_uncertain' });
    const { sellCurrency, buyCurrency } = (await readOrder(testDatabase.asWorker, orderId)).terms;
    return { orderId, currencies: { sellCurrency, buyCurrency } };
  }

  test.each([
    ['found_late', {}],
    ['created_differs', { buyAmount: '899.00' }],
  ] as const)(
    'of which one conversion is found later is held as %s, by itself or against what people say',
    async (stateReason, parts) => {
      const one = await uncertain();
      const ours = () => [shown(one.orderId, { ...one.currencies, ...parts })];
      const worker = conversionWorker(testDatabase, { ours });
      expect(await worker.stage({ orderId: one.orderId })).toMatchObject({ step: 'resolve_creation' });
      await worker.resolveCreation({ orderId: one.orderId });
      expect(await readOrder(testDatabase.asWorker, one.orderId)).toMatchObject({ state: 'held', stateReason });

      const { orderId, currencies } = await uncertain();
      const { asServer } = testDatabase;
      const manualOutcomeId = await confirmedManualOutcome(
        testDatabase,
        { treasurer, checker },
        orderId,
        'never_created',
      );
      const other = conversionWorker(testDatabase, { ours: () => [shown(orderId, { ...currencies, ...parts })] });
      await other.resolve({ manualOutcomeId });
      expect(await readOrder(testDatabase.asWorker, orderId)).toMatchObject({
        state: 'held',
        stateReason,
        conversionId: `c-${orderId}`,
      });
      expect((await listOrderManualOutcomes(asServer, orderId))[0]?.state).toBe('contradicted');
    },
  );

  test('of which several are found, or none, stays with people', async () => {
    const { orderId, currencies } = await uncertain();
    const several = () => [shown(orderId, currencies), shown(orderId, { ...currencies, conversionId: 'another' })];
    await conversionWorker(testDatabase, { ours: several }).resolveCreation({ orderId });
    await conversionWorker(testDatabase, { ours: () => [] }).resolveCreation({ orderId });
    expect(await stateOf(testDatabase, orderId)).toBe('unknown');
    expect(await readOpenOrderRequest(testDatabase.asWorker, orderId, 'create')).not.toBeNull();
  });

  test('counts among the requests without an outcome', async () => {
    await committed(30);
    const open = (await readOpenMetrics(testDatabase.asServer)).find(({ name }) => name === 'open_requests');
    expect(open?.count).toBeGreaterThanOrEqual(1);
    expect(open?.oldestSeconds).toBeGreaterThanOrEqual(30 * 3_600);
  });
});

describe('an order whose creation was not seen', () => {
  async function notSeen(): Promise<string> {
    const orderId = await committed(1);
    await conversionWorker(testDatabase, { ours: () => [] }).resolveCreation({ orderId });
    expect(await stateOf(testDatabase, orderId)).toBe('approved');
    return orderId;
  }
  const UNCERTAIN = { state: 'unknown', stateReason: 'creation_uncertain' };

  test.each(['expired', 'skipped'] as const)('does not end as %s: the provider may have it', async (ended) => {
    const orderId = await notSeen();
    await moveOrder(testDatabase.asWorker, orderId, ended, { reason: 'order_expired' });
    expect(await readOrder(testDatabase.asWorker, orderId)).toMatchObject(UNCERTAIN);
    const { rows } = await testDatabase.database.query(
      `select detail ->> 'state' as state, detail ->> 'reason' as reason from audit_entries
       where kind = 'conversion_moved' and detail ->> 'order' = $1 order by entry_id desc limit 1`,
      [orderId],
    );
    expect(rows).toEqual([{ state: 'unknown', reason: 'creation_uncertain' }]);
  });

  test('is not ended by one person', async () => {
    const orderId = await notSeen();
    const { orderHash } = await readOrder(testDatabase.asWorker, orderId);
    const rejection = { orderId, decision: 'rejected', orderHash, reason: 'x' } as const;
    await decideOrderAs(testDatabase.asServer, checker.tokenHash, rejection);
    expect(await readOrder(testDatabase.asWorker, orderId)).toMatchObject(UNCERTAIN);
  });

  test.each(['expired', 'withdrawn'] as const)(
    'is held, and not funded, when the provider shows its conversion after it was %s',
    async (how) => {
      const orderId = await notSeen();
      const { orderHash, terms } = await readOrder(testDatabase.asWorker, orderId);
      if (how === 'expired') await moveOrder(testDatabase.asWorker, orderId, 'expired', { reason: 'order_expired' });
      else {
        const withdrawal = { orderId, decision: 'withdrawn', orderHash, reason: 'no longer wanted' } as const;
        await decideOrderAs(testDatabase.asServer, treasurer.tokenHash, withdrawal);
      }
      const { sellCurrency, buyCurrency } = terms;
      const ours = () => [shown(orderId, { sellCurrency, buyCurrency })];
      const worker = conversionWorker(testDatabase, { ours });
      await worker.resolveCreation({ orderId });
      expect(await readOrder(testDatabase.asWorker, orderId)).toMatchObject({
        state: 'held',
        stateReason: 'found_late',
      });
      await worker.fund({ orderId });
      expect(await stateOf(testDatabase, orderId)).toBe('held');
    },
  );

  test('ends when two people say that it was never created', async () => {
    const orderId = await notSeen();
    await moveOrder(testDatabase.asWorker, orderId, 'expired', { reason: 'order_expired' });
    const manualOutcomeId = await confirmedManualOutcome(
      testDatabase,
      { treasurer, checker },
      orderId,
      'never_created',
    );
    await conversionWorker(testDatabase, { ours: () => [] }).resolve({ manualOutcomeId });
    expect(await stateOf(testDatabase, orderId)).toBe('rejected');
  });
});

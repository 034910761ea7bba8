import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { beginFunding, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { conversionWorker, type ProviderAnswers } from '../helpers/conversion-worker.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aCreatedOrder } from '../store/a-created-order.ts';
import { stateOf } from '../store/a-stored-order.ts';

/** An order is not held while a request to fund it is in flight: what became of the request comes first. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;
let orderId: string;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  ({ orderId } = await aCreatedOrder(testDatabase, { treasurer, checker }));
});

const shown = (status: string) => ({ status, fundingCutoffTime: null });
const worker = (answers: Partial<ProviderAnswers> = {}) =>
  conversionWorker(testDatabase, { item: () => shown('awaiting_funds'), ...answers });
const state = () => stateOf(testDatabase, orderId);
const set = (values: string) =>
  bypassTriggers(testDatabase.database, `update conversion_orders set ${values} where order_id = $1`, [orderId]);

const CHANGES = [
  ['the approval covers less', 'approval_covers = 1'],
  ['its terms are not those that were approved', `order_hash = 'another'`],
] as const;

describe.each(CHANGES)('an order of which %s', (_, change) => {
  test('is held before a request is sent', async () => {
    await set(change);
    expect(await worker().fund({ orderId })).toEqual({ state: 'held' });
  });

  test('is not held by a second worker while the request of the first is in flight, and is funded', async () => {
    let meanwhile = '';
    const fund = async () => {
      await set(change);
      meanwhile = (await worker().fund({ orderId })).state;
      return shown('awaiting_funds');
    };
    expect(await worker({ fund }).fund({ orderId })).toEqual({ state: 'funded' });
    expect(meanwhile).toBe('funding');
  });
});

test.each([
  ['held', `state = 'held', state_reason = 'order_not_as_approved'`],
  ['unknown', `state = 'unknown', state_reason = 'funding_uncertain'`],
  ['called lapsed', `state = 'lapsed', state_reason = 'cutoff_passed', ended_at = clock_timestamp()`],
])('one that was %s while its request was in flight is funded when the provider says so', async (_, change) => {
  const fund = async () => {
    await set(change);
    return shown('awaiting_funds');
  };
  expect(await worker({ fund }).fund({ orderId })).toEqual({ state: 'funded' });
});

test('one that is held although a request has taken effect is read, and goes on when it is completed', async () => {
  const begun = await beginFunding(testDatabase.asWorker, orderId);
  if (!('requestId' in begun)) throw new Error(begun.refused);
  const { requestId } = begun;
  const taken = { outcome: 'took_effect', answer: 'as_asked', httpStatus: 200 } as const;
  await recordOrderAnswer(testDatabase.asWorker, { requestId, ...taken });
  await set(`state = 'held', state_reason = 'order_not_as_approved'`);
  expect(await worker().stage({ orderId })).toMatchObject({ state: 'held', step: 'read' });
  await worker({ item: () => shown('completed') }).read({ orderId });
  expect(await state()).toBe('completed');
});

test('a worker is told of the request in flight first, whatever else speaks against another one', async () => {
  await beginFunding(testDatabase.asWorker, orderId);
  await set('approval_covers = 1');
  expect(await beginFunding(testDatabase.asWorker, orderId)).toEqual({ refused: 'state' });
});

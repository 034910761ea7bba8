import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { fundConversionActivity } from '../../activities/treasury/fund-conversion.ts';
import { hasValidConversionMac, macConversion } from '../../activities/treasury/order-calls.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { createMac } from '../../provider/mac.ts';
import { readOrder } from '../../store/treasury/orders.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { conversionWorker } from '../helpers/conversion-worker.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aCreatedOrder, confirmedManualOutcome, readEvidence } from '../store/a-created-order.ts';
import { anOrder } from '../store/a-stored-order.ts';
import { LedgerWorld } from '../store/ledger-world.ts';

/** The secret of the account is rotated between the creation of a conversion and its funding. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());

const BEFORE = createMac('default', 'the old secret');
const AFTER = createMac('default', 'the new secret');

let world: LedgerWorld;
let orderId: string;
/** What the provider shows: exactly the conversion that was created. */
let shown: Record<string, unknown>;
let fundings: number;
let readings: number;

beforeEach(async () => {
  const { sellCurrency } = anOrder();
  world = new LedgerWorld(testDatabase, sellCurrency);
  world.change(5000);
  await world.readHistory();
  ({ orderId } = await aCreatedOrder(testDatabase, { treasurer, checker }, { sellCurrency, buyCurrency: 'SGD' }));
  await set('conversion_mac', macConversion(BEFORE, await stored(), orderId));
  shown = {
    ...{ conversionId: orderId, referenceId: referenceIdOf(orderId, 1), status: 'awaiting_funds' },
    ...{ sellCurrency, buyCurrency: 'SGD', fixedSide: 'sell', sellAmount: '1000.00', buyAmount: '900.00' },
    ...{ totalAmount: '1002.50', totalFees: '2.50', fundingCutoffTime: null },
  };
  fundings = 0;
  readings = 0;
});

const stored = () => readOrder(testDatabase.asWorker, orderId);

const set = (
  column: 'conversion_mac' | 'conversion_id' | 'sell_amount' | 'total_amount' | 'shown',
  value: string,
): Promise<unknown> =>
  bypassTriggers(testDatabase.database, `update conversion_orders set ${column} = $2 where order_id = $1`, [
    orderId,
    value,
  ]);

/** The state after it, and the reason. */
async function fund({ mac = AFTER, item = () => shown } = {}): Promise<[string, string | null]> {
  const conversions = {
    item: () => {
      readings += 1;
      return Promise.resolve().then(item);
    },
    fund: () => {
      fundings += 1;
      return Promise.resolve(shown);
    },
  };
  const fundConversion = fundConversionActivity({
    ...{ database: testDatabase.asWorker, provider: () => ({ conversions }), macOf: () => mac },
    ...{ now: Date.now, monotonicNow: () => 0 },
  } as unknown as ActivityDependencies);
  await new MockActivityEnvironment().run(fundConversion, { orderId });
  const { state, stateReason } = await stored();
  return [state, stateReason];
}

async function twoPeopleHaveItFunded(): Promise<string> {
  const manualOutcomeId = await confirmedManualOutcome(testDatabase, { treasurer, checker }, orderId, 'fund_again');
  await readEvidence(testDatabase, world);
  return (await conversionWorker(testDatabase, { item: () => shown }).resolve({ manualOutcomeId })).state;
}

const HELD = ['held', 'order_not_as_approved'];

function refusal(httpStatus: number): ProviderFailure {
  return new ProviderFailure({ operation: 'conversion-get', kind: 'refused', reason: 'refused', httpStatus });
}

describe('a conversion whose MAC is by the secret before', () => {
  test('is funded once the provider has shown that it is the one that was created, and has a valid MAC again', async () => {
    expect(await fund()).toEqual(['funded', null]);
    expect([fundings, readings]).toEqual([1, 1]);
    expect(hasValidConversionMac(AFTER, await stored())).toBe(true);
  });

  test('is funded when two people say so of one that is held', async () => {
    await bypassTriggers(
      testDatabase.database,
      `update conversion_orders set state = 'held', state_reason = 'order_not_as_approved' where order_id = $1`,
      [orderId],
    );
    expect(await twoPeopleHaveItFunded()).toBe('funding');
    expect(await fund()).toEqual(['funded', null]);
    expect(fundings).toBe(1);
  });

  test('is not read again while the secret is the same', async () => {
    expect(await fund({ mac: BEFORE })).toEqual(['funded', null]);
    expect([fundings, readings]).toEqual([1, 0]);
  });

  test.each([
    ['another reference', { referenceId: 'another' }],
    ['no reference', { referenceId: null }],
    ['another currency', { buyCurrency: 'CHF' }],
    ['another fixed side', { fixedSide: 'buy' }],
    ['another total', { totalAmount: '1002.51' }],
    ['a smaller amount bought', { buyAmount: '899.99' }],
    ['no total', { totalAmount: null }],
    ['another id', { conversionId: 'another' }],
  ])('is held, and not funded, if the provider shows it with %s', async (_, difference) => {
    shown = { ...shown, ...difference };
    expect(await fund()).toEqual(HELD);
    expect(fundings).toBe(0);
  });

  test('is held if the provider has none of that id, and stays so when two people have it funded', async () => {
    await set('conversion_id', 'of-somebody');
    const item = (): never => {
      throw refusal(404);
    };
    expect(await fund({ item })).toEqual(HELD);
    await twoPeopleHaveItFunded();
    expect(await fund({ item })).toEqual(HELD);
    expect(fundings).toBe(0);
  });

  const SMALLER = { sellAmount: '900.00', totalAmount: '902.50' };

  test('is held if somebody has written the amounts of another one into the database', async () => {
    await set('sell_amount', SMALLER.sellAmount);
    await set('total_amount', SMALLER.totalAmount);
    shown = { ...shown, ...SMALLER };
    expect(await fund()).toEqual(HELD);
    expect(fundings).toBe(0);
  });

  test('is funded with other amounts if two people have accepted them', async () => {
    shown = { ...shown, ...SMALLER };
    await set('shown', JSON.stringify(shown));
    expect(await fund()).toEqual(HELD);
    expect(await twoPeopleHaveItFunded()).toBe('funding');
    expect(await fund()).toEqual(['funded', null]);
    expect(fundings).toBe(1);
  });

  test.each([
    ['an error', { kind: 'unknown_outcome', httpStatus: 500 }],
    ['refused credentials', { kind: 'unauthenticated', httpStatus: 401 }],
    ['a refusal that may be about the credentials', { kind: 'refused', httpStatus: 403 }],
  ] as const)('is for people after a day if every read of it ends in %s', async (_, answer) => {
    const item = (): never => {
      throw new ProviderFailure({ operation: 'conversion-get', reason: 'unreadable', ...answer });
    };
    const createdAgo = (hours: number) =>
      bypassTriggers(
        testDatabase.database,
        'update conversion_orders set created_at = now() - make_interval(hours => $2) where order_id = $1',
        [orderId, hours],
      );
    await createdAgo(23);
    await expect(fund({ item })).rejects.toThrow('unreadable');
    expect(await stored()).toMatchObject({ state: 'created' });
    await createdAgo(25);
    await expect(fund({ item })).resolves.toEqual(['unknown', 'funding_uncertain']);
    expect(fundings).toBe(0);
  });

  test('waits while the credentials are refused', async () => {
    const item = (): never => {
      throw refusal(403);
    };
    await expect(fund({ item })).rejects.toThrow('refused');
    expect(await fund()).toEqual(['funded', null]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import {
  confirmOrderManualOutcomeAs,
  type OrderManualOutcomeKind,
  proposeOrderManualOutcomeAs,
} from '../../store/treasury/order-decisions.ts';
import { beginFunding } from '../../store/treasury/order-requests.ts';
import { concludeConversionManualOutcome } from '../../store/treasury/order-manual-outcomes.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { listOrderManualOutcomes } from '../../store/treasury/order-views.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aCreatedOrder, fundingUnanswered } from './a-created-order.ts';
import { anOrder, stateOf } from './a-stored-order.ts';
import { LedgerWorld } from './ledger-world.ts';

/** Two people decide on an order whose debit the history shows by then. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());

async function propose({ orderId }: ConversionOrder, outcome: OrderManualOutcomeKind): Promise<string> {
  const { asServer } = testDatabase;
  return proposeOrderManualOutcomeAs(asServer, treasurer.tokenHash, { orderId, outcome, reason: 'x' });
}

/** Of an order that was funded without an answer, and is unknown since. */
async function unknownOrder(): Promise<{ order: ConversionOrder; world: LedgerWorld }> {
  const { sellCurrency } = anOrder();
  const world = new LedgerWorld(testDatabase, sellCurrency);
  world.change(5000);
  await world.readHistory();
  const order = await aCreatedOrder(testDatabase, { treasurer, checker }, { sellCurrency, buyCurrency: 'SGD' });
  await fundingUnanswered(testDatabase, order.orderId);
  await moveOrder(testDatabase.asWorker, order.orderId, 'unknown', { reason: 'funding_uncertain' });
  return { order, world };
}

describe('an order whose debit came late', () => {
  test('is not funded again, whoever says so', async () => {
    const { order, world } = await unknownOrder();
    const id = await propose(order, 'fund_again');
    world.change(-1002.5, { isOurs: true });
    await world.readHistory();
    await confirmOrderManualOutcomeAs(testDatabase.asServer, checker.tokenHash, id);
    // Also when the history was not read for so long that the ledger does not decide what may be spent.
    await testDatabase.database.query('delete from history_ranges');
    expect(await concludeConversionManualOutcome(testDatabase.asWorker, id, false)).toBe(false);
    expect(await stateOf(testDatabase, order.orderId)).toBe('unknown');
    expect(await beginFunding(testDatabase.asWorker, order.orderId)).toEqual({ refused: 'state' });
  });

  test('is not funded again after people have said so either', async () => {
    const { order, world } = await unknownOrder();
    const id = await propose(order, 'fund_again');
    await confirmOrderManualOutcomeAs(testDatabase.asServer, checker.tokenHash, id);
    expect(await concludeConversionManualOutcome(testDatabase.asWorker, id, false)).toBe(true);
    world.change(-1002.5, { isOurs: true });
    await world.readHistory();
    expect(await beginFunding(testDatabase.asWorker, order.orderId)).toEqual({ refused: 'state' });
  });

  test('closes what people have proposed when payrun finds it', async () => {
    const { order } = await unknownOrder();
    const id = await propose(order, 'fund_again');
    await confirmOrderManualOutcomeAs(testDatabase.asServer, checker.tokenHash, id);
    await moveOrder(testDatabase.asWorker, order.orderId, 'funded', { isFunded: true });
    const [manualOutcome] = await listOrderManualOutcomes(testDatabase.asServer, order.orderId);
    expect(manualOutcome?.state).toBe('contradicted');
    expect(await concludeConversionManualOutcome(testDatabase.asWorker, id, false)).toBe(false);
    expect(await stateOf(testDatabase, order.orderId)).toBe('funded');
  });
});

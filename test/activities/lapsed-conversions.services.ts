import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayOf } from '../../domain/calendar-date.ts';
import { readIncoming } from '../../store/treasury/cash.ts';
import { conversionFacts } from '../../store/treasury/conversion-facts.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { noteConversionNamed, takeOrdersToWake } from '../../store/treasury/order-watch.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { conversionWorker } from '../helpers/conversion-worker.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aCreatedOrder, confirmedManualOutcome, fundingUnanswered, readEvidence } from '../store/a-created-order.ts';
import { aStoredOrder, stateOf } from '../store/a-stored-order.ts';
import { ACCOUNT } from '../store/a-stored-run.ts';
import { LedgerWorld } from '../store/ledger-world.ts';

/** A conversion has ended because its debit was not seen by its cut-off. The provider may carry it out late all the same. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;
let world: LedgerWorld;
let orderId: string;
let pair: { sellCurrency: string; buyCurrency: string };
let shown: string;
let made = 0;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());

/** Each has currencies of its own. Funding was asked for and not answered; it lapsed a moment ago. */
beforeEach(async () => {
  shown = 'awaiting_funds';
  made += 1;
  const letter = String.fromCharCode(64 + made);
  pair = { sellCurrency: `LS${letter}`, buyCurrency: `LB${letter}` };
  world = new LedgerWorld(testDatabase, pair.sellCurrency);
  world.change(5000);
  await world.readHistory();
  ({ orderId } = await aCreatedOrder(testDatabase, { treasurer, checker }, pair));
  await fundingUnanswered(testDatabase, orderId);
  await testDatabase.asWorker.query(
    `update conversion_requests set outcome = 'not_seen' where order_id = $1 and outcome is null`,
    [orderId],
  );
  await moveOrder(testDatabase.asWorker, orderId, 'lapsed', { reason: 'cutoff_passed' });
});

const worker = () =>
  conversionWorker(testDatabase, { item: () => ({ status: shown, fundingCutoffTime: { epochMs: Date.now() - 1 } }) });

const stage = () => worker().stage({ orderId });

async function endedAgo(interval: string): Promise<void> {
  await bypassTriggers(
    testDatabase.database,
    `update conversion_orders set ended_at = ended_at - $2::interval, looked_at = looked_at - $2::interval,
       placed_at = placed_at - $2::interval, woken_at = null where order_id = $1`,
    [orderId, interval],
  );
}

async function woken(): Promise<boolean> {
  const orders = await takeOrdersToWake(testDatabase.asWorker, 3_600_000);
  return orders.some((order) => order.orderId === orderId);
}

const incoming = async () =>
  (await readIncoming(testDatabase.asWorker, ACCOUNT)).filter(({ currency }) => currency === pair.buyCurrency);

const facts = async () => {
  const found = await conversionFacts(testDatabase.asWorker, { account: ACCOUNT, day: dayOf(Date.now()) });
  return found.filter(({ factId }) => factId === `conversion/${orderId}`).map(({ certainty }) => certainty);
};

const committed = async () => (await world.ledger()).conversion;

/** Two people have said so. */
async function saidLapsed(): Promise<void> {
  await bypassTriggers(
    testDatabase.database,
    `update conversion_orders set state = 'unknown', ended_at = null where order_id = $1`,
    [orderId],
  );
  await bypassTriggers(
    testDatabase.database,
    `update conversion_requests set outcome = null, answered_at = answered_at - interval '1 hour'
     where order_id = $1 and operation = 'fund'`,
    [orderId],
  );
  const manualOutcomeId = await confirmedManualOutcome(testDatabase, { treasurer, checker }, orderId, 'lapsed');
  await readEvidence(testDatabase, world);
  await worker().resolve({ manualOutcomeId });
}

describe('a conversion that has lapsed', () => {
  test('is looked at for a week, also when its workflow was lost', async () => {
    expect(await stage()).toMatchObject({ state: 'lapsed', hasEnded: false, step: 'find_out_funding' });
    await endedAgo('6 days');
    expect(await woken()).toBe(true);
    expect(await stage()).toMatchObject({ hasEnded: false });
    await endedAgo('2 days');
    expect(await woken()).toBe(false);
    expect(await stage()).toMatchObject({ hasEnded: true });
  });

  test('is looked at again whenever an event names it', async () => {
    await endedAgo('30 days');
    expect(await stage()).toMatchObject({ hasEnded: true });
    expect(await noteConversionNamed(testDatabase.asServer, ACCOUNT, orderId)).toBe(orderId);
    expect(await stage()).toMatchObject({ hasEnded: false });
  });

  test('is funded once the history shows its debit, although it had lapsed', async () => {
    world.change(-1002.5, { isOurs: true });
    await readEvidence(testDatabase, world);
    await worker().judge({ orderId });
    expect(await stateOf(testDatabase, orderId)).toBe('funded');
  });

  test('is completed once the provider shows it so, with its money still committed, beside the next order of its pair', async () => {
    expect(await committed()).toBe(1002.5);
    await aStoredOrder(testDatabase, treasurer, 'approved', pair);
    shown = 'completed';
    await worker().read({ orderId });
    expect(await stateOf(testDatabase, orderId)).toBe('completed');
    expect(await committed()).toBe(1002.5);
    expect(await incoming()).toMatchObject([{ amount: '900', isExpected: true }]);
    world.change(-1002.5, { isOurs: true });
    await world.readHistory();
    expect(await committed()).toBe(0);
    expect((await world.ledger()).free).toBe(3997.5);
  });

  test('keeps its money committed: a debit that comes late takes that, and nothing that is free', async () => {
    expect(await world.ledger()).toMatchObject({ conversion: 1002.5, free: 3997.5 });
    world.change(-1002.5, { isOurs: true });
    await world.readHistory();
    expect(await world.ledger()).toMatchObject({ conversion: 0, free: 3997.5 });
  });

  test('frees its money after a week without a debit, with an alarm, and commits it again if it is carried out later still', async () => {
    await endedAgo('6 days');
    await world.readHistory();
    expect(await world.ledger()).toMatchObject({ conversion: 1002.5, free: 3997.5 });
    await endedAgo('2 days');
    await world.readHistory();
    expect(await world.ledger()).toMatchObject({ conversion: 0, free: 5000 });
    const { rows } = await testDatabase.database.query('select kind from money_alarms where currency = $1', [
      pair.sellCurrency,
    ]);
    expect(rows).toEqual([{ kind: 'debit_not_found' }]);
    shown = 'completed';
    await worker().read({ orderId });
    expect(await world.ledger()).toMatchObject({ conversion: 1002.5, free: 3997.5 });
  });

  test('whose debit came when its money was free commits nothing a second time', async () => {
    await saidLapsed();
    expect(await committed()).toBe(0);
    world.change(-1002.5, { isOurs: true });
    await world.readHistory();
    shown = 'completed';
    await worker().read({ orderId });
    expect(await committed()).toBe(0);
    expect((await world.ledger()).free).toBe(3997.5);
  });

  test('may still bring its money for a week: nothing is bought in its place, and nobody counts on it', async () => {
    expect(await incoming()).toMatchObject([{ amount: '900', isExpected: false }]);
    await endedAgo('8 days');
    expect(await incoming()).toEqual([]);
  });

  test('brings nothing more when two people have said so', async () => {
    await saidLapsed();
    expect(await stateOf(testDatabase, orderId)).toBe('lapsed');
    expect(await incoming()).toEqual([]);
    expect(await stage()).toMatchObject({ hasEnded: false });
  });

  test('is in the books as what may have moved, and as what did once it is completed', async () => {
    expect(await facts()).toEqual(['possible']);
    shown = 'completed';
    await worker().read({ orderId });
    expect(await facts()).toEqual(['expected']);
  });
});

test('one that nobody has asked to fund frees its money at once', async () => {
  const other = await aCreatedOrder(testDatabase, { treasurer, checker }, { ...pair, sellCurrency: 'LTZ' });
  const { rows } = await testDatabase.database.query<{ committed: string | null }>(
    `update conversion_orders set state = 'lapsed', ended_at = now() where order_id = $1 returning committed_on as committed`,
    [other.orderId],
  );
  expect(rows[0]?.committed).not.toBeNull();
  const after = await testDatabase.database.query('select committed_on from conversion_orders where order_id = $1', [
    other.orderId,
  ]);
  expect(after.rows).toEqual([{ committed_on: null }]);
});

test('one that nobody has asked to fund brings nothing, and is in the books only once it is carried out', async () => {
  await bypassTriggers(
    testDatabase.database,
    `delete from conversion_requests where order_id = $1 and operation = 'fund'`,
    [orderId],
  );
  expect(await stage()).toMatchObject({ hasEnded: false, step: 'read' });
  expect(await incoming()).toEqual([]);
  expect(await facts()).toEqual([]);
  shown = 'completed';
  await worker().read({ orderId });
  expect(await facts()).toEqual(['expected']);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { resolveOpenRequest } from '../../store/payments/payment-outcome.ts';
import { beginRequest } from '../../store/payments/payment-requests.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { anOrder } from './a-stored-order.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { LedgerWorld } from './ledger-world.ts';
import { timePasses } from './time-passes.ts';
import { TEST_KEY_IDS } from '../helpers/test-data-keys.ts';

/** The ledger has posted the debit of a payment as that of an equal one, whose funding had no effect. */

const HOUR = 3_600_000;

let testDatabase: TestDatabase;
let world: LedgerWorld;
/** Asked to be funded first, without an answer. */
let unanswered: string;
let paid: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

beforeEach(async () => {
  world = new LedgerWorld(testDatabase, anOrder().sellCurrency);
  world.change(200);
  await world.readHistory();
  await world.approveRun([100, 100]);
  [unanswered = '', paid = ''] = world.runs[0]?.paymentIds ?? [];
  for (const paymentId of [unanswered, paid]) await world.create(paymentId, 0, 'took_effect');
});

/** Null: it is not begun. */
async function beginFunding(paymentId: string): Promise<string | null> {
  const whileIn = ['created', 'awaiting_funds'] as const;
  const intent = { paymentId, operation: 'fund', whileIn, at: new Date('2026-01-31'), dataKeys: TEST_KEY_IDS } as const;
  return (await beginRequest(testDatabase.asWorker, intent)).requestId;
}

/** The request had no effect, and the debit of the other payment was posted before anything was known of either. */
async function postedToTheWrongOne(): Promise<void> {
  const requestId = (await beginFunding(unanswered)) ?? '';
  expect(await world.fund(paid, 'lost')).toBe('funded');
  await world.readHistory();
  await world.resolveFunding(paid);
  expect([await heldFor(unanswered), await heldFor(paid)]).toEqual([0, 100]);
  const finding = { outcome: 'not_seen', to: null, update: {} } as const;
  await resolveOpenRequest(testDatabase.asWorker, { requestId, ...finding });
}

async function heldFor(paymentId: string): Promise<number> {
  const { rows } = await testDatabase.database.query<{ amount: string }>(
    `select ledger_amount($1, $2, ledger_account_of(payment_id, attempt))::text as amount from payments where payment_id = $3`,
    [ACCOUNT, world.currency, paymentId],
  );
  return Number(rows[0]?.amount);
}

test('it is funded with what is still committed to the one that was paid', async () => {
  await postedToTheWrongOne();
  expect(await world.fund(unanswered, 'answered')).toBe('funded');
  expect([await heldFor(unanswered), await heldFor(paid)]).toEqual([100, 0]);
});

test('it waits when that was spent on another run, and is funded when money comes', async () => {
  await postedToTheWrongOne();
  await world.end(paid, 'paid');
  await timePasses(testDatabase, 2 * HOUR);
  await world.readHistory();
  await world.approveRun([100]);
  const other = world.runs[1]?.paymentIds[0] ?? '';
  await world.create(other, 0, 'took_effect');
  expect(await heldFor(other)).toBe(100);
  expect(await world.fund(unanswered, 'answered')).toBe('not_begun');
  expect(await world.fund(other, 'answered')).toBe('funded');
  world.change(100);
  await world.readHistory();
  expect(await world.fund(unanswered, 'answered')).toBe('funded');
  expect(await heldFor(unanswered)).toBe(100);
});

test('it is committed by the next read if the history was not read for long when it is funded', async () => {
  await postedToTheWrongOne();
  await world.end(paid, 'paid');
  await timePasses(testDatabase, 2 * HOUR);
  await world.readHistory();
  expect(await world.commitConversion('all of it', 100)).toBe(true);
  await bypassTriggers(testDatabase.database, 'delete from history_ranges where account = $1', [ACCOUNT]);
  expect(await world.fund(unanswered, 'answered')).toBe('funded');
  await world.readHistory({ hiding: 1 });
  expect(await heldFor(unanswered)).toBe(100);
});

test('one that may have been funded commits nothing a second time', async () => {
  expect(await world.fund(paid, 'lost')).toBe('funded');
  world.change(100);
  await world.readHistory();
  const before = await world.ledger();
  expect(await beginFunding(paid)).toBeNull();
  expect(await world.ledger()).toEqual(before);
});

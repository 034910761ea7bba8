import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { beginFunding } from '../../store/treasury/order-requests.ts';
import { findOrderView } from '../../store/treasury/order-views.ts';
import { conversionWorker } from '../helpers/conversion-worker.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aCreatedOrder, readEvidence } from '../store/a-created-order.ts';
import { anOrder } from '../store/a-stored-order.ts';
import { LedgerWorld } from '../store/ledger-world.ts';
import { timePasses } from '../store/time-passes.ts';

/** A conversion was created a while ago, and payrun knows of no request to fund it: others may have, or a restored backup has lost it. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;
let world: LedgerWorld;
let orderId: string;
let sent: number;
let status: string;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());

beforeEach(async () => {
  [sent, status] = [0, 'awaiting_funds'];
  world = new LedgerWorld(testDatabase, anOrder().sellCurrency);
  world.change(5000);
  await world.readHistory();
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const values = { sellCurrency: world.currency, buyCurrency: 'SGD', expiresAt };
  ({ orderId } = await aCreatedOrder(testDatabase, { treasurer, checker }, values));
});

const shown = () => ({ status, fundingCutoffTime: null });
const worker = () =>
  conversionWorker(testDatabase, {
    item: shown,
    fund: () => {
      sent += 1;
      return shown();
    },
  });
const begin = () => beginFunding(testDatabase.asWorker, orderId);
const view = async () => {
  const order = await findOrderView(testDatabase.asServer, orderId);
  return { state: order?.state, stateReason: order?.stateReason };
};

async function readAll(): Promise<void> {
  await readEvidence(testDatabase, world);
  await worker().read({ orderId });
}

test('it is funded at once where it was created just now', async () => {
  expect(await worker().stage({ orderId })).toMatchObject({ step: 'fund' });
  expect(await worker().fund({ orderId })).toEqual({ state: 'funded' });
});

test('after a while the history and the conversion are read first, and then it is funded', async () => {
  await timePasses(testDatabase, 120_000);
  expect(await worker().stage({ orderId })).toMatchObject({ step: 'find_out_funding' });
  await readAll();
  expect(await worker().judge({ orderId })).toEqual({ state: 'created', isToBeFunded: true });
  expect(await worker().fund({ orderId })).toEqual({ state: 'funded' });
  expect(sent).toBe(1);
});

test('it is not funded before the conversion was read', async () => {
  await timePasses(testDatabase, 120_000);
  await readEvidence(testDatabase, world);
  expect(await begin()).toEqual({ refused: 'evidence_old' });
});

test('it is not funded before the history was read', async () => {
  await timePasses(testDatabase, 600_000);
  await worker().read({ orderId });
  expect(await begin()).toEqual({ refused: 'evidence_old' });
});

test('it is not funded with a reading of ten minutes ago', async () => {
  await timePasses(testDatabase, 120_000);
  await readAll();
  await timePasses(testDatabase, 600_000);
  expect(await begin()).toEqual({ refused: 'evidence_old' });
});

test.each(['total', 'sold'] as const)('it is for people once the history has a debit of what it %s', async (which) => {
  world.change(which === 'total' ? -1002.5 : -1000);
  await timePasses(testDatabase, 120_000);
  await readAll();
  await worker().judge({ orderId });
  expect(await worker().fund({ orderId })).toEqual({ state: 'unknown' });
  expect([sent, await view()]).toEqual([0, { state: 'unknown', stateReason: 'funding_uncertain' }]);
});

test('it is completed where the provider shows that', async () => {
  await timePasses(testDatabase, 120_000);
  status = 'completed';
  await readAll();
  expect(await view()).toMatchObject({ state: 'completed' });
  expect(await begin()).toEqual({ refused: 'state' });
});

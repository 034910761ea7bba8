import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginRequest, recordAnswer } from '../../store/payments/payment-requests.ts';
import { beginFunding } from '../../store/treasury/order-requests.ts';
import { conversionWorker } from '../helpers/conversion-worker.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aCreatedOrder, fundingUnanswered, readEvidence } from '../store/a-created-order.ts';
import { anOrder, stateOf } from '../store/a-stored-order.ts';
import { LedgerWorld } from '../store/ledger-world.ts';
import { timePasses } from '../store/time-passes.ts';
import { TEST_KEY_IDS } from '../helpers/test-data-keys.ts';

/**
 * A payment and a conversion of the same total, one after the other. The payment is debited, in one form or another, before the
 * conversion is funded. The answer to the request that funds the conversion is lost; the provider debits it.
 */

const MINUTE = 60_000;

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;
let world: LedgerWorld;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());

/** 1,000.00 and a fee of 2.50: it is funded, leaves the balance as these entries, and is paid. */
async function payInForm(debits: readonly number[]): Promise<void> {
  const { asWorker } = testDatabase;
  await world.approveRun([1000]);
  const paymentId = world.runs[0]?.paymentIds[0] ?? '';
  await world.create(paymentId, 2.5, 'took_effect');
  const whileIn = ['created', 'awaiting_funds'] as const;
  const { requestId } = await beginRequest(asWorker, {
    paymentId,
    operation: 'fund',
    whileIn,
    at: new Date('2026-01-31'),
    dataKeys: TEST_KEY_IDS,
  });
  if (requestId === null) throw new Error('the payment is not funded');
  await recordAnswer(asWorker, {
    ...{ requestId, operation: 'fund', outcome: 'took_effect', answer: 'as_asked', httpStatus: 200 },
    transition: { to: 'funded', update: { funded_at: new Date() } },
  });
  for (const debit of debits) world.change(debit, { isOurs: true });
  await world.readHistory();
  const there = world.payments.get(paymentId);
  if (there !== undefined) there.isDebited = true;
  await world.end(paymentId, 'paid');
  expect(await world.stateOf(paymentId)).toBe('paid');
}

/** Of two equal entries, the one with the later id is taken for the copy. */
function nameLast(letter: 'a' | 'b'): void {
  const last = world.entries.at(-1);
  if (last !== undefined) last.id = `${letter}-${world.currency}`;
}

/** As the workflow does while the provider still waits for the money. */
async function lookForDebit(orderId: string): Promise<void> {
  const worker = conversionWorker(testDatabase, {
    item: () => ({ status: 'awaiting_funds', fundingCutoffTime: null }),
  });
  for (let minutes = 0; minutes < 30 && (await worker.stage({ orderId })).step === 'find_out_funding'; minutes += 3) {
    await readEvidence(testDatabase, world);
    await worker.read({ orderId });
    await worker.judge({ orderId });
    await timePasses(testDatabase, 3 * MINUTE);
  }
}

async function debitEvidence(orderId: string): Promise<string | null> {
  const { rows } = await testDatabase.database.query<{ found: string | null }>(
    'select debit_evidence as found from conversion_orders where order_id = $1',
    [orderId],
  );
  return rows[0]?.found ?? null;
}

test.each<[string, readonly number[], 'seen' | 'contested']>([
  ['with its fee apart and without a transaction id', [-1000, 7, -2.5], 'contested'],
  ['without its fee, which is invoiced', [-1000], 'contested'],
  ['with a charge that nobody quoted', [-1003], 'contested'],
  ['not at all, as it was paid for by a transfer from a bank', [], 'contested'],
  ['as one entry of its total', [-1002.5], 'seen'],
])(
  'a conversion whose debit is in the history is not funded again: a payment of its total was debited %s',
  async (_, debits, found) => {
    world = new LedgerWorld(testDatabase, anOrder().sellCurrency);
    world.change(5000);
    await world.readHistory();
    await payInForm(debits);
    await timePasses(testDatabase, MINUTE);

    const { orderId } = await aCreatedOrder(
      testDatabase,
      { treasurer, checker },
      { sellCurrency: world.currency, buyCurrency: 'SGD', amount: '1002.50' },
    );
    await fundingUnanswered(testDatabase, orderId);
    world.change(-1002.5, { isOurs: true });

    await lookForDebit(orderId);
    expect(await debitEvidence(orderId)).toBe(found);
    expect(await stateOf(testDatabase, orderId)).toBe(found === 'seen' ? 'funded' : 'funding');
    expect(await beginFunding(testDatabase.asWorker, orderId)).toEqual({ refused: 'state' });
  },
  60_000,
);

test.each(['1002.50', '1000.00'])(
  'a conversion is not funded again while a debit that was taken for a copy may be its own: one of %s',
  async (debit) => {
    const date = new Date().toISOString().slice(0, 10);
    world = new LedgerWorld(testDatabase, anOrder().sellCurrency);
    world.change(5000, { date });
    world.change(-Number(debit), { date });
    nameLast('a');
    await world.readHistory();
    const values = { sellCurrency: world.currency, buyCurrency: 'SGD' };
    const { orderId } = await aCreatedOrder(testDatabase, { treasurer, checker }, values);
    await fundingUnanswered(testDatabase, orderId);
    // As much has come in meanwhile, whose entry is late: the debit runs between the same balances as that of the morning.
    world.balance += Number(debit);
    world.change(-Number(debit), { date, isOurs: true });
    nameLast('b');

    await lookForDebit(orderId);
    expect(await debitEvidence(orderId)).toBe('incomplete');
    expect(await stateOf(testDatabase, orderId)).toBe('funding');
    expect(await beginFunding(testDatabase.asWorker, orderId)).toEqual({ refused: 'state' });
  },
);

test('a debit of another amount that was recorded before explains no debit of the total', async () => {
  world = new LedgerWorld(testDatabase, anOrder().sellCurrency);
  world.change(5000);
  await world.readHistory();
  // What came in before it is late: it gets its place after the request.
  world.change(50);
  const late = world.entries.splice(-1);
  world.change(-70);
  await world.readHistory();
  const values = { sellCurrency: world.currency, buyCurrency: 'SGD' };
  const { orderId } = await aCreatedOrder(testDatabase, { treasurer, checker }, values);
  await fundingUnanswered(testDatabase, orderId);
  world.entries.push(...late);
  world.change(-1002.5, { isOurs: true });

  await lookForDebit(orderId);
  expect(await debitEvidence(orderId)).toBe('seen');
  expect(await stateOf(testDatabase, orderId)).toBe('funded');
});

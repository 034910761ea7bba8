import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import { noteUnfunded } from '../../store/treasury/funding-facts.ts';
import { beginFunding, readOpenOrderRequest, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { concludeConversionManualOutcome } from '../../store/treasury/order-manual-outcomes.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aCreatedOrder, confirmedManualOutcome, fundingUnanswered } from './a-created-order.ts';
import { anOrder, stateOf } from './a-stored-order.ts';
import { LedgerWorld } from './ledger-world.ts';
import { timePasses } from './time-passes.ts';

/** The ledger has posted the debit of an equal payment as that of a conversion that was not funded. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;
let world: LedgerWorld;
let order: ConversionOrder;
let paymentId: string;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());

beforeEach(async () => {
  world = new LedgerWorld(testDatabase, anOrder().sellCurrency);
  world.change(5000);
  await world.readHistory();
  await world.approveRun([1000, 1000]);
  paymentId = world.runs[0]?.paymentIds[0] ?? '';
  order = await aCreatedOrder(
    testDatabase,
    { treasurer, checker },
    { sellCurrency: world.currency, buyCurrency: 'SGD' },
  );
  // The answer to the first request is lost, and the provider never got it.
  await fundingUnanswered(testDatabase, order.orderId);
  // A payment of the same total is funded, and debited: the ledger takes its debit for that of the conversion, which is older.
  await pay(paymentId);
  expect(await world.ledger()).toMatchObject({ conversion: 0, payment: 1002.5 });
});

async function pay(id: string): Promise<void> {
  await world.create(id, 2.5, 'took_effect');
  expect(await world.fund(id, 'answered')).toBe('funded');
  await world.readHistory();
}

const fund = () => beginFunding(testDatabase.asWorker, order.orderId);
const BEGUN = { requestId: expect.any(String) as string };

/** Whether what two people say has an effect. */
async function haveFundedAgain(): Promise<boolean> {
  const { asWorker } = testDatabase;
  const { orderId } = order;
  await moveOrder(asWorker, orderId, 'unknown', { reason: 'second_funding_undecided' });
  const id = await confirmedManualOutcome(testDatabase, { treasurer, checker }, orderId, 'fund_again');
  return concludeConversionManualOutcome(asWorker, id, false);
}

test('two people have it funded again: it is, with the money of the payment', async () => {
  expect(await haveFundedAgain()).toBe(true);
  expect(await stateOf(testDatabase, order.orderId)).toBe('created');
  expect(await world.ledger()).toMatchObject({ conversion: 1002.5, payment: 0 });
  expect(await fund()).toEqual(BEGUN);
});

test('two people have it funded again when the money of the payment is free by then: it is, with that', async () => {
  const { database } = testDatabase;
  await world.end(paymentId, 'paid');
  await bypassTriggers(database, `update payments set ended_at = ended_at - interval '2 hours' where payment_id = $1`, [
    paymentId,
  ]);
  await world.readHistory();
  const { free } = await world.ledger();
  expect(await world.ledger()).toMatchObject({ conversion: 0, payment: 0 });
  expect(await haveFundedAgain()).toBe(true);
  expect(await world.ledger()).toMatchObject({ conversion: 1002.5, free: free - 1002.5 });
  expect(await fund()).toEqual(BEGUN);
});

test('it takes nothing over from a payment that was funded after the debit that was posted to it', async () => {
  await world.end(paymentId, 'paid');
  await timePasses(testDatabase, 2 * 3_600_000);
  await world.readHistory();
  const later = world.runs[0]?.paymentIds[1] ?? '';
  await world.create(later, 2.5, 'took_effect');
  // Its debit is not in the history yet.
  expect(await world.fund(later, 'answered')).toBe('funded');
  const { free } = await world.ledger();
  expect(await world.ledger()).toMatchObject({ conversion: 0, payment: 1002.5 });
  expect(await haveFundedAgain()).toBe(true);
  expect(await world.ledger()).toMatchObject({ conversion: 1002.5, payment: 1002.5, free: free - 1002.5 });
});

test('it is not funded again when its own debit comes after they have said so', async () => {
  expect(await haveFundedAgain()).toBe(true);
  world.change(-1002.5, { isOurs: true });
  await world.readHistory();
  expect(await fund()).toEqual({ refused: 'state' });
});

/** Payrun has proved that the first request had no effect. */
async function proved(): Promise<void> {
  const { asWorker } = testDatabase;
  const first = await readOpenOrderRequest(asWorker, order.orderId, 'fund');
  const had = { outcome: 'not_seen', answer: 'unknown_outcome', httpStatus: null } as const;
  await noteUnfunded(asWorker, order.orderId, Date.now());
  await recordOrderAnswer(asWorker, { requestId: first?.requestId ?? '', ...had });
}

test('payrun funds it once more, and the request is not sent at first (429): it is sent then', async () => {
  await proved();
  const second = await fund();
  expect(second).toEqual(BEGUN);
  const requestId = 'requestId' in second ? second.requestId : '';
  const unsent = { requestId, outcome: 'not_sent', answer: 'rate_limited', httpStatus: 429 } as const;
  await recordOrderAnswer(testDatabase.asWorker, unsent);
  expect(await fund()).toEqual(BEGUN);
});

test('what was proved does not count once a debit of its total has come since', async () => {
  await proved();
  await pay(world.runs[0]?.paymentIds[1] ?? '');
  expect(await fund()).toEqual({ refused: 'evidence_old' });
});

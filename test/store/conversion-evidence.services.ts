import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FundingDecision, wasItFunded } from '../../domain/treasury/funding-evidence.ts';
import { readFundingFacts } from '../../store/treasury/funding-facts.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aCreatedOrder, fundingUnanswered, readEvidence } from './a-created-order.ts';
import { anOrder } from './a-stored-order.ts';
import { LedgerWorld } from './ledger-world.ts';

/** What follows from the database when a conversion of 1,002.50 may have been funded, and others take the same amount. */

const MINUTE = 60_000;

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;
let world: LedgerWorld;
let paymentId: string;
let orderId: string;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());

/** A balance of 5,000, a payment that will take 1,002.50, and a created conversion that will as well. */
async function begin(amount = 1000): Promise<void> {
  const { sellCurrency } = anOrder();
  world = new LedgerWorld(testDatabase, sellCurrency);
  world.change(5000);
  await world.readHistory();
  await world.approveRun([amount]);
  paymentId = world.runs[0]?.paymentIds[0] ?? '';
  const order = await aCreatedOrder(testDatabase, { treasurer, checker }, { sellCurrency, buyCurrency: 'SGD' });
  orderId = order.orderId;
}

async function pay(legs: 'one' | 'apart' = 'one', fee = 2.5): Promise<void> {
  await world.create(paymentId, fee, 'took_effect');
  expect(await world.fund(paymentId, 'answered', legs)).toBe('funded');
}

/** It took effect at once. */
async function fundConversion(): Promise<void> {
  await fundingUnanswered(testDatabase, orderId);
  world.change(-1002.5, { isOurs: true });
}

/** The request to fund the payment is so old that its debit cannot come any more. */
async function letTimePass(): Promise<void> {
  await bypassTriggers(
    testDatabase.database,
    `update provider_requests set answered_at = answered_at - interval '11 minutes' where payment_id = $1`,
    [paymentId],
  );
}

/** Eleven minutes after the request, with an earlier look that found nothing. All but the newest entries are shown. */
async function decide({ hiding = 0 } = {}): Promise<FundingDecision> {
  const { asWorker } = testDatabase;
  await readEvidence(testDatabase, world, { hiding });
  const facts = await readFundingFacts(asWorker, orderId, 10 * MINUTE);
  if (facts === null) throw new Error('nothing was read since the request');
  return wasItFunded(
    {
      ...facts,
      ...{ status: 'awaiting_funds', secondRequest: 'payrun' },
      times: {
        ...{ lastRequestEndedMs: 0, readBeganMs: 11 * MINUTE },
        ...{ earlierAbsenceMs: MINUTE, fundingCutoffMs: null },
      },
    },
    10_000,
  );
}

const CONTESTED = { decision: 'wait', why: 'contested' };
const ONCE_MORE = { decision: 'fund_once_more' };

describe('an equal debit', () => {
  test('is not taken for that of a payment whose own comes late', async () => {
    await begin();
    await fundConversion();
    await pay();
    expect(await decide({ hiding: 1 })).toMatchObject(CONTESTED);
    await letTimePass();
    expect(await decide({ hiding: 1 })).toMatchObject(CONTESTED);
    expect(await decide()).toMatchObject({ decision: 'funded' });
  });

  test('is not taken for that of a payment that was funded, and has failed', async () => {
    await begin();
    await fundConversion();
    await pay();
    world.entries.pop();
    world.balance += 1002.5;
    await bypassTriggers(testDatabase.database, `update payments set state = 'failed' where payment_id = $1`, [
      paymentId,
    ]);
    await letTimePass();
    expect(await decide()).toMatchObject(CONTESTED);
  });

  test('may be that of a payment that the provider has paid, and may not: people decide', async () => {
    await begin();
    await fundingUnanswered(testDatabase, orderId);
    await pay();
    await world.end(paymentId, 'paid');
    expect(await decide()).toMatchObject(CONTESTED);
    await letTimePass();
    expect(await decide()).toMatchObject(CONTESTED);
  });

  test('that was recorded before the request is not ours, and others may still have one', async () => {
    await begin();
    await pay();
    await world.readHistory();
    const other = await world.approveRun([1000]).then(() => world.runs[1]?.paymentIds[0] ?? '');
    await world.create(other, 2.5, 'took_effect');
    await fundingUnanswered(testDatabase, orderId);
    expect(await decide()).toMatchObject(ONCE_MORE);
    world.change(-1002.5, { isOurs: true });
    expect(await decide()).toMatchObject({ decision: 'funded' });
  });

  test('is missing of a payment that was paid: it, and ours, may have left in another form', async () => {
    await begin();
    await fundingUnanswered(testDatabase, orderId);
    await pay();
    world.entries.pop();
    world.balance += 1002.5;
    await world.end(paymentId, 'paid');
    await letTimePass();
    expect(await decide()).toMatchObject(CONTESTED);
  });

  test('is not that of a paid payment that was debited in parts', async () => {
    await begin(1001);
    await fundingUnanswered(testDatabase, orderId);
    await pay('apart', 1.5);
    await world.end(paymentId, 'paid');
    await letTimePass();
    world.change(-1002.5, { isOurs: true });
    expect(await decide()).toMatchObject(CONTESTED);
  });

  test('may be that of a paid payment from before the request, if it came after it', async () => {
    await begin();
    await pay();
    await fundingUnanswered(testDatabase, orderId);
    await world.end(paymentId, 'paid');
    await letTimePass();
    expect(await decide()).toMatchObject(CONTESTED);
  });

  test('is not that of a paid payment if one from before the request may be', async () => {
    await begin();
    // Somebody takes as much in the dashboard; the ledger takes it for the debit of another payment, which then fails.
    const other = await world.approveRun([1000]).then(() => world.runs[1]?.paymentIds[0] ?? '');
    await world.create(other, 2.5, 'took_effect');
    await world.fund(other, 'answered');
    world.entries.pop();
    world.balance += 1002.5;
    await pay();
    await world.readHistory();
    await bypassTriggers(testDatabase.database, `update payments set state = 'failed' where payment_id = $1`, [other]);
    await fundConversion();
    await world.end(paymentId, 'paid');
    await letTimePass();
    expect(await decide()).toMatchObject(CONTESTED);
  });
});

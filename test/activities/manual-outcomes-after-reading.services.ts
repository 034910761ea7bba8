import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrderManualOutcomeKind } from '../../store/treasury/order-decisions.ts';
import { readOpenOrderRequest } from '../../store/treasury/order-requests.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { findOrderView, listOrderManualOutcomes } from '../../store/treasury/order-views.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { conversionWorker } from '../helpers/conversion-worker.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aCreatedOrder, confirmedManualOutcome, fundingUnanswered, readEvidence } from '../store/a-created-order.ts';
import { anOrder, stateOf } from '../store/a-stored-order.ts';
import { LedgerWorld } from '../store/ledger-world.ts';

/** What two people say of a conversion takes effect after the history was read once more: what was read before proves nothing. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;
let world: LedgerWorld;
let orderId: string;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());

/** A conversion whose funding was not answered an hour ago, and of which a complete history shows no debit. */
beforeEach(async () => {
  const { sellCurrency } = anOrder();
  world = new LedgerWorld(testDatabase, sellCurrency);
  world.change(5000);
  await world.readHistory();
  ({ orderId } = await aCreatedOrder(testDatabase, { treasurer, checker }, { sellCurrency, buyCurrency: 'SGD' }));
  await fundingUnanswered(testDatabase, orderId);
  await moveOrder(testDatabase.asWorker, orderId, 'unknown', { reason: 'second_funding_undecided' });
  await lastRequestEnded('1 hour');
  await readEvidence(testDatabase, world);
  await worker().judge({ orderId });
  expect(await findOrderView(testDatabase.asServer, orderId)).toMatchObject({ debitEvidence: 'absent' });
});

const worker = () =>
  conversionWorker(testDatabase, { item: () => ({ status: 'awaiting_funds', fundingCutoffTime: null }) });

const lastRequestEnded = (ago: string) =>
  bypassTriggers(
    testDatabase.database,
    `update conversion_requests set answered_at = now() - $2::interval where order_id = $1 and operation = 'fund'`,
    [orderId, ago],
  );

const confirmed = (outcome: OrderManualOutcomeKind) =>
  confirmedManualOutcome(testDatabase, { treasurer, checker }, orderId, outcome);

/** The state of the order, and that of what people have said, after a try to act on it. */
async function tryToResolve(manualOutcomeId: string): Promise<[string, string | undefined]> {
  await worker().resolve({ manualOutcomeId });
  const [manualOutcome] = await listOrderManualOutcomes(testDatabase.asServer, orderId);
  return [await stateOf(testDatabase, orderId), manualOutcome?.state];
}

async function unreadInAuditTrail(): Promise<number> {
  const { rows } = await testDatabase.database.query(
    `select from audit_entries where detail ->> 'order' = $1 and detail ->> 'isHistoryUnread' = 'true'`,
    [orderId],
  );
  return rows.length;
}

const OPEN = ['unknown', 'proposed'];
const AFTER = { fund_again: 'created', lapsed: 'lapsed' } as const;

describe.each(['fund_again', 'lapsed'] as const)('what two people say (%s)', (outcome) => {
  test('stays open while the history was not read since, and is contradicted by a debit that it shows then', async () => {
    const manualOutcomeId = await confirmed(outcome);
    world.change(-1002.5, { isOurs: true });
    expect(await tryToResolve(manualOutcomeId)).toEqual(OPEN);
    expect(await readOpenOrderRequest(testDatabase.asWorker, orderId, 'fund')).not.toBeNull();
    await readEvidence(testDatabase, world);
    expect(await tryToResolve(manualOutcomeId)).toEqual(['funded', 'contradicted']);
  });

  test('stays open while nothing at all is known of the history, and takes effect once it was read', async () => {
    await testDatabase.database.query('delete from history_ranges');
    const manualOutcomeId = await confirmed(outcome);
    expect(await tryToResolve(manualOutcomeId)).toEqual(OPEN);
    await readEvidence(testDatabase, world);
    expect(await tryToResolve(manualOutcomeId)).toEqual([AFTER[outcome], 'confirmed']);
    expect(await unreadInAuditTrail()).toBe(0);
  });

  test('stays open while the last request may still take effect, whatever was read', async () => {
    await lastRequestEnded('9 minutes');
    const manualOutcomeId = await confirmed(outcome);
    await readEvidence(testDatabase, world);
    expect(await tryToResolve(manualOutcomeId)).toEqual(OPEN);
    await lastRequestEnded('11 minutes');
    expect(await tryToResolve(manualOutcomeId)).toEqual([AFTER[outcome], 'confirmed']);
  });

  test('counts after a day without a read, and the audit trail says so', async () => {
    const manualOutcomeId = await confirmed(outcome);
    const confirmedAgo = (hours: number) =>
      bypassTriggers(
        testDatabase.database,
        `update conversion_manual_outcomes set confirmed_at = now() - make_interval(hours => $2) where manual_outcome_id = $1`,
        [manualOutcomeId, hours],
      );
    await testDatabase.database.query('delete from history_ranges');
    await confirmedAgo(23);
    expect(await tryToResolve(manualOutcomeId)).toEqual(OPEN);
    await confirmedAgo(25);
    expect(await tryToResolve(manualOutcomeId)).toEqual([AFTER[outcome], 'confirmed']);
    expect(await unreadInAuditTrail()).toBe(1);
  });
});

test('that a conversion was funded takes effect without a read', async () => {
  await testDatabase.database.query('delete from history_ranges');
  expect(await tryToResolve(await confirmed('funded'))).toEqual(['funded', 'confirmed']);
});

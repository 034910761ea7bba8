import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import type { OrderManualOutcomeKind } from '../../store/treasury/order-decisions.ts';
import { readOpenOrderRequest, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { findOrderView } from '../../store/treasury/order-views.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { conversionWorker } from '../helpers/conversion-worker.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aCreatedOrder, confirmedManualOutcome, fundingUnanswered, readEvidence } from '../store/a-created-order.ts';
import { anOrder, stateOf } from '../store/a-stored-order.ts';
import { LedgerWorld } from '../store/ledger-world.ts';

/** The debit of a conversion becomes visible after payrun, or people, have taken it for unfunded. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;
let world: LedgerWorld;
let orderId: string;
let cutoffMs: number | null;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());

/** A conversion whose funding was not answered, or was refused, an hour ago. */
beforeEach(async () => {
  cutoffMs = null;
  const { sellCurrency } = anOrder();
  world = new LedgerWorld(testDatabase, sellCurrency);
  world.change(5000);
  await world.readHistory();
  ({ orderId } = await aCreatedOrder(testDatabase, { treasurer, checker }, { sellCurrency, buyCurrency: 'SGD' }));
  await fundingUnanswered(testDatabase, orderId);
});

/** The provider shows the conversion as it does before its completion: funded or not. */
const worker = () =>
  conversionWorker(testDatabase, {
    item: () => ({
      status: 'awaiting_funds',
      fundingCutoffTime: cutoffMs === null ? null : { epochMs: cutoffMs },
    }),
  });

async function isIn(state: ConversionState, reason: 'funding_uncertain' | 'funding_refused'): Promise<void> {
  const { asWorker, database } = testDatabase;
  if (state === 'held') {
    const open = await readOpenOrderRequest(asWorker, orderId, 'fund');
    const requestId = open?.requestId ?? '';
    await recordOrderAnswer(asWorker, { requestId, outcome: 'refused', answer: 'refused', httpStatus: 409 });
  }
  await moveOrder(asWorker, orderId, state, { reason });
  await bypassTriggers(
    database,
    `update conversion_requests set answered_at = answered_at - interval '1 hour'
     where order_id = $1 and operation = 'fund'`,
    [orderId],
  );
}

/** What the workflow of the order does next: in these states it looks at the history. */
async function look(): Promise<void> {
  expect(await worker().stage({ orderId })).toMatchObject({ step: 'find_out_funding' });
  await readEvidence(testDatabase, world);
  await worker().read({ orderId });
  await worker().judge({ orderId });
}

async function resolveAs(outcome: OrderManualOutcomeKind): Promise<string> {
  const manualOutcomeId = await confirmedManualOutcome(testDatabase, { treasurer, checker }, orderId, outcome);
  await readEvidence(testDatabase, world);
  await worker().resolve({ manualOutcomeId });
  const { rows } = await testDatabase.database.query<{ state: string }>(
    'select state from conversion_manual_outcomes where manual_outcome_id = $1',
    [manualOutcomeId],
  );
  return rows[0]?.state ?? '';
}

const state = () => stateOf(testDatabase, orderId);

describe.each([
  ['unknown', 'funding_uncertain'],
  ['held', 'funding_refused'],
] as const)('an order that is %s (%s)', (on, reason) => {
  beforeEach(() => isIn(on, reason));

  test('goes on by itself once the history shows its debit', async () => {
    await look();
    expect(await state()).toBe(on);
    expect(await findOrderView(testDatabase.asServer, orderId)).toMatchObject({ debitEvidence: 'absent' });
    world.change(-1002.5, { isOurs: true });
    await look();
    expect(await state()).toBe('funded');
    expect(await findOrderView(testDatabase.asServer, orderId)).toMatchObject({ debitEvidence: 'seen' });
  });

  test.each(['fund_again', 'lapsed'] as const)('is not resolved as %s when the history shows its debit', async (as) => {
    world.change(-1002.5, { isOurs: true });
    expect(await resolveAs(as)).toBe('contradicted');
    expect(await state()).toBe('funded');
  });

  test('is resolved as people say when the history shows none', async () => {
    expect(await resolveAs('lapsed')).toBe('confirmed');
    expect(await state()).toBe('lapsed');
  });
});

test('a refused order lapses after its cut-off only once a complete history has shown no debit twice', async () => {
  await isIn('held', 'funding_refused');
  cutoffMs = Date.now() - 1_000;
  await worker().read({ orderId });
  expect(await state()).toBe('held');
  await look();
  expect(await state()).toBe('held');
  await look();
  expect(await state()).toBe('lapsed');
});

test('a refused order whose debit came after its cut-off is funded', async () => {
  await isIn('held', 'funding_refused');
  cutoffMs = Date.now() - 1_000;
  world.change(-1002.5, { isOurs: true });
  await look();
  expect(await state()).toBe('funded');
});

describe('an order that is to be funded once more', () => {
  /** Payrun has proved that the first request had no effect; a stop came before the second one, and was lifted. */
  beforeEach(async () => {
    await isIn('unknown', 'funding_uncertain');
    const open = await readOpenOrderRequest(testDatabase.asWorker, orderId, 'fund');
    const had = { outcome: 'not_seen', answer: 'unknown_outcome', httpStatus: null } as const;
    await recordOrderAnswer(testDatabase.asWorker, { requestId: open?.requestId ?? '', ...had });
    await bypassTriggers(
      testDatabase.database,
      `update conversion_orders set state = 'funding', absent_at = now() - interval '30 minutes',
         unfunded_at = now() - interval '20 minutes' where order_id = $1`,
      [orderId],
    );
  });

  test('is judged again after a stop, and funded if the history still shows no debit', async () => {
    await look();
    expect(await worker().stage({ orderId })).toMatchObject({ state: 'funding', step: 'fund' });
  });

  test('is not funded again if its debit came during the stop', async () => {
    world.change(-1002.5, { isOurs: true });
    await look();
    expect(await state()).toBe('funded');
  });
});

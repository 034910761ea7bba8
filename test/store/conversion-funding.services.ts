import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import {
  confirmOrderManualOutcomeAs,
  type OrderManualOutcomeKind,
  proposeOrderManualOutcomeAs,
} from '../../store/treasury/order-decisions.ts';
import { noteUnfunded } from '../../store/treasury/funding-facts.ts';
import { beginCreation, beginFunding, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { concludeConversionManualOutcome } from '../../store/treasury/order-manual-outcomes.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { anOrder, aQuotedOrder, aStoredOrder, stateOf } from './a-stored-order.ts';
import { LedgerWorld } from './ledger-world.ts';

/** What has to be so before a conversion is funded, whatever the worker that asks has checked. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());

const quoted = (values: Parameters<typeof aQuotedOrder>[2] = {}) =>
  aQuotedOrder(testDatabase, { treasurer, checker }, values);

const create = ({ orderId }: ConversionOrder) => beginCreation(testDatabase.asWorker, orderId);

describe('a conversion is funded', () => {
  /** Created with the provider. */
  async function created(): Promise<ConversionOrder> {
    const order = await quoted();
    const begun = await create(order);
    if (!('requestId' in begun)) throw new Error(begun.refused);
    const { requestId } = begun;
    await recordOrderAnswer(testDatabase.asWorker, {
      requestId,
      outcome: 'took_effect',
      answer: 'as_asked',
      httpStatus: 200,
    });
    const shown = { ...aShown(order), referenceId: null };
    await moveOrder(testDatabase.asWorker, order.orderId, 'created', {
      conversion: {
        conversionId: order.orderId,
        conversionMac: 's',
        shown,
        status: 'awaiting_funds',
        fundingCutoffMs: null,
      },
    });
    return order;
  }

  const aShown = ({ sellCurrency, buyCurrency }: ConversionOrder) => ({
    ...{ sellCurrency, buyCurrency, fixedSide: 'sell', sellAmount: '1000.00', buyAmount: '900.00' },
    ...{ totalAmount: '1002.50', totalFees: '2.50' },
  });

  const fund = ({ orderId }: ConversionOrder) => beginFunding(testDatabase.asWorker, orderId);

  async function fundedOnce(order: ConversionOrder, outcome: 'not_seen' | 'took_effect'): Promise<void> {
    const begun = await fund(order);
    if (!('requestId' in begun)) throw new Error(begun.refused);
    const { requestId } = begun;
    await recordOrderAnswer(testDatabase.asWorker, { requestId, outcome, answer: 'unknown_outcome', httpStatus: null });
    await noteUnfunded(testDatabase.asWorker, order.orderId, Date.now());
  }

  test('again only soon after a history has proved that the first request had no effect', async () => {
    const order = await created();
    await fundedOnce(order, 'not_seen');
    // A stop of some minutes.
    await noteUnfunded(testDatabase.asWorker, order.orderId, Date.now() - 6 * 60_000);
    expect(await fund(order)).toEqual({ refused: 'evidence_old' });
    await noteUnfunded(testDatabase.asWorker, order.orderId, Date.now() - 3 * 60_000);
    expect(await fund(order)).toEqual({ requestId: expect.any(String) as string });
  });

  test('once while the outcome is not known, however many workers try', async () => {
    const order = await created();
    const begun = await Promise.all([fund(order), fund(order), fund(order)]);
    expect(begun.filter((one) => 'requestId' in one)).toHaveLength(1);
    expect(await fund(order)).toEqual({ refused: 'state' });
  });

  test('never again once a request has taken effect', async () => {
    const order = await created();
    await fundedOnce(order, 'took_effect');
    expect(await fund(order)).toEqual({ refused: 'state' });
    const forced = testDatabase.database.query(
      `insert into conversion_requests (order_id, attempt, operation) values ($1, 1, 'fund')`,
      [order.orderId],
    );
    await expect(forced).rejects.toThrow('one_conversion_request');
  });

  test('at most twice if the requests had no effect, unless two people say once more', async () => {
    const order = await created();
    await fundedOnce(order, 'not_seen');
    await fundedOnce(order, 'not_seen');
    expect(await fund(order)).toEqual({ refused: 'asked_twice' });
    await moveOrder(testDatabase.asWorker, order.orderId, 'unknown', { reason: 'second_funding_undecided' });
    await resolve(order, 'fund_again');
    expect(await stateOf(testDatabase, order.orderId)).toBe('created');
    await fundedOnce(order, 'not_seen');
    expect(await fund(order)).toEqual({ refused: 'asked_twice' });
  });

  test('not after the cut-off', async () => {
    const order = await created();
    await testDatabase.database.query('update conversion_orders set funding_cutoff_at = now() where order_id = $1', [
      order.orderId,
    ]);
    expect(await fund(order)).toEqual({ refused: 'cutoff_passed' });
  });

  test('if it has other amounts, only when two people accept them and they were allowed', async () => {
    const { sellCurrency } = anOrder();
    const world = new LedgerWorld(testDatabase, sellCurrency);
    world.change(5000);
    await world.readHistory();
    for (const [total, isAccepted] of [
      ['1010.00', true],
      ['1050.01', false],
    ] as const) {
      const order = await quoted({ sellCurrency, buyCurrency: isAccepted ? 'GBP' : 'SGD' });
      await create(order);
      await moveOrder(testDatabase.asWorker, order.orderId, 'held', {
        reason: 'created_differs',
        conversion: {
          ...{ conversionId: order.orderId, conversionMac: 's', status: 'awaiting_funds', fundingCutoffMs: null },
          shown: { ...aShown(order), totalAmount: total, referenceId: null },
        },
      });
      await resolve(order, 'fund_again');
      expect(await stateOf(testDatabase, order.orderId)).toBe(isAccepted ? 'funding' : 'held');
      expect(await fund(order)).toEqual(
        isAccepted ? { requestId: expect.any(String) as string } : { refused: 'state' },
      );
    }
    expect(await world.ledger()).toMatchObject({ conversion: 1010 + 1002.5 });
  });

  async function resolve({ orderId }: ConversionOrder, outcome: OrderManualOutcomeKind): Promise<void> {
    const { asServer, asWorker } = testDatabase;
    const manualOutcomeId = await proposeOrderManualOutcomeAs(asServer, treasurer.tokenHash, {
      orderId,
      outcome,
      reason: 'x',
    });
    await expect(confirmOrderManualOutcomeAs(asServer, treasurer.tokenHash, manualOutcomeId)).rejects.toMatchObject({
      code: 'not_allowed',
    });
    // Nothing happens before a second person has confirmed it.
    expect(await concludeConversionManualOutcome(asWorker, manualOutcomeId, false)).toBe(false);
    await confirmOrderManualOutcomeAs(asServer, checker.tokenHash, manualOutcomeId);
    await concludeConversionManualOutcome(asWorker, manualOutcomeId, false);
  }

  test('by no manual outcome that does not fit the state, nor one that the provider contradicts', async () => {
    const order = await aStoredOrder(testDatabase, treasurer, 'unknown', { hasConversion: true });
    const { asServer, asWorker } = testDatabase;
    const propose = (outcome: OrderManualOutcomeKind) =>
      proposeOrderManualOutcomeAs(asServer, treasurer.tokenHash, { orderId: order.orderId, outcome, reason: 'x' });
    await expect(propose('never_created')).rejects.toMatchObject({ code: 'conflict' });
    const manualOutcomeId = await propose('lapsed');
    await expect(propose('funded')).rejects.toMatchObject({ code: 'conflict' });
    await confirmOrderManualOutcomeAs(asServer, checker.tokenHash, manualOutcomeId);
    expect(await concludeConversionManualOutcome(asWorker, manualOutcomeId, true)).toBe(false);
    expect(await stateOf(testDatabase, order.orderId)).toBe('unknown');
    expect(await concludeConversionManualOutcome(asWorker, manualOutcomeId, false)).toBe(false);
  });

  test('and the outcome of a request is written once', async () => {
    const order = await created();
    await fundedOnce(order, 'took_effect');
    const taken = testDatabase.asWorker.query(
      `update conversion_requests set outcome = 'not_seen' where order_id = $1 and operation = 'fund'`,
      [order.orderId],
    );
    await expect(taken).rejects.toThrow('written once');
  });
});

import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import type { ShownConversion } from '../../domain/treasury/conversion-quote.ts';
import { noteRange } from '../../store/accounts/history-ranges.ts';
import { saveBalances } from '../../store/payments/balance-snapshots.ts';
import { beginReading } from '../../store/payments/reading.ts';
import {
  confirmOrderManualOutcomeAs,
  type OrderManualOutcomeKind,
  proposeOrderManualOutcomeAs,
} from '../../store/treasury/order-decisions.ts';
import { beginCreation, beginFunding, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aQuotedOrder } from './a-stored-order.ts';
import { ACCOUNT } from './a-stored-run.ts';
import type { LedgerWorld } from './ledger-world.ts';

interface People {
  treasurer: TestUser;
  checker: TestUser;
}

/** What the provider shows of the conversion of an order by `aQuotedOrder`. */
export function aShownConversion(
  { sellCurrency, buyCurrency }: ConversionOrder,
  parts: Partial<ShownConversion> = {},
): ShownConversion {
  return {
    ...{ sellCurrency, buyCurrency, fixedSide: 'sell', sellAmount: '1000.00', buyAmount: '900.00' },
    ...{ totalAmount: '1002.50', totalFees: '2.50', referenceId: null },
    ...parts,
  };
}

/** Created with the provider: 1,002.50 leave the balance when it is funded. As `held` if its amounts are other ones. */
export async function aCreatedOrder(
  testDatabase: TestDatabase,
  people: People,
  values: Partial<ConversionOrder> = {},
  shown: Partial<ShownConversion> = {},
): Promise<ConversionOrder> {
  const { asWorker } = testDatabase;
  const order = await aQuotedOrder(testDatabase, people, values);
  const { orderId } = order;
  const begun = await beginCreation(asWorker, orderId);
  if (!('requestId' in begun)) throw new Error(begun.refused);
  const { requestId } = begun;
  await recordOrderAnswer(asWorker, { requestId, outcome: 'took_effect', answer: 'as_asked', httpStatus: 200 });
  const conversion = {
    ...{ conversionId: orderId, conversionMac: 's', status: 'awaiting_funds', fundingCutoffMs: null },
    shown: aShownConversion(order, shown),
  };
  const isHeld = Object.keys(shown).length > 0;
  await moveOrder(asWorker, orderId, isHeld ? 'held' : 'created', {
    conversion,
    reason: isHeld ? 'created_differs' : null,
  });
  return order;
}

/** The treasurer proposes what became of it, and the checker confirms. Returns the manual outcome. */
export async function confirmedManualOutcome(
  { asServer }: TestDatabase,
  { treasurer, checker }: People,
  orderId: string,
  outcome: OrderManualOutcomeKind,
): Promise<string> {
  const manualOutcomeId = await proposeOrderManualOutcomeAs(asServer, treasurer.tokenHash, {
    orderId,
    outcome,
    reason: 'x',
  });
  await confirmOrderManualOutcomeAs(asServer, checker.tokenHash, manualOutcomeId);
  return manualOutcomeId;
}

/** A request to fund it was sent, and not answered. */
export async function fundingUnanswered({ asWorker }: TestDatabase, orderId: string): Promise<void> {
  const begun = await beginFunding(asWorker, orderId);
  if (!('requestId' in begun)) throw new Error(begun.refused);
  const { requestId } = begun;
  await recordOrderAnswer(asWorker, { requestId, outcome: null, answer: 'unknown_outcome', httpStatus: null });
}

/** Reads the history from before the request, without its newest entries, and then the balance. */
export async function readEvidence(testDatabase: TestDatabase, world: LedgerWorld, { hiding = 0 } = {}): Promise<void> {
  const { asWorker } = testDatabase;
  await world.readHistory({ hiding });
  const readAt = await beginReading(asWorker);
  const counts = { entries: 0, added: 0, unreadable: 0, conflicting: 0 };
  const [fromMs, toMs] = [Date.now() - 48 * 3_600_000, Date.now()];
  await noteRange(asWorker, { account: ACCOUNT, fromMs, toMs, isGap: false, readAt, ...counts });
  const amount = world.entries.at(-1 - hiding)?.amountAfter ?? '0';
  await saveBalances(asWorker, ACCOUNT, await beginReading(asWorker), [{ currency: world.currency, amount }]);
}

import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import type { ShownConversion } from '../../domain/treasury/conversion-quote.ts';
import { beginCreation, beginFunding, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aQuotedOrder } from './a-stored-order.ts';

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
    ...{ conversionId: orderId, conversionSeal: 's', status: 'awaiting_funds', fundingCutoffMs: null },
    shown: aShownConversion(order, shown),
  };
  const isHeld = Object.keys(shown).length > 0;
  await moveOrder(asWorker, orderId, isHeld ? 'held' : 'created', {
    conversion,
    reason: isHeld ? 'created_differs' : null,
  });
  return order;
}

/** A request to fund it was sent, and not answered. */
export async function fundingUnanswered({ asWorker }: TestDatabase, orderId: string): Promise<void> {
  const begun = await beginFunding(asWorker, orderId);
  if (!('requestId' in begun)) throw new Error(begun.refused);
  const { requestId } = begun;
  await recordOrderAnswer(asWorker, { requestId, outcome: null, answer: 'unknown_outcome', httpStatus: null });
}

import { dayOf } from '../../domain/calendar-date.ts';
import { withoutFloatNoise } from '../../domain/money.ts';
import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import { middleOf } from '../../domain/treasury/conversion-price.ts';
import { ownReference } from '../../domain/rates/reference-rates.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { recordReference } from '../../store/treasury/order-requests.ts';
import { readOrder, type StoredReference } from '../../store/treasury/orders.ts';
import { callProvider } from '../calls/call-provider.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Records what the next quote of the order is compared with. */
export function readRateActivity(dependencies: ActivityDependencies) {
  const { database } = dependencies;
  return async function readRate({ orderId }: { orderId: string }): Promise<void> {
    const { terms } = await readOrder(database, orderId);
    await recordReference(database, orderId, await readReference(dependencies, terms));
  };
}

/**
 * The rates of one's own house or of a central bank if they have the pair, else the middle of the provider's. Contract: payments
 * 2.2, 4.2.
 */
export async function readReference(
  { provider, settings, now }: ActivityDependencies,
  { account, sellCurrency: sell, buyCurrency: buy }: Pick<ConversionOrder, 'account' | 'sellCurrency' | 'buyCurrency'>,
): Promise<StoredReference> {
  const rates = await settings.treasury.referenceRates();
  const own = rates === null ? null : ownReference(rates, { sell, buy }, dayOf(now()));
  if (rates !== null && own !== null && own.middle !== null)
    return storedReference(rates.source, own.middle, true, now());
  const reply = await callProvider((options) => provider(account).currencies.rate(`${buy}${sell}`, options));
  if (!(reply instanceof ProviderFailure)) {
    const { bid, ask } = reply.value;
    const middle = middleOf({ bid: withoutFloatNoise(bid), ask: withoutFloatNoise(ask) });
    return storedReference('the provider', middle, false, now());
  }
  if (reply.kind !== 'refused') throw retryLater(reply);
  return storedReference('the provider', null, false, now());
}

function storedReference(
  source: string,
  middle: ReturnType<typeof middleOf>,
  isPrice: boolean,
  readAtMs: number,
): StoredReference {
  if (middle === null) return { source, middle: null, isPrice, readAtMs };
  const { numerator, denominator } = middle;
  return {
    source,
    middle: { numerator: numerator.toFixed(), denominator: denominator.toFixed() },
    isPrice,
    readAtMs,
  };
}

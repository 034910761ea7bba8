import { dayOf } from '../../domain/calendar-date.ts';
import { withoutFloatNoise } from '../../domain/money.ts';
import { middleOf } from '../../domain/treasury/conversion-price.ts';
import { ownReference } from '../../domain/treasury/reference-rates.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { recordReference } from '../../store/treasury/order-requests.ts';
import { readOrder, type StoredReference } from '../../store/treasury/orders.ts';
import { callProvider } from '../calls/call-provider.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/**
 * Records what the next quote of the order is compared with: the rates of one's own house or of a central bank if they have
 * the pair, else the middle of the provider's. Contract: payments 2.2, 4.2.
 */
export function readRateActivity({ database, provider, settings, now }: ActivityDependencies) {
  return async function readRate({ orderId }: { orderId: string }): Promise<void> {
    const { terms } = await readOrder(database, orderId);
    const { sellCurrency: sell, buyCurrency: buy, account } = terms;
    const rates = await settings.treasury.referenceRates();
    const own = rates === null ? null : ownReference(rates, { sell, buy }, dayOf(now()));
    if (rates !== null && own !== null && own.middle !== null) {
      await recordReference(database, orderId, storedReference(rates.source, own.middle, true));
      return;
    }
    const reply = await callProvider((options) => provider(account).currencies.rate(`${buy}${sell}`, options));
    const isRefused = reply instanceof ProviderFailure && reply.kind === 'refused';
    if (reply instanceof ProviderFailure && !isRefused) throw retryLater(reply);
    const middle =
      reply instanceof ProviderFailure
        ? null
        : middleOf({ bid: withoutFloatNoise(reply.value.bid), ask: withoutFloatNoise(reply.value.ask) });
    await recordReference(database, orderId, storedReference('the provider', middle, false));
  };
}

function storedReference(source: string, middle: ReturnType<typeof middleOf>, isPrice: boolean): StoredReference {
  return {
    source,
    middle:
      middle === null ? null : { numerator: middle.numerator.toFixed(), denominator: middle.denominator.toFixed() },
    isPrice,
  };
}

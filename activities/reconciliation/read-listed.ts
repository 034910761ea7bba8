import type { ProviderClient } from '../../provider/client.ts';
import type { Timestamp } from '../../provider/calls/answer-fields.ts';
import { countOursListed, type ListedItem, storeListed } from '../../store/reconciliation/listed-facts.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export interface ListRange {
  account: string;
  day: string;
  /** Milliseconds since the epoch; the end is exclusive. */
  fromMs: number;
  toMs: number;
}

/**
 * Reads the provider's list of the payments that were created in a time, also those that payrun did not make. False: payments
 * of ours are not in it, although others are: it seems to be capped, and a shorter time shows more. Contract: payments 4.4.
 */
export function readListedPaymentsActivity({ database, provider }: ActivityDependencies) {
  return async function readListedPayments(range: ListRange): Promise<{ isComplete: boolean }> {
    const { account } = range;
    const { value } = await callRepeatable((options) =>
      provider(account).simplePayments.findReadable(datesOf(range), options),
    );
    const items = value.flatMap((payment) => itemOf('payment', payment.simplePaymentId, payment.totalFee, payment));
    await storeListed(database, range, items);
    const ids = value.map(({ simplePaymentId }) => simplePaymentId);
    const { left } = await countOursListed(database, account, range, ids);
    return { isComplete: left === 0 || value.length === 0 };
  };
}

/** As `readListedPayments`, for conversions. Contract: payments 4.3. */
export function readListedConversionsActivity({ database, provider }: ActivityDependencies) {
  return async function readListedConversions(range: ListRange): Promise<void> {
    const { value } = await callRepeatable((options) =>
      provider(range.account).conversions.find(datesOf(range), options),
    );
    const items = value.flatMap((conversion) =>
      itemOf('conversion', conversion.conversionId, conversion.totalFees, conversion),
    );
    await storeListed(database, range, items);
  };
}

function datesOf({ fromMs, toMs }: ListRange): { startDate: Date; endDate: Date } {
  return { startDate: new Date(fromMs), endDate: new Date(toMs) };
}

type Shown = Pick<
  Awaited<ReturnType<ProviderClient['conversions']['find']>>[number],
  'status' | 'sellCurrency' | 'buyCurrency' | 'totalAmount' | 'sellAmount' | 'buyAmount'
> & { createdAt: Timestamp | null };

/** Nothing without an amount or a time: no entry could be found for it. */
function itemOf(kind: ListedItem['kind'], providerId: string, fee: string | null, shown: Shown): ListedItem[] {
  const { status, sellCurrency, buyCurrency, sellAmount, buyAmount } = shown;
  const totalAmount = shown.totalAmount ?? sellAmount;
  const createdMs = shown.createdAt?.epochMs ?? null;
  if (sellCurrency === null || totalAmount === null || createdMs === null) return [];
  return [
    {
      kind,
      providerId,
      status,
      sellCurrency,
      buyCurrency,
      totalAmount,
      sellAmount: sellAmount ?? totalAmount,
      buyAmount,
      fee,
      createdMs,
    },
  ];
}

import type { ReceiptRead } from '../../domain/accounts/receipt-schedule.ts';
import { withoutFloatNoise } from '../../domain/money.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { ProviderClient } from '../../provider/client.ts';
import { noteListingAsked, noteListingRead } from '../../store/accounts/listings.ts';
import { noteRefundAsked, type ShownRefund, storeRefunds } from '../../store/accounts/refunds.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { callProvider, callRepeatable } from '../calls/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { retryLater } from '../calls/temporal-failures.ts';

const NOT_FOUND = 404;

/**
 * Reads, in one request, what may explain money that came in: all refunds, or one that a notification named and that the list
 * does not show. A read proves nothing of the money either: only the history does. Contract: account 2.8, 4.5.
 */
export function readReceiptsActivity({ database, provider }: ActivityDependencies) {
  return async function readReceipts({ account, read }: { account: string; read: ReceiptRead }): Promise<void> {
    if (read.kind === 'refund') {
      await noteRefundAsked(database, account, read.id);
      const reply = await callProvider((options) => provider(account).refunds.get(read.id, options));
      if (!(reply instanceof ProviderFailure)) await storeRefunds(database, account, [shownRefundOf(reply.value)]);
      // Anybody may send a notification of a refund that there is not.
      else if (reply.httpStatus !== NOT_FOUND) throw retryLater(reply);
      return;
    }
    await noteListingAsked(database, account, 'refunds');
    const readAt = await beginReading(database);
    const { value: refunds } = await callRepeatable((options) => provider(account).refunds.listReadable(options));
    await storeRefunds(database, account, refunds.map(shownRefundOf));
    await noteListingRead(database, account, 'refunds', readAt);
  };
}

function shownRefundOf(refund: Awaited<ReturnType<ProviderClient['refunds']['get']>>): ShownRefund {
  const { id, resource, resourceId, currency, amount, remarks } = refund;
  return { id, resource, resourceId, currency, amount: withoutFloatNoise(amount), remarks };
}

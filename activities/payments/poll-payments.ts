import { sizeAfter } from '../../domain/payments/poll-schedule.ts';
import { askAgain, listToReadSingly, nextPollRange, noteReadAttempt } from '../../store/payments/poll-batches.ts';
import { applyProviderStatuses } from '../../store/payments/provider-statuses.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { observationOf } from './payment-update.ts';

/** The rest is read in the next round. */
const MAX_SINGLE_READS = 20;

/**
 * Reads the next `size` payments in flight, by a range of the provider's creation times. An entry that cannot be parsed does
 * not affect the others. `nextSize`: how many the next read should cover, fewer if this answer seems to be capped, else more
 * again. Contract: payments 4.4.
 */
export function pollPaymentsActivity({ database, provider, settings }: ActivityDependencies) {
  return async function pollPayments({
    account,
    size,
  }: {
    account: string;
    size: number;
  }): Promise<{ nextSize: number }> {
    const readAt = await beginReading(database);
    const range = await nextPollRange(database, account, size);
    if (range === null) return { nextSize: size };
    const paymentIds = range.payments.map(({ paymentId }) => paymentId);
    // Noted before the request, so that its payments are read singly also when no answer comes.
    await noteReadAttempt(database, paymentIds, readAt);
    const { value: payments } = await callRepeatable((options) =>
      provider(account).simplePayments.findReadable({ startDate: range.startDate, endDate: range.endDate }, options),
    ).catch(async (error: unknown) => {
      // Many are asked for again by a smaller read; few are read one by one in this round.
      if (paymentIds.length > MAX_SINGLE_READS) await askAgain(database, paymentIds, readAt);
      throw error;
    });
    await applyProviderStatuses(
      database,
      account,
      readAt,
      payments.map((payment) => observationOf(payment, settings.stateOf)),
    );
    const shown = new Set(payments.map((payment) => payment.simplePaymentId));
    const missing = range.payments.flatMap(({ paymentId, providerPaymentId }) =>
      shown.has(providerPaymentId) ? [] : [paymentId],
    );
    const next = sizeAfter(size, range.payments.length, range.payments.length - missing.length);
    if (next.askAgain) await askAgain(database, missing, readAt);
    return { nextSize: next.nextSize };
  };
}

/** Payments to be read one by one in this round. */
export function listPaymentsToReadActivity({ database, settings }: ActivityDependencies) {
  return async function listPaymentsToRead({ account }: { account: string }): Promise<{ paymentIds: string[] }> {
    const bounds = {
      ageLimitMs: settings.confirmationAgeLimitMs,
      fundsAgeLimitMs: settings.fundsAgeLimitMs,
      limit: MAX_SINGLE_READS,
    };
    return { paymentIds: await listToReadSingly(database, account, bounds) };
  };
}

import { MAX_SWEEP_SIZE, sizeAfter } from '../../domain/payments/sweep-schedule.ts';
import { askAgain, listToReadSingly, nextSweepWindow, noteReadAttempt } from '../../store/payments/sweep-batches.ts';
import { applyProviderStatuses } from '../../store/payments/provider-statuses.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { observationOf } from './payment-update.ts';

/** The rest is read in the next round. */
const MAX_SINGLE_READS = 20;

export interface Sweep {
  seen: number;
  /** In histories of the version before: ids of payments that the answer left out. */
  missing: string[];
  /** How many payments the next read should cover: fewer if this answer seems to be capped, else more again. */
  nextSize?: number;
}

/**
 * Reads the next `size` payments in flight, by a window of the provider's creation times. An entry that cannot be parsed
 * does not affect the others. Contract: payments 4.4.
 */
export function sweepPaymentsActivity({ database, provider, settings }: ActivityDependencies) {
  return async function sweepPayments(input: { account: string; size?: number }): Promise<Sweep> {
    const { account, size = MAX_SWEEP_SIZE } = input;
    const readAt = await beginReading(database);
    const window = await nextSweepWindow(database, account, size);
    if (window === null) return { seen: 0, missing: [], nextSize: size };
    const paymentIds = window.payments.map(({ paymentId }) => paymentId);
    // Noted before the request, so that its payments are read singly also when no answer comes.
    await noteReadAttempt(database, paymentIds, readAt);
    const { value: payments } = await callRepeatable((options) =>
      provider(account).simplePayments.findReadable({ startDate: window.startDate, endDate: window.endDate }, options),
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
    const missing = window.payments.filter(({ providerPaymentId }) => !shown.has(providerPaymentId));
    const seen = window.payments.length - missing.length;
    const next = sizeAfter(size, window.payments.length, seen);
    const missingIds = missing.map(({ paymentId }) => paymentId);
    if (next.askAgain) await askAgain(database, missingIds, readAt);
    return { seen, missing: missingIds.slice(0, MAX_SINGLE_READS), nextSize: next.nextSize };
  };
}

/** Payments to be read one by one in this round. */
export function listToReadActivity({ database, settings }: ActivityDependencies) {
  return async function listToRead({ account }: { account: string }): Promise<{ paymentIds: string[] }> {
    const bounds = {
      ageLimitMs: settings.confirmationAgeLimitMs,
      fundsAgeLimitMs: settings.fundsAgeLimitMs,
      limit: MAX_SINGLE_READS,
    };
    return { paymentIds: await listToReadSingly(database, account, bounds) };
  };
}

import { nextSweepWindow, recordSightings } from '../store/confirmation.ts';
import { beginReading } from '../store/reading.ts';
import { callRepeatable } from './call-provider.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { sightingOf } from './payment-facts.ts';

/** Payments that one read is to show; the oldest in flight come first. */
const PAYMENTS_PER_SWEEP = 2_000;

/** Reads that an incomplete answer may cost; the others are missing again at the next sweep. */
const MOST_READ_SINGLY = 20;

/**
 * Reads all payments in flight at once, by the window of the provider's own creation times. `missing` are those that
 * the answer should have shown and did not: they are to be read one by one. Contract: payments 4.4.
 */
export function sweepPaymentsActivity({ database, provider, settings }: ActivityDependencies) {
  return async function sweepPayments({ account }: { account: string }): Promise<{ seen: number; missing: string[] }> {
    const readAt = await beginReading(database);
    const window = await nextSweepWindow(database, account, PAYMENTS_PER_SWEEP);
    if (window === null) return { seen: 0, missing: [] };
    const { value: payments } = await callRepeatable((options) =>
      provider(account).simplePayments.find({ startDate: window.startDate, endDate: window.endDate }, options),
    );
    await recordSightings(
      database,
      account,
      readAt,
      payments.map((payment) => sightingOf(payment, settings.stateOf)),
    );
    const shown = new Set(payments.map((payment) => payment.simplePaymentId));
    const missing = window.payments.filter(({ providerPaymentId }) => !shown.has(providerPaymentId));
    return {
      seen: window.payments.length - missing.length,
      missing: missing.slice(0, MOST_READ_SINGLY).map(({ paymentId }) => paymentId),
    };
  };
}

import { narrowerSweep, WIDEST_SWEEP, widerSweep } from '../../domain/payments/sweep-schedule.ts';
import {
  listToReadSingly,
  nextSweepWindow,
  noteAsked,
  applyProviderStatuses,
} from '../../store/payments/confirmation.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { callRepeatable } from './call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { observationOf } from './payment-update.ts';

/** Reads that a round may cost beside the first; the others have their turn in the next one. */
const MOST_READ_SINGLY = 20;

export interface Sweep {
  seen: number;
  /** In histories of the version before: those that the answer should have shown and did not. */
  missing: string[];
  /** How many the next read is to show: fewer where this answer seems to be capped, else more again. */
  nextSize?: number;
}

/**
 * Reads payments in flight by the window of the provider's own creation times: those whose turn it is, as many as `size`
 * says. An entry that cannot be read harms no other one. Contract: payments 4.4.
 */
export function sweepPaymentsActivity({ database, provider, settings }: ActivityDependencies) {
  return async function sweepPayments(input: { account: string; size?: number }): Promise<Sweep> {
    const { account, size = WIDEST_SWEEP } = input;
    const readAt = await beginReading(database);
    const window = await nextSweepWindow(database, account, size);
    if (window === null) return { seen: 0, missing: [], nextSize: size };
    const paymentIds = window.payments.map(({ paymentId }) => paymentId);
    // Before it is asked: what an answer that never comes was to show is read singly as well.
    await noteAsked(database, paymentIds, readAt);
    const { value: payments } = await callRepeatable((options) =>
      provider(account).simplePayments.findReadable({ startDate: window.startDate, endDate: window.endDate }, options),
    );
    await applyProviderStatuses(
      database,
      account,
      readAt,
      payments.map((payment) => observationOf(payment, settings.stateOf)),
    );
    const shown = new Set(payments.map((payment) => payment.simplePaymentId));
    const missing = window.payments.filter(({ providerPaymentId }) => !shown.has(providerPaymentId));
    return {
      seen: window.payments.length - missing.length,
      missing: missing.slice(0, MOST_READ_SINGLY).map(({ paymentId }) => paymentId),
      nextSize: nextSizeOf(size, window.payments.length, missing.length),
    };
  };
}

/** Half of an answer that left many out; twice of one that was full and left none out. */
function nextSizeOf(size: number, asked: number, missing: number): number {
  if (missing > Math.max(MOST_READ_SINGLY, asked / 10)) return narrowerSweep(asked);
  return missing === 0 && asked >= size ? widerSweep(size) : size;
}

/** Payments to be read one by one in this round. */
export function listToReadActivity({ database, settings }: ActivityDependencies) {
  return async function listToRead({ account }: { account: string }): Promise<{ paymentIds: string[] }> {
    const bounds = {
      ageLimitMs: settings.confirmationAgeLimitMs,
      fundsAgeLimitMs: settings.fundsAgeLimitMs,
      limit: MOST_READ_SINGLY,
    };
    return { paymentIds: await listToReadSingly(database, account, bounds) };
  };
}

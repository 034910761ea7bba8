import { type PaymentState, stateOfProviderStatus } from '../domain/payment-state.ts';
import { recordSightings } from '../store/confirmation.ts';
import { settleOpenRequest } from '../store/payment-outcome.ts';
import { readOpenRequest } from '../store/payment-requests.ts';
import { readPayment as readRecord } from '../store/payments.ts';
import { callRepeatable } from './call-provider.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { factsOfEnd, factsOfPayment, sightingOf } from './payment-facts.ts';
import { waitUntilSettled } from './settle-time.ts';

export type ReadOutcome = { kind: 'moved_on'; state: PaymentState } | { kind: 'awaiting_funds' };

/** Fundings that were refused this often, with the payment still unfunded, are given up. */
const REFUSALS_BEFORE_GIVING_UP = 3;

/**
 * Reads one payment. Where a funding is open, the read settles it: past `awaiting_funds` it took effect; still there
 * after the settle time it did not, and may be sent again.
 */
export function readPaymentActivity({ database, provider, settings, now }: ActivityDependencies) {
  return async function readPayment({ paymentId }: { paymentId: string }): Promise<ReadOutcome> {
    const open = await readOpenRequest(database, paymentId, 'fund');
    const { account, providerPaymentId } = await readRecord(database, paymentId);
    if (providerPaymentId === null) throw new Error(`payment ${paymentId} is not known to the provider`);
    if (open !== null) waitUntilSettled(open, settings);
    const { value } = await callRepeatable((options) =>
      provider(account).simplePayments.item(providerPaymentId, options),
    );
    if (open === null) {
      await recordSightings(database, account, [sightingOf(value)]);
      const { state } = await readRecord(database, paymentId);
      return state === 'created' ? { kind: 'awaiting_funds' } : { kind: 'moved_on', state };
    }
    const state = stateOfProviderStatus(value.status);
    if (state === null || state === 'created') {
      const givenUp = open.earlierRefused >= REFUSALS_BEFORE_GIVING_UP;
      await settleOpenRequest(database, {
        requestId: open.requestId,
        outcome: 'had_no_effect',
        to: givenUp ? 'failed' : null,
        facts: givenUp ? { settled_at: new Date(now()) } : {},
      });
      return givenUp ? { kind: 'moved_on', state: 'failed' } : { kind: 'awaiting_funds' };
    }
    await settleOpenRequest(database, {
      requestId: open.requestId,
      outcome: 'took_effect',
      to: state,
      facts: {
        error_code: null,
        error_message: null,
        ...factsOfPayment(value),
        ...factsOfEnd(value, state, now()),
        ...(state === 'processing' || state === 'paid' ? { funded_at: new Date(now()) } : {}),
      },
    });
    return { kind: 'moved_on', state };
  };
}

import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { StateOfStatus } from '../../domain/payments/provider-status.ts';
import { tryAgainIn } from '../calls/temporal-failures.ts';

const STATUS_NOT_KNOWN_RETRY_MS = 30_000;

/**
 * The payment state for a status of the provider. An unknown status shows neither that a request took effect nor that the
 * payment may be funded, so nothing is sent, and the activity is retried.
 */
export function knownState(providerStatus: string, stateOf: StateOfStatus): PaymentState {
  const state = stateOf(providerStatus);
  // guard: unknown-status-resolves-nothing
  if (state !== null) return state;
  throw tryAgainIn(STATUS_NOT_KNOWN_RETRY_MS, 'status_not_known', 'the provider shows a status that is not known');
}

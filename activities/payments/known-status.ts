import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { StateOfStatus } from '../../domain/payments/provider-status.ts';
import { tryAgainIn } from './call-provider.ts';

const STATUS_NOT_KNOWN_RETRY_MS = 30_000;

/**
 * The state that a status of the provider stands for. One that nobody has said the meaning of says neither that a request took
 * effect nor that the payment is to be funded: nothing is sent upon it, and the step looks again later.
 */
export function knownState(providerStatus: string, stateOf: StateOfStatus): PaymentState {
  const state = stateOf(providerStatus);
  if (state !== null) return state;
  throw tryAgainIn(STATUS_NOT_KNOWN_RETRY_MS, 'status_not_known', 'the provider shows a status that says nothing');
}

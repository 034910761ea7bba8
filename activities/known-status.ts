import { type PaymentState, stateOfProviderStatus } from '../domain/payment-state.ts';
import { tryAgainIn } from './call-provider.ts';

const STATUS_NOT_KNOWN_RETRY_MS = 30_000;

/**
 * The state that a status of the provider stands for. One that is in no contract says neither that a request took
 * effect nor that the payment is to be funded: nothing is sent upon it, and the step looks again later.
 */
export function knownState(providerStatus: string): PaymentState {
  const state = stateOfProviderStatus(providerStatus);
  if (state !== null) return state;
  throw tryAgainIn(STATUS_NOT_KNOWN_RETRY_MS, 'status_not_known', 'the provider shows a status that says nothing');
}

import type { PaymentState } from './payment-state.ts';

/** The statuses named in the contract, each with the payment state that it means. Contract: payments 3. */
const DOCUMENTED_STATUSES = {
  awaiting_funds: 'created',
  processing: 'processing',
  completed: 'paid',
  rejected: 'rejected',
  failed: 'failed',
} as const satisfies Record<string, PaymentState>;

/** The possible meanings of an extra status. Not `awaiting_funds`, because it would cause the payment to be funded. */
export const EXTRA_STATUS_MEANINGS = ['processing', 'completed', 'rejected', 'failed'] as const;

/** Undocumented statuses, each with the documented status that it counts as. */
export type ExtraStatuses = Readonly<Record<string, (typeof EXTRA_STATUS_MEANINGS)[number]>>;

/** Names that newer versions of the provider use for a payment in process. */
export const KNOWN_EXTRA_STATUSES: ExtraStatuses = { under_review: 'processing', in_transit: 'processing' };

/**
 * The payment state that a provider status means. Null for an unknown status, which is stored and shown unchanged and
 * causes no transition.
 */
export type StateOfStatus = (status: string) => PaymentState | null;

export function stateByStatus(extra: ExtraStatuses): StateOfStatus {
  const states = new Map<string, PaymentState>([
    ...Object.entries(extra).map(([status, meaning]) => [status, DOCUMENTED_STATUSES[meaning]] as const),
    // guard: contract-names-its-statuses (3 lines)
    // A setting cannot change the meaning of a documented status.
    ...Object.entries(DOCUMENTED_STATUSES),
  ]);
  return (status) => states.get(status) ?? null;
}

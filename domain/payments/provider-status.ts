import type { PaymentState } from './payment-state.ts';

/** Statuses of a payment that the contract names, each with the row state that it means. Contract: payments 3. */
const DOCUMENTED = {
  awaiting_funds: 'created',
  processing: 'processing',
  completed: 'paid',
  rejected: 'rejected',
  failed: 'failed',
} as const satisfies Record<string, PaymentState>;

/** What another status may be said to mean. Not `awaiting_funds`: a payment would be funded on the strength of it. */
export const MEANINGS_OF_OTHERS = ['processing', 'completed', 'rejected', 'failed'] as const;

/** Statuses beside the documented ones, each with the documented one that it counts as. */
export type OtherStatuses = Readonly<Record<string, (typeof MEANINGS_OF_OTHERS)[number]>>;

/** Names that newer versions of the provider use for a payment on its way. */
export const KNOWN_OTHER_STATUSES: OtherStatuses = { under_review: 'processing', in_transit: 'processing' };

/**
 * The row state that a status of the provider means. Null for one that nobody has said the meaning of: it is kept and shown
 * as it came, and moves nothing.
 */
export type StateOfStatus = (status: string) => PaymentState | null;

export function statesOfStatuses(others: OtherStatuses): StateOfStatus {
  const states = new Map<string, PaymentState>([
    ...Object.entries(others).map(([status, meaning]) => [status, DOCUMENTED[meaning]] as const),
    // What the contract names means what it says there.
    ...Object.entries(DOCUMENTED),
  ]);
  return (status) => states.get(status) ?? null;
}

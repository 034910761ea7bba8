import type { PaymentState } from './payment-state.ts';
import type { StateOfStatus } from './provider-status.ts';
import type { ResolvedAs } from './resolution.ts';

/** What one look at the provider showed of a payment. Identifiers and statuses alone. */
export interface LookUp {
  /** A find by our reference, or a read by the provider's id. Contract: payments 4.4. */
  asked: 'find' | 'read';
  /** Payments under our reference. */
  payments: readonly { providerPaymentId: string; status: string }[];
  /** It answered with others' payments alone: then it says nothing of ours. */
  onlyOthers: boolean;
}

/** The look in one word, for the evidence: `nothing`, `only_others`, `several`, or the status that was seen. */
export function seenIn({ payments, onlyOthers }: LookUp): string {
  const [one, ...more] = payments;
  if (one === undefined) return onlyOthers ? 'only_others' : 'nothing';
  return more.length > 0 ? 'several' : one.status;
}

export interface Contradiction {
  /** For people. */
  says: string;
  /** The one payment that the provider shows, if it is one. */
  shown: { providerPaymentId: string; status: string } | null;
  /** What the row becomes by the provider's word; null: it stays unknown. */
  state: Extract<PaymentState, 'paid' | 'rejected' | 'failed'> | null;
}

/**
 * Whether the provider says otherwise than two people would. Its silence contradicts nothing, since they may know
 * more than a find shows; a payment that is or may yet be paid is never called unpaid.
 */
export function contradictionOf(
  proposal: { as: ResolvedAs; providerPaymentId: string | null },
  lookUps: readonly LookUp[],
  stateOf: StateOfStatus,
): Contradiction | null {
  const payments = [
    ...new Map(lookUps.flatMap((look) => look.payments).map((seen) => [seen.providerPaymentId, seen])).values(),
  ];
  const unread = lookUps.some(({ asked, payments: seen }) => asked === 'read' && seen.length === 0);
  if (unread && (proposal.as === 'paid' || proposal.providerPaymentId !== null)) {
    return { says: 'the provider shows no payment of this row under the id', shown: null, state: null };
  }
  if (payments.length === 0) return null;
  const states = payments.map(({ status }) => stateOf(status));
  const [only, ...more] = payments;
  const shown = only !== undefined && more.length === 0 ? only : null;
  if (!isContradicted(proposal.as, states, shown !== null)) return null;
  const [state] = states;
  const isEnd = state === 'paid' || state === 'rejected' || state === 'failed';
  return {
    says: `the provider shows ${payments.map(({ providerPaymentId, status }) => `payment ${providerPaymentId} as ${status}`).join(', ')}`,
    shown,
    state: shown !== null && isEnd ? state : null,
  };
}

function isContradicted(as: ResolvedAs, states: readonly (PaymentState | null)[], isOne: boolean): boolean {
  switch (as) {
    case 'never_created':
      return true;
    case 'paid':
      // `processing` for a week is what people are asked about: they may know that it was paid.
      return !states.some((state) => state === 'paid' || state === 'processing' || state === null);
    case 'rejected':
    case 'failed': {
      if (states.some((state) => state === 'paid' || state === 'processing')) return true;
      return isOne && states.some((state) => (state === 'rejected' || state === 'failed') && state !== as);
    }
  }
}

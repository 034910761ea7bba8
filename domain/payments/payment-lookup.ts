import { hasFailed, hasOutcome, isUnfunded, moneyHasLeft, type PaymentState } from './payment-state.ts';
import type { StateOfStatus } from './provider-status.ts';
import type { ManualOutcomeKind } from './manual-outcome.ts';

/** The provider's answer about one payment: only ids and statuses. */
export interface PaymentLookup {
  /** By our reference, or by the provider's id. Contract: payments 4.4. */
  asked: 'by_reference' | 'by_id';
  /** The payments with our reference. */
  payments: readonly { providerPaymentId: string; status: string }[];
  /** The answer had only payments with other references, so it proves nothing about ours. */
  onlyOthers: boolean;
}

/** The result as evidence, in one word: `nothing`, `only_others`, `several`, or the status of the payment. */
export function lookupSummary({ payments, onlyOthers }: PaymentLookup): string {
  const [one, ...more] = payments;
  if (one === undefined) return onlyOthers ? 'only_others' : 'nothing';
  return more.length > 0 ? 'several' : one.status;
}

export interface Contradiction {
  /** For people. */
  says: string;
  /** The payment, if the provider shows exactly one. */
  shown: { providerPaymentId: string; status: string } | null;
  /** The state of the row according to the provider; null: it stays unknown. */
  state: PaymentState | null;
}

/**
 * How the provider contradicts a proposed manual outcome, or null. An empty answer contradicts nothing, as people may know
 * more than a search shows. An id that is another payment's contradicts whatever is said of this row. A payment that is or may still be paid is never resolved as unpaid: one
 * that is unfunded there may be, until its cut-off time.
 */
export function contradictionOf(
  proposal: { outcome: ManualOutcomeKind; providerPaymentId: string | null },
  lookups: readonly PaymentLookup[],
  { stateOf, isPastCutoff }: { stateOf: StateOfStatus; isPastCutoff: boolean },
): Contradiction | null {
  const payments = [
    ...new Map(lookups.flatMap((look) => look.payments).map((seen) => [seen.providerPaymentId, seen])).values(),
  ];
  const isMissing = lookups.some(({ asked, payments: seen }) => asked === 'by_id' && seen.length === 0);
  if (isMissing && (proposal.outcome === 'paid' || proposal.providerPaymentId !== null)) {
    return { says: 'the provider shows no payment of this row under the id', shown: null, state: null };
  }
  // guard: other-reference-contradicts
  if (lookups.some(({ asked, onlyOthers }) => asked === 'by_id' && onlyOthers)) {
    return { says: 'the provider shows a payment with another reference under the id', shown: null, state: null };
  }
  if (payments.length === 0) return null;
  const states = payments.map(({ status }) => stateOf(status));
  const [only, ...more] = payments;
  const shown = only !== undefined && more.length === 0 ? only : null;
  if (!isContradicted(proposal.outcome, states, { isOne: shown !== null, isPastCutoff })) return null;
  const [state = null] = states;
  return {
    says: `the provider shows ${payments.map(({ providerPaymentId, status }) => `payment ${providerPaymentId} as ${status}`).join(', ')}`,
    shown,
    state: shown !== null && state !== null && hasOutcome(state) ? state : null,
  };
}

/** Whether one that the provider shows so was paid, or may still be: one that is unfunded there can be funded until its cut-off time. */
export function mayBePaid(state: PaymentState | null, isPastCutoff: boolean): boolean {
  if (state === null || hasFailed(state)) return false;
  // guard: unfunded-past-its-cutoff
  return !(isUnfunded(state) && isPastCutoff);
}

function isContradicted(
  outcome: ManualOutcomeKind,
  states: readonly (PaymentState | null)[],
  { isOne, isPastCutoff }: { isOne: boolean; isPastCutoff: boolean },
): boolean {
  switch (outcome) {
    // guard: never-created-is-contradicted (2 lines)
    case 'never_created':
      return true;
    case 'paid':
      // People resolve payments that have been `processing` for days, and may know that one was paid.
      return !states.some((state) => state === null || moneyHasLeft(state));
    case 'rejected':
    case 'failed': {
      // Unfunded as well: anybody could still fund it there, until its cut-off time. Then it has failed.
      // guard: unpaid-is-contradicted
      if (states.some((state) => mayBePaid(state, isPastCutoff && outcome === 'failed'))) return true;
      return isOne && states.some((state) => state !== null && hasFailed(state) && state !== outcome);
    }
  }
}

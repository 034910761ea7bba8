import { canonicalJson } from '../canonical-json.ts';
import type { PaymentState } from './payment-state.ts';
import type { ManualOutcomeState } from './manual-outcome-state.ts';

/** How two people resolve a payment with an unknown outcome: one proposes the outcome, another confirms it. */

export const MANUAL_OUTCOME_KINDS = ['paid', 'rejected', 'failed', 'never_created'] as const;
export type ManualOutcomeKind = (typeof MANUAL_OUTCOME_KINDS)[number];

/** A payment that was never created ends unpaid. It is paid only if it is submitted again. */
export function stateOfManualOutcome(
  outcome: ManualOutcomeKind,
): Extract<PaymentState, 'paid' | 'rejected' | 'failed' | 'cancelled'> {
  return outcome === 'never_created' ? 'cancelled' : outcome;
}

/** The facts about a payment on which a proposal is based. */
export interface Evidence {
  state: PaymentState;
  attempt: number;
  errorCode: string | null;
  providerPaymentId: string | null;
  providerStatus: string | null;
  requests: readonly { operation: string; attempt: number; outcome: string | null; httpStatus: number | null }[];
}

/** Equal evidence gives equal texts. A proposal is bound to the hash of the text. */
export function evidenceText({
  state,
  attempt,
  errorCode,
  providerPaymentId,
  providerStatus,
  requests,
}: Evidence): string {
  return canonicalJson({
    state,
    attempt,
    errorCode,
    providerPaymentId,
    providerStatus,
    requests: requests.map(({ operation, attempt: of, outcome, httpStatus }) => [operation, of, outcome, httpStatus]),
  });
}

/** The provider shows several payments with one reference, and only people can say which one counts. */
export const FOUND_MORE_THAN_ONCE = 'found_more_than_once';

/** Why a row cannot be resolved in this way, or null. */
export function objectionToProposal(
  row: Pick<Evidence, 'state' | 'errorCode' | 'providerPaymentId'>,
  proposal: { outcome: ManualOutcomeKind; providerPaymentId: string | null },
): string | null {
  if (row.state !== 'unknown') return `the row is ${row.state}: only an unknown one is resolved by people`;
  if (proposal.outcome === 'never_created') {
    if (proposal.providerPaymentId !== null) return 'what was never created has no provider payment id: leave it out';
    // guard: known-is-created
    if (row.providerPaymentId !== null)
      return `the provider has created it, as payment ${row.providerPaymentId}: say paid, rejected or failed`;
  }
  const isOther =
    proposal.providerPaymentId !== null &&
    row.providerPaymentId !== null &&
    proposal.providerPaymentId !== row.providerPaymentId;
  return isOther && row.errorCode !== FOUND_MORE_THAN_ONCE
    ? `the provider knows this row as payment ${row.providerPaymentId}, not by the id that was given`
    : null;
}

export interface ManualOutcomeRefusal {
  why: 'maker_confirms' | 'proposer_confirms' | 'not_open' | 'row_has_changed' | 'provider_not_asked';
  message: string;
}

/** The result of a confirmation. */
export type ConfirmOutcome =
  | { kind: 'confirmed' }
  /** The provider contradicts the proposal, and what it shows was recorded instead. */
  | { kind: 'contradicted'; says: string }
  | { kind: 'refused'; refusal: ManualOutcomeRefusal };

/** Why this user cannot confirm the proposal now, or null. The maker of the run never can, whatever their role. */
export function objectionToConfirming(
  proposal: { state: ManualOutcomeState; proposedBy: string; evidenceHash: string },
  now: { confirmedBy: string; maker: string; evidenceHash: string },
): ManualOutcomeRefusal | null {
  // guard: resolved-by-another-still
  if (proposal.proposedBy === now.confirmedBy) {
    return {
      why: 'proposer_confirms',
      message: 'who proposed a manual outcome cannot confirm it; ask a second person',
    };
  }
  // guard: not-resolved-by-maker-still
  if (now.maker === now.confirmedBy) {
    return { why: 'maker_confirms', message: 'the maker of a run cannot confirm how a row of it ended; ask a checker' };
  }
  if (proposal.state !== 'proposed') {
    return { why: 'not_open', message: `the proposal is ${proposal.state} already` };
  }
  // guard: resolved-as-known
  return proposal.evidenceHash === now.evidenceHash
    ? null
    : {
        why: 'row_has_changed',
        message: 'more is known of the row than when this was proposed: look at it and propose again',
      };
}

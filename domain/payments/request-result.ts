import { statesWhere } from '../state-table.ts';

/** Requests to the provider: how they were answered, what became of them, and which of them may be repeated. */

/** The answer that is recorded with a request: `as_asked`, or how it failed. */
export const ANSWER_KINDS = [
  'as_asked',
  'not_sent',
  'rate_limited',
  'unauthenticated',
  'refused',
  'duplicate_reference',
  'unknown_outcome',
] as const;

export type AnswerKind = (typeof ANSWER_KINDS)[number];
export type FailureKind = Exclude<AnswerKind, 'as_asked'>;

interface AnswerKindRow {
  /** Whether the request may have had an effect, now or later. If not, it is sent again as it is. */
  mayHaveTakenEffect: boolean;
  /** The provider has refused the request itself. */
  isRefusal: boolean;
  /** The provider does not do it, for this request or for these credentials: trying again soon would change nothing. */
  isDenied: boolean;
  /** Only a lookup shows whether it took effect. */
  needsLookup: boolean;
}

/**
 * - `not_sent`: it certainly did not reach the provider.
 * - `rate_limited`: the provider rejected it without processing it; it is sent again after the pause.
 * - `unauthenticated`: the credentials do not work, or a new token was refused; nothing happened.
 *   Of a request that must not be repeated, both only by the provider's own error: a gateway's page is an unknown outcome.
 * - `refused`: the provider processed and refused it; a refusal may still mean that it was done before.
 * - `duplicate_reference`: the reference may be in use.
 * - `unknown_outcome`: it may have taken effect.
 */
export const ANSWER_TABLE: Readonly<Record<AnswerKind, AnswerKindRow>> = {
  as_asked: { mayHaveTakenEffect: true, isRefusal: false, isDenied: false, needsLookup: false },
  not_sent: { mayHaveTakenEffect: false, isRefusal: false, isDenied: false, needsLookup: false },
  rate_limited: { mayHaveTakenEffect: false, isRefusal: false, isDenied: false, needsLookup: false },
  unauthenticated: { mayHaveTakenEffect: false, isRefusal: false, isDenied: true, needsLookup: false },
  refused: { mayHaveTakenEffect: true, isRefusal: true, isDenied: true, needsLookup: false },
  duplicate_reference: { mayHaveTakenEffect: true, isRefusal: true, isDenied: false, needsLookup: true },
  unknown_outcome: { mayHaveTakenEffect: true, isRefusal: false, isDenied: false, needsLookup: true },
};

/** Kinds of answers after which the request may have taken effect; others provably changed nothing. */
export const EFFECTIVE_ANSWERS = statesWhere(ANSWER_TABLE, ({ mayHaveTakenEffect }) => mayHaveTakenEffect);

/** Kinds of answers with which the provider refuses a request. */
export const REFUSALS = statesWhere(ANSWER_TABLE, ({ isRefusal }) => isRefusal);

/** Kinds of answers after which only a lookup shows whether the request took effect. */
export const UNCERTAIN_ANSWERS = statesWhere(ANSWER_TABLE, ({ needsLookup }) => needsLookup);

export function isRefusal(answer: AnswerKind): boolean {
  return ANSWER_TABLE[answer].isRefusal;
}

/**
 * What became of a request, and how that is known. While none is recorded, it may have taken effect.
 *
 * - `took_effect`: the provider answered so (`as_asked`), or it was seen there (any other answer).
 * - `refused`: the provider answered that it did not do it.
 * - `not_sent`: proof. It was not sent, or the provider did not let it in.
 * - `not_seen`: inferred. Where its effect would show, it did not: it may still come, and contradict this.
 */
export const REQUEST_OUTCOMES = ['took_effect', 'refused', 'not_sent', 'not_seen'] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

interface RequestOutcomeRow {
  /** No other request of the kind begins: it would do the same a second time. */
  blocksAnother: boolean;
  /** The provider may have done it, or do it yet: its money stays committed, and its debit is looked for. */
  mayBeEffect: boolean;
  /** It was not answered with an effect or a refusal: another request of the kind waits longer than this one did. */
  hadNoEffect: boolean;
}

export const REQUEST_OUTCOME_TABLE: Readonly<Record<RequestOutcome, RequestOutcomeRow>> = {
  took_effect: { blocksAnother: true, mayBeEffect: true, hadNoEffect: false },
  refused: { blocksAnother: false, mayBeEffect: false, hadNoEffect: false },
  not_sent: { blocksAnother: false, mayBeEffect: false, hadNoEffect: true },
  not_seen: { blocksAnother: false, mayBeEffect: true, hadNoEffect: true },
};

/** While no outcome is recorded, a request may have taken effect as well. */
export const EFFECTIVE_OUTCOMES = statesWhere(REQUEST_OUTCOME_TABLE, ({ mayBeEffect }) => mayBeEffect);

/** While no outcome is recorded, no other request begins either. */
export const BLOCKING_OUTCOMES = statesWhere(REQUEST_OUTCOME_TABLE, ({ blocksAnother }) => blocksAnother);

/** Nothing came of a request, for certain or as far as can be seen. */
export const OUTCOMES_WITHOUT_EFFECT = statesWhere(REQUEST_OUTCOME_TABLE, ({ hadNoEffect }) => hadNoEffect);

/** The outcome of a failed request that is simply sent again. */
export function outcomeOfFailure(answer: FailureKind): 'not_sent' | 'not_seen' {
  return ANSWER_TABLE[answer].mayHaveTakenEffect ? 'not_seen' : 'not_sent';
}

/** The requests that are recorded of a payment, and of an order to convert. */
export const PAYMENT_OPERATIONS = ['quote', 'create', 'fund'] as const;
export type PaymentOperation = (typeof PAYMENT_OPERATIONS)[number];
export type NonIdempotentOperation = Exclude<PaymentOperation, 'quote'>;

/** `isNonIdempotent`: a second one could move money twice, so it begins only when the outcome of the last one is known. */
export const PAYMENT_OPERATION_TABLE: Readonly<Record<PaymentOperation, { isNonIdempotent: boolean }>> = {
  quote: { isNonIdempotent: false },
  create: { isNonIdempotent: true },
  fund: { isNonIdempotent: true },
};

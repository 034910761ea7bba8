/**
 * How a request to the provider failed, which decides the next step:
 * - `not_sent`: it certainly did not reach the provider; send it again.
 * - `rate_limited`: the provider rejected it without processing it; send it again after the pause.
 * - `unauthenticated`: the credentials do not work, or a new token was refused; nothing happened.
 *   Of a request that must not be repeated, both only by the provider's own error: a gateway's page is an unknown outcome.
 * - `refused`: the provider processed and refused it; nothing happened.
 * - `duplicate_reference`: the reference may be in use; look it up first.
 * - `unknown_outcome`: it may have taken effect; look it up, unless the operation is idempotent.
 */
export type FailureKind =
  | 'not_sent'
  | 'rate_limited'
  | 'unauthenticated'
  | 'refused'
  | 'duplicate_reference'
  | 'unknown_outcome';

/** The kind of answer that is recorded with a request. */
export type AnswerKind = 'as_asked' | FailureKind;

/** Kinds of answers with which the provider refuses a request. */
export const REFUSALS = ['refused', 'duplicate_reference'] as const satisfies readonly AnswerKind[];

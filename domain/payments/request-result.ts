/**
 * What a request that the provider did not answer as asked means for the money, which is what decides the next step:
 * - `not_sent`: it provably never reached the provider; send it again.
 * - `rate_limited`: the provider turned it away unread; send it again after the pause.
 * - `unauthenticated`: the credentials do not work, or a fresh token was refused; nothing happened.
 * - `refused`: the provider read it and said no; nothing happened.
 * - `duplicate_reference`: the reference may be taken; look it up before anything else.
 * - `unknown_outcome`: it may or may not have happened; look it up, unless the operation is safe to repeat.
 */
export type FailureKind =
  | 'not_sent'
  | 'rate_limited'
  | 'unauthenticated'
  | 'refused'
  | 'duplicate_reference'
  | 'unknown_outcome';

/** What is kept with a request of its answer. */
export type AnswerMeaning = 'as_asked' | FailureKind;

/** Answers by which the provider said no, in whatever way. */
export const REFUSALS = ['refused', 'duplicate_reference'] as const satisfies readonly AnswerMeaning[];

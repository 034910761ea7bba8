import { expect, test } from 'vitest';
import {
  ANSWER_KINDS,
  ANSWER_TABLE,
  BLOCKING_OUTCOMES,
  EFFECTIVE_ANSWERS,
  EFFECTIVE_OUTCOMES,
  type FailureKind,
  outcomeOfFailure,
  OUTCOMES_WITHOUT_EFFECT,
  PAYMENT_OPERATION_TABLE,
  PAYMENT_OPERATIONS,
  REFUSALS,
  UNCERTAIN_ANSWERS,
} from '../../domain/payments/request-result.ts';

test('a request has had no effect only if it was not let in: a refusal may mean that it was done before', () => {
  expect(EFFECTIVE_ANSWERS).toEqual(['as_asked', 'refused', 'duplicate_reference', 'unknown_outcome']);
  expect(REFUSALS).toEqual(['refused', 'duplicate_reference']);
  expect(UNCERTAIN_ANSWERS).toEqual(['duplicate_reference', 'unknown_outcome']);
  expect(ANSWER_KINDS.filter((kind) => ANSWER_TABLE[kind].isDenied)).toEqual(['unauthenticated', 'refused']);
  for (const kind of [...REFUSALS, ...UNCERTAIN_ANSWERS]) expect(EFFECTIVE_ANSWERS).toContain(kind);
  expect(EFFECTIVE_OUTCOMES).toEqual(['took_effect', 'not_seen']);
  expect(BLOCKING_OUTCOMES).toEqual(['took_effect']);
});

test('only a request that was not let in provably had no effect', () => {
  expect(OUTCOMES_WITHOUT_EFFECT).toEqual(['not_sent', 'not_seen']);
  for (const kind of ANSWER_KINDS.filter((answer): answer is FailureKind => answer !== 'as_asked')) {
    expect(outcomeOfFailure(kind)).toBe(EFFECTIVE_ANSWERS.includes(kind) ? 'not_seen' : 'not_sent');
  }
});

test('what creates or funds a payment begins alone', () => {
  const nonIdempotent = PAYMENT_OPERATIONS.filter((operation) => PAYMENT_OPERATION_TABLE[operation].isNonIdempotent);
  expect(nonIdempotent).toEqual(['create', 'fund']);
});

import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../provider/calls/answer-outcomes.ts';
import type { Operation } from '../../provider/operations.ts';
import { drawRefusalWording } from '../../sandbox/answers/refusal-wording.ts';
import { writeJson } from '../../sandbox/core/json.ts';
import { Refusal } from '../../sandbox/core/refusal.ts';

const SEEDS = Array.from({ length: 500 }, (_, seed) => seed);

/** The outcomes that the client reads from a refusal, over all texts that the sandbox draws for it. */
function outcomesOf(operation: Operation, code: string): Set<string> {
  const refusal = new Refusal(400, code, 'a message');
  return new Set(
    SEEDS.map((seed) => {
      const { status, body } = drawRefusalWording(seed, refusal);
      return outcomeOf(operation, { status, headers: {}, body: writeJson(body) }).kind;
    }),
  );
}

describe('however the sandbox words a refusal', () => {
  test('a duplicate reference is recognized', () => {
    expect([...outcomesOf('simple-payment-create', 'duplicate_reference')]).toEqual(['duplicate_reference']);
  });

  test.each(['insufficient_balance', 'not_fundable', 'funding_cutoff_passed'])('%s is a refused funding', (code) => {
    expect([...outcomesOf('simple-payment-fund', code)]).toEqual(['refused']);
  });

  test.each(['quote_expired', 'quote_used', 'quote_not_found'])(
    '%s is a refused creation or a duplicate reference',
    (code) => {
      const outcomes = outcomesOf('simple-payment-create', code);
      expect(outcomes.has('refused')).toBe(true);
      expect([...outcomes].every((outcome) => outcome === 'refused' || outcome === 'duplicate_reference')).toBe(true);
    },
  );
});

import { describe, expect, test } from 'vitest';
import { meaningOf } from '../../provider/calls/answer-meanings.ts';
import type { Operation } from '../../provider/operations.ts';
import { inWordsOfSeed } from '../../sandbox/http/refusal-words.ts';
import { writeJson } from '../../sandbox/core/json.ts';
import { Refusal } from '../../sandbox/core/refusal.ts';

const SEEDS = Array.from({ length: 500 }, (_, seed) => seed);

/** What the provider's client takes a refusal for, over all ways in which the sandbox words it. */
function meaningsOf(operation: Operation, code: string): Set<string> {
  const refusal = new Refusal(400, code, 'in plain words');
  return new Set(
    SEEDS.map((seed) => {
      const { status, body } = inWordsOfSeed(seed, refusal);
      return meaningOf(operation, { status, headers: {}, body: writeJson(body) }).kind;
    }),
  );
}

describe('in whatever words the sandbox says it', () => {
  test('a taken reference is looked up', () => {
    expect([...meaningsOf('simple-payment-create', 'duplicate_reference')]).toEqual(['duplicate_reference']);
  });

  test.each(['insufficient_balance', 'not_fundable', 'funding_cutoff_passed'])(
    '%s is a refusal of a funding',
    (code) => {
      expect([...meaningsOf('simple-payment-fund', code)]).toEqual(['refused']);
    },
  );

  test.each(['quote_expired', 'quote_used', 'quote_not_found'])(
    '%s is a refusal of a creation, or is looked up',
    (code) => {
      const meanings = meaningsOf('simple-payment-create', code);
      expect(meanings.has('refused')).toBe(true);
      expect([...meanings].every((meaning) => meaning === 'refused' || meaning === 'duplicate_reference')).toBe(true);
    },
  );
});

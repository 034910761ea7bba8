import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderByPosting } from '../../domain/reconciliation/posting-order.ts';
import { aHistory, keys, shuffled } from '../domain/history-chains.ts';

test('an entry that was posted hours after its date has its place in the chain', () => {
  const credits = fc.array(fc.record({ seconds: fc.constantFrom(0, 1, 600), change: fc.integer({ min: 1, max: 5 }) }), {
    minLength: 2,
    maxLength: 40,
  });
  fc.assert(
    fc.property(credits, fc.nat(39), keys, (course, which, order) => {
      const history = aHistory(100, course);
      const late = history[which % history.length];
      if (late !== undefined) late.date = '2026-03-01T20:00:00Z';
      const ordered = orderByPosting(shuffled(history, order), { opening: '100' });
      expect(ordered.entries).toEqual(history);
      expect(ordered).toMatchObject({ gaps: [], strays: [], copies: [] });
    }),
    { numRuns: 1000 },
  );
});

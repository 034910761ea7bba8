import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paymentIdOf, referenceIdOf } from '../../domain/payments/payment-identity.ts';

const RUN = '0f8b2a52-6c1d-4a71-9a53-2f0c7f6d1e90';

describe('the id of a payment', () => {
  test('never changes: another value here would pay every row of an unfinished run again', () => {
    expect(paymentIdOf(RUN, 'INV-1')).toBe('65e111f1-8690-51e9-b945-3c74320d1b8f');
    expect(paymentIdOf(RUN, 'payroll/2026-01/é')).toBe('3a5a68af-2e22-51b6-bb08-9569b3b7b9bb');
  });

  test('differs by run and by row_ref', () => {
    const ids = [
      paymentIdOf(RUN, 'INV-1'),
      paymentIdOf(RUN, 'INV-2'),
      paymentIdOf('1f8b2a52-6c1d-4a71-9a53-2f0c7f6d1e90', 'INV-1'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the reference sent to the provider', () => {
  test('is always the same for the same attempt, and differs by attempt', () => {
    const paymentId = paymentIdOf(RUN, 'INV-1');
    expect(referenceIdOf(paymentId, 1)).toBe(`${paymentId}-1`);
    expect(referenceIdOf(paymentId, 1)).not.toBe(referenceIdOf(paymentId, 2));
  });

  test('has at most 40 characters up to the 999th attempt', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 1, max: 999 }), (paymentId, attempt) => {
        expect(referenceIdOf(paymentId, attempt).length).toBeLessThanOrEqual(40);
      }),
      { seed: 7 },
    );
  });

  test.each([0, -1, 1.5, Number.NaN])('is refused for attempt %s', (attempt) => {
    expect(() => referenceIdOf(RUN, attempt)).toThrow(RangeError);
  });
});

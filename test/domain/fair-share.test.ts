import { describe, expect, test } from 'vitest';
import { fairShareOf } from '../../domain/runs/request-priority.ts';

/** Requests that begin a payment, and all requests of a payment. */
const REQUESTS = { begin: 1, beginWithBeneficiary: 2, all: 3, allWithBeneficiary: 4 };

/** How much longer a run of new beneficiaries takes beside an endless larger run than alone, as a factor. */
function slowedBy(rows: number, largerRows: number): number {
  const begunBeside = (REQUESTS.beginWithBeneficiary * fairShareOf(largerRows)) / fairShareOf(rows);
  return (REQUESTS.allWithBeneficiary + begunBeside * REQUESTS.all) / REQUESTS.allWithBeneficiary;
}

describe('the share of a run', () => {
  test.each([10, 100, 101, 1_000])(
    'of %i rows makes it take at most half as long again beside one of 5,000',
    (rows) => {
      expect(slowedBy(rows, 5_000)).toBeLessThanOrEqual(1.5);
    },
  );

  test('is the same for all large runs, and never zero', () => {
    expect(fairShareOf(5_000)).toBe(fairShareOf(1_000_000));
    expect(fairShareOf(1_000_000)).toBeGreaterThan(0);
  });
});

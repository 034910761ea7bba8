import { describe, expect, test } from 'vitest';
import { KNOWN_EXTRA_STATUSES, stateByStatus } from '../../domain/payments/provider-status.ts';

describe("the provider's status", () => {
  const stateOf = stateByStatus(KNOWN_EXTRA_STATUSES);

  test.each([
    ['awaiting_funds', 'created'],
    ['processing', 'processing'],
    ['completed', 'paid'],
    ['rejected', 'rejected'],
    ['failed', 'failed'],
  ] as const)('%s means %s', (status, state) => {
    expect(stateOf(status)).toBe(state);
  });

  test.each(['under_review', 'in_transit'])('%s, a name of newer versions, means processing', (status) => {
    expect(stateOf(status)).toBe('processing');
    expect(stateByStatus({})(status)).toBeNull();
  });

  test('keeps the meaning of the contract, whatever the settings say', () => {
    expect(stateByStatus({ awaiting_funds: 'completed' })('awaiting_funds')).toBe('created');
  });

  test.each(['COMPLETED', 'paid', 'refunded', '', 'constructor'])(
    '"%s" is unknown and causes no transition',
    (status) => {
      expect(stateOf(status)).toBeNull();
    },
  );
});

import { describe, expect, test } from 'vitest';
import { KNOWN_OTHER_STATUSES, statesOfStatuses } from '../../domain/payments/provider-status.ts';

describe("the provider's status", () => {
  const stateOf = statesOfStatuses(KNOWN_OTHER_STATUSES);

  test.each([
    ['awaiting_funds', 'created'],
    ['processing', 'processing'],
    ['completed', 'paid'],
    ['rejected', 'rejected'],
    ['failed', 'failed'],
  ] as const)('%s means %s', (status, state) => {
    expect(stateOf(status)).toBe(state);
  });

  test.each(['under_review', 'in_transit'])('%s, of its newer versions, is on its way', (status) => {
    expect(stateOf(status)).toBe('processing');
    expect(statesOfStatuses({})(status)).toBeNull();
  });

  test('means what the contract says, whatever else is said of it', () => {
    expect(statesOfStatuses({ awaiting_funds: 'completed' })('awaiting_funds')).toBe('created');
  });

  test.each(['COMPLETED', 'paid', 'refunded', '', 'constructor'])('"%s" is not known, and moves nothing', (status) => {
    expect(stateOf(status)).toBeNull();
  });
});

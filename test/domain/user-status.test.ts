import { describe, expect, test } from 'vitest';
import type { CaseState } from '../../domain/onboarding/case-state.ts';
import { statesAfterReading } from '../../domain/onboarding/user-status.ts';

const after = (
  status: string,
  recorded: { state?: CaseState; stateReason?: string | null; providerStatus?: string | null } = {},
) => {
  const undecided = { state: 'needs_provider', stateReason: 'undecided', providerStatus: 'pending_approval' } as const;
  return statesAfterReading({ ...undecided, ...recorded }, status);
};

describe('a case that waits since the provider does not decide', () => {
  test('stays while the provider shows the same', () => {
    expect(after('pending_approval')).toEqual([]);
    expect(after('inactive', { providerStatus: 'inactive' })).toEqual([]);
    expect(after('a status of next year')).toEqual([]);
  });

  test.each([
    ['approved', ['screening', 'approved']],
    ['rejected', ['screening', 'rejected']],
    ['documents_need_resubmission', ['screening', 'resubmission']],
    ['pending_verification', ['screening', 'verification']],
    ['inactive', ['screening', 'inactive']],
  ])('follows the provider to %s', (status, states) => {
    expect(after(status)).toEqual(states);
  });

  // A crash between the record of a read and the transition must not lose a decision.
  test.each(['approved', 'rejected', 'documents_need_resubmission'])(
    'follows %s also when it is recorded',
    (status) => {
      expect(after(status, { providerStatus: status })).not.toEqual([]);
    },
  );

  test('is not one that waits for another reason', () => {
    expect(after('pending_approval', { stateReason: 'step_failed' })).toEqual(['screening']);
    expect(after('documents_need_resubmission', { stateReason: 'step_failed' })).toEqual([]);
  });
});

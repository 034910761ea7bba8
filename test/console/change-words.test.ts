import { describe, expect, test } from 'vitest';
import { effectInWords, soonestFirst } from '../../console/approvals/change-words.ts';

describe('changes that wait', () => {
  const change = (changeId: string, proposedAt: string, takesEffectAt: string | null) => ({
    changeId,
    proposedAt: `2026-01-${proposedAt}T09:00:00.000Z`,
    takesEffectAt: takesEffectAt === null ? null : `2026-01-${takesEffectAt}T09:00:00.000Z`,
  });

  test('begin with what takes effect next by itself', () => {
    const changes = [
      change('never', '01', null),
      change('late', '02', '09'),
      change('soon', '03', '06'),
      change('new', '04', null),
    ];
    expect(soonestFirst(changes).map(({ changeId }) => changeId)).toEqual(['soon', 'late', 'never', 'new']);
  });

  test('begin with a capital, but for names of people', () => {
    const of = { changeId: 'c', state: 'pending', takesEffectAt: null, proposedBy: null, proposedAt: '' } as const;
    const change = { ...of, decidedBy: null, decidedAt: null };
    expect(effectInWords({ ...change, kind: 'set_policy', user: null, detail: {} })).toBe('A new approval policy');
    const user = { userId: 'u', name: 'de Vries' };
    expect(effectInWords({ ...change, kind: 'enable_user', user, detail: {} })).toBe('de Vries may sign in again');
  });
});

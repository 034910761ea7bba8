import { describe, expect, test } from 'vitest';
import { PayrunApiError } from '../../client/sdk/errors.ts';
import { policyMistakes, policyTextOf } from '../../console/approvals/policy-text.ts';

describe('the text of a policy', () => {
  test('is read as JSON', () => {
    expect(policyTextOf('{"rules": [], "changes": {"delayHours": null, "a": -1.5e3, "b": "\\u00e9\\""}}')).toEqual({
      policy: { rules: [], changes: { delayHours: null, a: -1500, b: 'é"' } },
    });
  });

  test.each([
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3'],
    ['a comma too many', '{"a": [1, 2, ]}', 'line 1, column 14'],
    ['a missing quote', '{"a": "x}\n', 'line 1, column 7'],
    ['a word', '{"a": x}', 'line 1, column 7'],
    ['a number that is none', '{"a": 01}', 'line 1, column 7'],
    ['a missing end', '{"a": {"b": 1}', 'line 1, column 15'],
    ['something after the end', '{} {}', 'line 1, column 4'],
    ['nothing', '', 'line 1, column 1'],
  ])('that is not JSON for %s says where', (_what, text, place) => {
    expect(policyTextOf(text)).toEqual({ mistake: expect.stringContaining(`from ${place} on`) as string });
  });
});

describe('what the server finds wrong in a policy', () => {
  const policy = { rules: [{ name: 'all' }, { name: 'large' }] } as never;
  const refusal = (...fields: { field: string; problem: string }[]) =>
    new PayrunApiError(400, 'invalid_input', 'wrong', { fields });

  test('has the place, with the name of the rule', () => {
    const fields = [
      { field: 'body.policy.rules.1.when.totalAtLeast', problem: 'give a plain amount' },
      { field: 'body.policy.rules.0', problem: 'name is missing' },
      { field: 'body.policy.changes.delayHours', problem: 'must be a number' },
      { field: 'body.policy', problem: 'must be an object' },
    ];
    expect(policyMistakes(refusal(...fields), policy)?.map(({ place }) => place)).toEqual([
      'rule 2 “large”, when.totalAtLeast',
      'rule 1 “all”',
      'changes.delayHours',
      'the whole policy',
    ]);
    expect(policyMistakes(refusal(...fields), null)?.[0]?.place).toBe('rule 2, when.totalAtLeast');
  });

  test('is nothing where it was refused for another reason', () => {
    expect(policyMistakes(new PayrunApiError(409, 'conflict', 'no'), policy)).toBeNull();
    expect(policyMistakes(new Error('no'), policy)).toBeNull();
  });
});

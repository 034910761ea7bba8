import { describe, expect, test } from 'vitest';
import { withConstants } from '../../../domain/import-profiles/constants-of-rows.ts';

describe('constants of a profile', () => {
  test("a row's own cell overrides the constant", () => {
    expect(withConstants({ amount: '1' }, { amount: '2', echo: 'x' })).toEqual({ amount: '1', echo: 'x' });
  });

  test('a row that names its beneficiary by id takes no constants that describe one, and the other way round', () => {
    expect(withConstants({ beneficiary_id: 'b' }, { bank_country: 'DE' })).toEqual({ beneficiary_id: 'b' });
    expect(withConstants({ bank_name: 'B' }, { beneficiary_id: 'b', bank_country: 'DE' })).toEqual({
      bank_name: 'B',
      bank_country: 'DE',
    });
  });
});

import { describe, expect, test } from 'vitest';
import { filledWithConstants } from '../../../domain/import-profiles/constants-of-rows.ts';

describe('constants of a profile', () => {
  test("a row's own cell overrides the constant", () => {
    expect(filledWithConstants({ amount: '1' }, { amount: '2', echo: 'x' })).toEqual({ amount: '1', echo: 'x' });
  });

  test('a row that names its beneficiary by id takes no constants that describe one, and the other way round', () => {
    expect(filledWithConstants({ beneficiary_id: 'b' }, { bank_country: 'DE' })).toEqual({ beneficiary_id: 'b' });
    expect(filledWithConstants({ bank_name: 'B' }, { beneficiary_id: 'b', bank_country: 'DE' })).toEqual({
      bank_name: 'B',
      bank_country: 'DE',
    });
  });
});

import { expect, test } from 'vitest';
import { rowsInWords } from '../../console/payment-file/rows-in-words.ts';

test('rows are named one by one, and many are counted', () => {
  expect(rowsInWords([4])).toBe('row 4');
  expect(rowsInWords([4, 9, 12])).toBe('rows 4, 9 and 12');
  const many = Array.from({ length: 23 }, (_, index) => index + 1);
  expect(rowsInWords(many)).toMatch(/^rows 1, 2, .*, 20 and 3 more$/);
});

import { expect, test } from 'vitest';
import { searchedRow } from '../../domain/runs/row-search.ts';

test.each([
  ['1250', '1250'],
  ['1250.00', '1250.00'],
  ['1,250.00', '1250.00'],
  ['1 250.5', '1250.5'],
  ['1’250.50', '1250.50'],
  ['1.250,50', '1250.50'],
  ['1250,50', '1250.50'],
  ['EUR 12,345,678.90', '12345678.90'],
  ['12,34,567', null],
  ['1.2.3', null],
  ['RE-26-1101', null],
  ['', null],
])('%s is read as the amount %s', (text, amount) => {
  expect(searchedRow(text).amount).toBe(amount);
});

test('four letters or digits may be the end of an account number, and digits alone a line', () => {
  expect(searchedRow(' 12ab ')).toMatchObject({ accountEnd: '12AB', line: null, name: '12ab' });
  expect(searchedRow('1234')).toMatchObject({ accountEnd: '1234', line: 1234, amount: '1234' });
  expect(searchedRow('Müller')).toMatchObject({ accountEnd: null, line: null, name: 'müller', reference: 'Müller' });
});

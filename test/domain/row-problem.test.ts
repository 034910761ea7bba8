import { expect, test } from 'vitest';
import { shownValue } from '../../domain/payment-file/row-problem.ts';

test('a long cell is cut between characters, so that what is shown of it can be stored', () => {
  const cut = shownValue(`${'a'.repeat(79)}\u{20bb7}${'b'.repeat(10)}`);
  expect(cut).toBe(`${'a'.repeat(79)}…`);
  expect(shownValue(`${'a'.repeat(78)}\u{20bb7}${'b'.repeat(10)}`)).toBe(`${'a'.repeat(78)}\u{20bb7}…`);
  expect(cut).not.toMatch(/\p{Surrogate}/u);
});

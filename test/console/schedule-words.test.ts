import { expect, test } from 'vitest';
import { whenInWords } from '../../console/treasury/schedule-words.ts';

test.each<[days: (number | 'last')[], words: string]>([
  [[1], 'On the 1st of the month'],
  [[1, 15], 'On the 1st and 15th of the month'],
  [[2, 3, 4], 'On the 2nd, 3rd and 4th of the month'],
  [[11, 12, 13], 'On the 11th, 12th and 13th of the month'],
  [[21, 22, 23], 'On the 21st, 22nd and 23rd of the month'],
  [[10, 20, 31, 'last'], 'On the 10th, 20th, 31st and last day of the month'],
])('the days %j of a month are read as people say them', (days, words) => {
  const definition = { on: { days_of_month: days }, times: ['09:00', '15:30'], time_zone: 'Europe/Berlin' };
  expect(whenInWords(definition)).toBe(`${words} at 09:00 and 15:30, Europe/Berlin`);
});

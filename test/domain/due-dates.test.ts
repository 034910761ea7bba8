import { expect, test } from 'vitest';
import { addDays } from '../../domain/calendar-date.ts';
import { dueDates, type DueRows, type IsOpen } from '../../domain/runs/due-dates.ts';
import { banksInWords, dueAfter } from '../../domain/runs/run-proposal.ts';
import { calendarOverridesSchema } from '../../domain/treasury/calendar-overrides.ts';
import { isOpenIn } from '../../domain/treasury/currency-calendar.ts';

const TODAY = '2026-12-24';

/** Only holidays that a test names; of other countries none are known. */
const calendars = {
  overrides: calendarOverridesSchema.parse({ version: 1, currencies: { SGD: { closed: ['2026-12-28'] } } }),
  holidaysOf: (country: string) =>
    ({ 'GB-ENG': new Set(['2026-12-25', '2026-12-28']), SG: new Set<string>() })[country] ?? null,
};
const isOpen: IsOpen = (currency, date) => Promise.resolve(isOpenIn(currency, date, calendars));

const due = (date: string, pair: string, rows = 1): DueRows => {
  const [sellCurrency = '', buyCurrency = ''] = pair.split('/');
  return { due: date, sellCurrency, buyCurrency, rows };
};

test('each day is named once with its weekday and its rows, those of today as due at once', async () => {
  const { dates, laterDates, laterRows } = await dueDates(
    [due('2027-01-04', 'USD/GBP', 2), due(TODAY, 'USD/GBP', 3), due(TODAY, 'USD/EUR', 4)],
    TODAY,
    isOpen,
  );
  expect(dates).toEqual([
    { date: TODAY, weekday: 'Thursday', isAtOnce: true, rows: 7, closed: [], notKnown: [] },
    { date: '2027-01-04', weekday: 'Monday', isAtOnce: false, rows: 2, closed: [], notKnown: [] },
  ]);
  expect([laterDates, laterRows]).toEqual([0, 0]);
});

test('a day on which banks of either currency are closed says which, and of how many rows', async () => {
  const { dates } = await dueDates(
    [
      due('2026-12-25', 'USD/GBP', 2),
      due('2026-12-26', 'USD/GBP'),
      due('2026-12-28', 'SGD/GBP', 2),
      due('2026-12-28', 'USD/EUR', 3),
    ],
    TODAY,
    isOpen,
  );
  expect(dates.map(({ closed }) => closed)).toEqual([
    [
      { currency: 'GBP', rows: 2 },
      { currency: 'USD', rows: 2 },
    ],
    [
      { currency: 'GBP', rows: 1 },
      { currency: 'USD', rows: 1 },
    ],
    [
      { currency: 'GBP', rows: 2 },
      { currency: 'SGD', rows: 2 },
    ],
  ]);
  expect(dates.map(banksInWords)).toEqual([
    'closed: GBP, USD',
    'closed: GBP, USD',
    'closed: GBP (2 rows), SGD (2 rows)',
  ]);
});

test('a currency without a calendar is not known, and neither open nor closed', async () => {
  const { dates } = await dueDates([due(TODAY, 'USD/XOF'), due('2026-12-26', 'USD/XOF')], TODAY, isOpen);
  expect(dates.map(({ notKnown }) => notKnown)).toEqual([['XOF'], ['XOF']]);
  expect(dates.map(banksInWords)).toEqual(['not known: XOF', 'closed: USD; not known: XOF']);
});

test('dates beyond the first thirty are counted', async () => {
  const many = Array.from({ length: 32 }, (_, days) => due(addDays(TODAY, days), 'USD/GBP', days + 1));
  const { dates, laterDates, laterRows } = await dueDates([...many].reverse(), TODAY, isOpen);
  expect(dates.map(({ date }) => date)).toEqual(many.slice(0, 30).map((each) => each.due));
  expect([laterDates, laterRows]).toEqual([2, 63]);
});

test('what waits for a later day is counted with the last of these days, as long as that day is still to come', async () => {
  const dates = await dueDates(
    [due(TODAY, 'USD/GBP', 5), due(addDays(TODAY, 1), 'USD/GBP', 3), due(addDays(TODAY, 9), 'USD/EUR', 2)],
    TODAY,
    isOpen,
  );
  const lastDate = addDays(TODAY, 9);
  expect(dueAfter(dates, TODAY)).toEqual({ rows: 5, lastDate });
  expect(dueAfter(dates, addDays(TODAY, 1))).toEqual({ rows: 2, lastDate });
  expect(dueAfter(dates, lastDate)).toBeNull();
  expect(dueAfter(await dueDates([due(TODAY, 'USD/GBP')], TODAY, isOpen), TODAY)).toBeNull();
  expect(dueAfter(await dueDates([], TODAY, isOpen), TODAY)).toBeNull();
});

test('what waits for a later day is counted also on days that are not named', async () => {
  const many = Array.from({ length: 32 }, (_, days) => due(addDays(TODAY, days), 'USD/GBP', 1));
  const dates = await dueDates(many, TODAY, isOpen);
  expect(dueAfter(dates, TODAY)).toEqual({ rows: 31, lastDate: addDays(TODAY, 31) });
});

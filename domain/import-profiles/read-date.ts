import { isCalendarDate } from '../calendar-date.ts';
import { exampleDate } from './profile-in-words.ts';
import { monthOfName } from './month-names.ts';
import type { DateForm } from './profile.ts';
import type { ReadText } from './read-amount.ts';

/** No date is longer. */
const LONGEST = 60;
/** Midnight, which exports write behind a day. Another time is not cut: its day may be another one elsewhere. */
const MIDNIGHT = /[T ]0?0:00(?::00(?:\.0+)?)?$/;
const BETWEEN = /[\s./,-]+/u;
const PARTS = { ymd: ['year', 'month', 'day'], dmy: ['day', 'month', 'year'], mdy: ['month', 'day', 'year'] } as const;

/** The day as `2026-11-27`. What is written in another form than that of the profile is refused, even if it is a date. */
export function readDate(cell: string, form: DateForm | null): ReadText {
  if (form === null) {
    return {
      code: 'form_undecided',
      problem: 'the profile does not say how dates are written',
      fix: 'choose the order of day, month and year in the profile',
    };
  }
  const date = cell.length > LONGEST ? null : dateIn(cell.replace(MIDNIGHT, ''), form);
  if (date !== null) return { text: date };
  return {
    code: 'not_in_form',
    problem: `this is not a date written as the profile says, like ${exampleDate(form)}`,
    fix: 'look at its document and write it in this form, or choose another form in the profile if every date has it',
  };
}

/** The day of a workbook's cell, which has no form. A number that is no date is refused, even if its cell shows one. */
export function readExactDate(value: string, shown: string): ReadText {
  const day = exactDate(value);
  if (day !== null) {
    // guard: date-as-shown
    if (isShownAsDate(day, shown)) return { text: day };
    return {
      code: 'not_in_form',
      problem: 'the workbook shows another day than the one that the cell holds',
      fix: 'look at its document, write the day again, and give the cell one of the usual formats of dates',
    };
  }
  return {
    code: 'not_in_form',
    problem: 'the cell of the workbook holds a number that is no date',
    fix: 'look at its document and write the date again, in a cell formatted as a date',
  };
}

/** The day of a date of a workbook, whose time has no zone; null: the value is a number. */
export function exactDate(value: string): string | null {
  const day = value.replace(/T.*$/, '');
  return isCalendarDate(day) ? day : null;
}

/**
 * Whether all that a cell shows of a day is of the day that it holds. A format may have any text, even digits of its own, and may leave out
 * the year, or the day.
 */
export function isShownAsDate(date: string, shown: string): boolean {
  const text = shown.replace(TIME_OF_DAY, ' ');
  const [year = '', month = '', day = ''] = date.split('-');
  const left = [[day], [month], [year, year.slice(2)]];
  const takes = (part: string): boolean => {
    const index = left.findIndex((forms) => forms.includes(part));
    if (index !== -1) left[index] = [];
    return index !== -1;
  };
  const named = (text.match(/\p{L}+/gu) ?? []).flatMap((word) => monthOfName(word) ?? []);
  // Before the numbers, so that none of them takes its place.
  const isNamed = named.includes(month);
  if (isNamed) left[1] = [];
  const numbers = text.match(/\d+/g) ?? [];
  if (!numbers.every((number) => takes(number.padStart(2, '0')))) return false;
  const isWhole = numbers.length === left.length;
  return isNamed || isWhole || (named.length === 0 && numbers.length > 0);
}

/** Not as a part of more digits. */
const TIME_OF_DAY = /(?<![\d:])\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:\s*[AP]M)?(?![\d:])/giu;

function dateIn(text: string, form: DateForm): string | null {
  const order = PARTS[form.order];
  const parts = partsOf(text, form);
  if (parts === null) return null;
  const part = (name: 'year' | 'month' | 'day') => parts[order.findIndex((each) => each === name)] ?? '';
  const month = /^\d{1,2}$/.test(part('month')) ? part('month').padStart(2, '0') : monthOfName(part('month'));
  const year = part('year');
  if (month === null || !/^\d{1,2}$/.test(part('day')) || !/^\d+$/.test(year)) return null;
  const date = `${form.yearDigits === 2 ? '20' : ''}${year}-${month}-${part('day').padStart(2, '0')}`;
  return isCalendarDate(date) ? date : null;
}

function partsOf(text: string, form: DateForm): string[] | null {
  const digits = form.yearDigits + 4;
  if (/^\d+$/.test(text)) {
    if (text.length !== digits) return null;
    const ends = form.order === 'ymd' ? [form.yearDigits, form.yearDigits + 2] : [2, 4];
    return [text.slice(0, ends[0]), text.slice(ends[0], ends[1]), text.slice(ends[1])];
  }
  // In Spanish and Portuguese, "de" stands between.
  const parts = text.replace(/\s+del?\s+/gu, ' ').split(BETWEEN);
  return parts.length === 3 ? parts : null;
}

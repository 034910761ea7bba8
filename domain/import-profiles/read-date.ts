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
export function readExactDate(value: string): ReadText {
  const day = exactDate(value);
  if (day !== null) return { text: day };
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

import { weekdayOf } from '../calendar-date.ts';
import { WEEKDAYS } from '../treasury/calendar-overrides.ts';
import type { DueDate, DueDates } from './run-proposal.ts';
import { capitalized } from '../capitalized.ts';

/** Rows of one pair that are due on one day, YYYY-MM-DD. */
export interface DueRows {
  due: string;
  sellCurrency: string;
  buyCurrency: string;
  rows: number;
}

/** Whether banks do business in a currency on a day; null: it is not known. */
export type IsOpen = (currency: string, date: string) => Promise<boolean | null>;

/** So many dates are named; the others are counted. */
const MAX_DATES = 30;

/** When rows are due, the first day first. `today`: of their account. */
export async function dueDates(due: readonly DueRows[], today: string, isOpen: IsOpen): Promise<DueDates> {
  const dates = [...new Set(due.map((each) => each.due))].sort();
  const named: DueDate[] = [];
  for (const date of dates.slice(0, MAX_DATES)) {
    const rows = due.filter((each) => each.due === date);
    named.push({
      ...{ date, weekday: weekdayInWords(date), isAtOnce: date <= today, rows: rowsOf(rows) },
      ...(await banksOn(date, rows, isOpen)),
    });
  }
  const later = due.filter((each) => dates.indexOf(each.due) >= MAX_DATES);
  return {
    dates: named,
    laterDates: Math.max(0, dates.length - MAX_DATES),
    laterRows: rowsOf(later),
    lastDate: dates.at(-1) ?? null,
  };
}

async function banksOn(
  date: string,
  due: readonly DueRows[],
  isOpen: IsOpen,
): Promise<Pick<DueDate, 'closed' | 'notKnown'>> {
  const currencies = new Set(due.flatMap(({ sellCurrency, buyCurrency }) => [sellCurrency, buyCurrency]));
  const banks: Pick<DueDate, 'closed' | 'notKnown'> = { closed: [], notKnown: [] };
  for (const currency of [...currencies].sort()) {
    const open = await isOpen(currency, date);
    if (open === null) banks.notKnown.push(currency);
    if (open === false) banks.closed.push({ currency, rows: rowsOf(due.filter((each) => isOf(each, currency))) });
  }
  return banks;
}

const isOf = ({ sellCurrency, buyCurrency }: DueRows, currency: string): boolean =>
  sellCurrency === currency || buyCurrency === currency;

const rowsOf = (due: readonly DueRows[]): number => due.reduce((sum, { rows }) => sum + rows, 0);

function weekdayInWords(date: string): string {
  return capitalized(WEEKDAYS[weekdayOf(date)] ?? '');
}

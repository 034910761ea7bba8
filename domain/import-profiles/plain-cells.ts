import { withoutCurrencyMarks } from './currency-marks.ts';
import type { AmountForm, DateForm, Profile } from './profile.ts';
import { isShownAs } from './read-amount.ts';
import { exactDate, isShownAsDate } from './read-date.ts';
import type { PreparedColumn } from './prepared-column.ts';
import { wholeNumber } from './shortened-number.ts';
import type { SheetRecord } from './sheet-record.ts';

/**
 * The cells of a record as texts that the profile reads alike: the numbers and dates of a workbook in the forms of the profile, all
 * others as the sheet shows them.
 */
export function plainCells(profile: Profile, columns: readonly PreparedColumn[], record: SheetRecord): string[] {
  const { cells, values } = record;
  if (values === undefined) return cells;
  const texts = [...cells];
  for (const { column, places } of columns) {
    const [place = -1] = places;
    const value = values[place] ?? null;
    const shown = cells[place] ?? '';
    if (value === null) continue;
    const whole = wholeNumber(shown, value);
    if (whole !== null) texts[place] = whole;
    if (column === 'amount' && profile.amountForm !== null) {
      texts[place] = isShownAs(value, shown) ? amountText(value, shown, profile.amountForm) : unreadText(value, shown);
    }
    if (column === 'pay_on' && profile.dateForm !== null) {
      const day = exactDate(value);
      const isShown = day !== null && isShownAsDate(day, shown);
      texts[place] = isShown ? dateText(day, profile.dateForm) : unreadText(value, shown);
    }
  }
  return texts;
}

/** Of a cell that is not read, as it shows something else than it holds: refused in every form. */
function unreadText(value: string, shown: string): string {
  return `${value} ≠ ${shown.trim()}`;
}

/** With the mark of a currency that the sheet shows, which is compared with that of the row. */
function amountText(value: string, shown: string, { decimalSign }: AmountForm): string {
  const { marks } = withoutCurrencyMarks(shown.trim());
  return [value.replace('.', decimalSign), ...marks].join(' ');
}

function dateText(day: string, { order, yearDigits }: DateForm): string {
  const [year = '', month = '', date = ''] = day.split('-');
  // A year that two digits do not say stays as it is, and is refused.
  const written = yearDigits === 2 && year.startsWith('20') ? year.slice(2) : year;
  return { ymd: [written, month, date], dmy: [date, month, written], mdy: [month, date, written] }[order].join('-');
}

import type { BookDay } from '../../sdk/index.ts';
import { textTable } from '../text-table.ts';
import { money, moment, words } from '../wording.ts';

/** A line for each day and currency. */
export function renderBookDays(days: readonly BookDay[]): string {
  if (days.length === 0) return 'No day was reconciled yet: the history of the balances has no day that has ended.';
  const rows = days.flatMap((day) => {
    const state = stateOf(day);
    if (day.books.length === 0) return [[day.day, day.account, '', '', '', '', '', state]];
    return day.books.map(({ currency, opening, closing, entryCount, isComplete }) => [
      ...[day.day, day.account, currency, money(opening), money(closing), String(entryCount)],
      ...[isComplete ? 'yes' : '', state],
    ]);
  });
  return textTable(
    [
      { title: 'Day (UTC)' },
      { title: 'Account', maxWidth: 20 },
      { title: 'Currency' },
      { title: 'Opening', align: 'right' },
      { title: 'Closing', align: 'right' },
      { title: 'Entries', align: 'right' },
      { title: 'Matches balance' },
      { title: 'State' },
    ],
    rows,
  );
}

function stateOf({ state, openBreaks, signedBy, closedAt }: BookDay): string {
  const breaks = Object.entries(openBreaks).map(([type, number]) => `${number} ${words(type)}`);
  const by = signedBy === null ? '' : ` by ${signedBy.name}`;
  if (state === 'closed') return `closed on ${moment(closedAt ?? '')}${by}`;
  return [`${state}${by}`, ...(breaks.length === 0 ? [] : [`breaks: ${breaks.join(', ')}`])].join('; ');
}

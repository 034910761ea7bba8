import type { HistoryEntry } from '../../sdk/index.ts';
import { textTable } from '../text-table.ts';
import { exactMoment, money, words } from '../wording.ts';

/** Entries of the history as a table. `hasMore`: there are older ones. */
export function renderHistory(entries: readonly HistoryEntry[], hasMore: boolean): string {
  if (entries.length === 0) return 'There are no such entries.';
  const table = textTable(
    [
      { title: 'Date (UTC)' },
      { title: 'Account', maxWidth: 20 },
      { title: 'Currency' },
      { title: 'Change', align: 'right' },
      { title: 'Balance after', align: 'right' },
      { title: 'Type', maxWidth: 24 },
      { title: 'Transaction', maxWidth: 24 },
      { title: 'Place' },
    ],
    entries.map((entry) => [
      exactMoment(entry.at),
      entry.account,
      entry.currency,
      money(entry.change),
      money(entry.after),
      entry.type,
      entry.transactionId ?? '',
      placeOf(entry),
    ]),
  );
  return hasMore ? `${table}\n… and older ones: --limit shows more, --from and --to others` : table;
}

function placeOf({ position, disregarded }: HistoryEntry): string {
  if (position !== null) return String(position);
  return disregarded === null ? 'an entry before it is missing' : `does not count: ${words(disregarded)}`;
}

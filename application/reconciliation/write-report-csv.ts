import type { Break } from '../../domain/reconciliation/break.ts';
import type { Form } from '../../domain/reconciliation/leg.ts';
import { dayOfEntry } from '../../domain/reconciliation/movement.ts';
import { type Columns, csvTable } from '../payment-file/csv-pieces.ts';
import type { ReconciliationReport, ReportedBooks, ReportedLine } from './reconciliation-report.ts';

const BREAK_COLUMNS: Columns<Break> = [
  ['break_id', ({ breakId }) => breakId],
  ['type', ({ type }) => type],
  ['currency', ({ currency }) => currency],
  ['expected', ({ expected }) => expected],
  ['found', ({ found }) => found],
  ['facts', ({ factIds }) => factIds.join(' ')],
  ['entries', ({ entryIds }) => entryIds.join(' ')],
  ['ambiguous', ({ isAmbiguous }) => yesOrNo(isAmbiguous)],
  ['reason', ({ reason }) => reason],
];

/** breaks.csv: a line for every break, in the order of their types. */
export function writeBreaksCsv({ breaks }: ReconciliationReport): AsyncGenerator<string, void, undefined> {
  return csvTable(BREAK_COLUMNS, breaks);
}

/** How the fees of a leg stand in the history, as the column `fee_posting` says it. */
const FEE_POSTINGS: Readonly<Record<Form, string>> = {
  included: 'included',
  beside: 'separate_total',
  each_beside: 'separate_each',
  without_fees: 'without_fees',
};

type EntryRow = ReportedLine & { breaks: string };

const ENTRY_COLUMNS: Columns<EntryRow> = [
  ['currency', ({ movement }) => movement.currency],
  ['day', ({ movement }) => dayOfEntry(movement)],
  ['date', ({ movement }) => movement.date],
  ['entry_id', ({ movement }) => movement.entryId],
  ['transaction_id', ({ movement }) => movement.transactionId],
  ['amount_before', ({ movement }) => movement.amountBefore],
  ['amount_after', ({ movement }) => movement.amountAfter],
  ['class', ({ entryClass }) => entryClass],
  ['amount', ({ amount }) => amount],
  ['fact', ({ factId }) => factId],
  ['fee_posting', ({ form }) => (form === null ? null : FEE_POSTINGS[form])],
  ['ambiguous', ({ isAmbiguous }) => yesOrNo(isAmbiguous)],
  ['breaks', ({ breaks }) => breaks],
];

/** entries.csv: a line for every entry, two for one that contains a fee, in the order of the history. */
export function writeEntriesCsv({ lines, breaks }: ReconciliationReport): AsyncGenerator<string, void, undefined> {
  const byEntry = new Map<string, string[]>();
  for (const { type, currency, entryIds } of breaks) {
    for (const entryId of entryIds) {
      const key = JSON.stringify([currency, entryId]);
      byEntry.set(key, [...(byEntry.get(key) ?? []), type]);
    }
  }
  const rows = lines.map((line) => {
    const types = byEntry.get(JSON.stringify([line.movement.currency, line.movement.entryId])) ?? [];
    return { ...line, breaks: types.join(' ') };
  });
  return csvTable(ENTRY_COLUMNS, rows);
}

const DAY_COLUMNS: Columns<ReportedBooks & { entryClass: string; count: number | null; amount: string }> = [
  ['account', ({ account }) => account],
  ['currency', ({ currency }) => currency],
  ['day', ({ day }) => day],
  ['state', ({ state }) => state],
  ['class', ({ entryClass }) => entryClass],
  ['entries', ({ count }) => count],
  ['amount', ({ amount }) => amount],
  ['history_sha256', ({ historyHash }) => historyHash],
  ['content_sha256', ({ contentHash }) => contentHash],
];

/** days.csv: for every day its opening, each class, late entries of earlier days, and its closing. */
export function writeDaysCsv({ books }: ReconciliationReport): AsyncGenerator<string, void, undefined> {
  const rows = books.flatMap((day) => [
    { ...day, entryClass: 'opening', count: null, amount: day.opening },
    ...day.totals.map((total) => ({ ...day, ...total })),
    { ...day, entryClass: 'closing', count: null, amount: day.closing },
    ...day.late.map(({ ofDay, amount }) => ({ ...day, entryClass: `of which of ${ofDay}`, count: 1, amount })),
  ]);
  return csvTable(DAY_COLUMNS, rows);
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

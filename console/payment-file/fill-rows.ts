import type { Draft, DraftRow, DraftRows, DraftRowsQuery } from '../../api/payment-file/draft.ts';
import type { KnownCellEdit } from './draft-edits.ts';

const PAGE_ROWS = 500;

type Query = Partial<DraftRowsQuery>;

/**
 * The cells that get a value in all rows of a cause, with what is saved in each. A column that the file lacks is one of all
 * rows. `read` reads a page of the rows. @throws Error when the draft was changed since it was shown
 */
export async function cellsToFill(
  draft: Pick<Draft, 'columns' | 'fields' | 'revision'>,
  { column, code, firstRow }: { column: string; code: string; firstRow: number | null },
  value: string,
  read: (query: Query) => Promise<DraftRows>,
): Promise<KnownCellEdit[]> {
  const filter: Query = firstRow === null ? { only: 'all' } : { code, column };
  const at = draft.fields.findIndex((fields) => fields.includes(column));
  const name = draft.columns[at] ?? column;
  const rows: DraftRow[] = [];
  for (;;) {
    const page = await read({ ...filter, from: rows.length, limit: PAGE_ROWS });
    if (page.revision !== draft.revision) throw new Error('The draft was changed meanwhile: look at it again.');
    rows.push(...page.rows);
    if (page.rows.length === 0 || rows.length >= page.total) break;
  }
  return rows.map(({ row, cells }) => ({ row, column: name, value, saved: cells[at] ?? '' }));
}

/** The columns of the table: those of the file, and those that are added by what is not saved yet. */
export function shownColumns(
  { columns, fields }: Pick<Draft, 'columns' | 'fields'>,
  cells: Iterable<{ column: string }>,
): Pick<Draft, 'columns' | 'fields'> {
  const added = [...new Set([...cells].map(({ column }) => column))].filter((column) => !columns.includes(column));
  return { columns: [...columns, ...added], fields: [...fields, ...added.map((column) => [column])] };
}

import type { ReadingProblem } from '../../domain/import-profiles/read-record.ts';
import type { RawRow, UnreadCell } from '../../domain/payment-file/raw-row.ts';
import type { RowProblem } from '../../domain/payment-file/row-problem.ts';
import { SHEET_NOTES } from '../../domain/payment-file/sheet-note-codes.ts';
import type { LeftOut } from '../sheets/find-table.ts';
import type { SheetNote } from '../sheets/sheet-notes.ts';
import { UnreadableFile } from './file-problem.ts';
import { EmptyDays } from './empty-days.ts';
import { FormulaCells } from './formula-cells.ts';
import type { OpenedPaymentFile } from './open-payment-file.ts';

/**
 * The rows of a file as its profile reads them, in batches; each call reads from the start. Throws UnreadableFile at the first problem that
 * makes the file unreadable. `rowNumbers`: those of its rows, as FileToRead has them; `onNote`: gets what is not read as a payment, or may
 * mean something else.
 */
export async function* readRows(
  { table, reader, profile }: OpenedPaymentFile,
  rowNumbers: readonly number[] | null = null,
  onNote: (note: RowProblem) => void = () => undefined,
): AsyncGenerator<RawRow[], void, undefined> {
  const days = new EmptyDays(profile);
  const formulas = new FormulaCells(reader.columns);
  let count = 0;
  for await (const batch of table.rows()) {
    const rows: RawRow[] = [];
    for (const { leftOut, ...record } of batch) {
      if (leftOut !== null) {
        noteLeftOut(leftOut, onNote);
        continue;
      }
      const line = rowNumbers?.[count] ?? record.line;
      const read = reader.read({ ...record, line });
      if (read === null) continue;
      days.add(line, read);
      formulas.add(line, record);
      const row = { line, original: reader.plain(record) };
      if ('cells' in read) rows.push({ ...row, cells: read.cells, unread: [] });
      else rows.push({ ...row, cells: read.readable, unread: read.problems.map(withoutHeader) });
      count += 1;
    }
    if (rows.length > 0) yield rows;
  }
  for (const note of [...days.notes(), ...formulas.notes()]) onNote(note);
  if (count > 0) return;
  throw new UnreadableFile(
    { line: table.headerLine },
    'no_rows',
    'the file has a header and no rows',
    'export it again, with the payments in it',
  );
}

function noteLeftOut(leftOut: LeftOut, onNote: (note: RowProblem) => void): void {
  onNote(noteOf(leftOut));
  for (const note of sumNotes(leftOut)) onNote(note);
}

function withoutHeader({ line, rowRef, column, value, problem, fix, code, partOf }: ReadingProblem): UnreadCell {
  return { line, rowRef, column, value, problem, fix, code, partOf };
}

export function noteOf({ line, because }: Pick<LeftOut, 'line' | 'because'>): RowProblem {
  const code = 'row_left_out';
  const problem = `the row is not read as a payment: ${because}`;
  return { line, rowRef: null, column: null, value: null, problem, fix: SHEET_NOTES[code].fix, code };
}

/** Of a row of sums that does not add up. */
export function sumNotes({ line, differs }: LeftOut): RowProblem[] {
  if (differs === undefined) return [];
  const { cause, fix } = SHEET_NOTES.sum_differs;
  return [{ line, rowRef: null, column: null, value: null, problem: `${cause}: ${differs}`, fix, code: 'sum_differs' }];
}

export function problemsOfNotes(notes: readonly SheetNote[]): RowProblem[] {
  return notes.map(({ line, column, problem, fix, code, count }) => {
    const times = count > 1 ? ` (${count} times)` : '';
    return { line, rowRef: null, column, value: null, problem: `${problem}${times}`, fix, code };
  });
}

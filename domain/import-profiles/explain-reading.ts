import { CSV_COLUMNS, type PaymentColumn } from '../payment-file/csv-columns.ts';
import { headerKey, nameHeaders } from './headers.ts';
import type { Profile } from './profile.ts';
import type { SheetRecord } from './sheet-record.ts';
import { joinedCells, preparedReader, type ReadingProblem } from './read-record.ts';

/** A cell of ours: its text, and how it came about. */
interface ExplainedCell {
  column: PaymentColumn;
  text: string;
  /** The cells that it is made of, as the sheet shows them; none: it is the profile's constant. */
  from: { header: string; cell: string }[];
  /** The text is not simply what the sheet shows: something was taken out, replaced or translated. */
  isChanged: boolean;
}

/** A row of a sheet beside what it is read as. */
export interface ExplainedRow {
  line: number;
  theirs: { header: string; cell: string }[];
  /** In the order of our columns. */
  ours: ExplainedCell[];
  /** Filled cells that fill nothing. */
  ignored: { header: string; cell: string }[];
  problems: Omit<ReadingProblem, 'partOf'>[];
}

/** What a profile, perhaps an unfinished one, makes of some rows: for the person who decides whether it is right. */
export function explainReading(
  profile: Profile,
  headers: readonly string[],
  records: readonly SheetRecord[],
): ExplainedRow[] {
  const names = nameHeaders(headers);
  const used = new Set(Object.values(profile.columns).flatMap(({ from }) => from.map(headerKey)));
  const reader = preparedReader(profile, headers);
  const columns = new Map(reader.columns.map((prepared) => [prepared.column, prepared]));
  return records.flatMap((record) => {
    const result = reader.read(record);
    if (result === null) return [];
    const theirs = names.map((header, index) => ({ header, cell: record.cells[index] ?? '' }));
    const cells = 'cells' in result ? result.cells : result.readable;
    const ours = CSV_COLUMNS.flatMap(({ name: column }): ExplainedCell[] => {
      const prepared = columns.get(column);
      const text = cells[column];
      if (prepared === undefined || text === undefined) return [];
      const from = prepared.places.flatMap((place) => theirs[place] ?? []).filter(({ cell }) => cell.trim() !== '');
      return [{ column, text, from, isChanged: from.length > 0 && joinedCells(prepared, record.cells) !== text }];
    });
    const ignored = theirs.filter(({ header, cell }) => cell.trim() !== '' && !used.has(headerKey(header)));
    return [
      {
        line: record.line,
        theirs,
        ours,
        ignored,
        problems: 'problems' in result ? result.problems.map(withoutPart) : [],
      },
    ];
  });
}

function withoutPart(reading: ReadingProblem): Omit<ReadingProblem, 'partOf'> {
  const { line, rowRef, column, header, value, problem, fix, code } = reading;
  return { line, rowRef, column, header, value, problem, fix, code };
}

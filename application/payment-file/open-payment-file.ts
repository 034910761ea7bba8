import { closestName } from '../../domain/closest-name.ts';
import { nameHeaders } from '../../domain/import-profiles/headers.ts';
import { ownFormatProfile } from '../../domain/import-profiles/own-format.ts';
import { forNextRun, type Profile } from '../../domain/import-profiles/profile.ts';
import { missingColumns } from '../../domain/import-profiles/propose-profile.ts';
import {
  preparedReader,
  readerFor,
  type RecordReader,
  type UnusableProfile,
} from '../../domain/import-profiles/read-record.ts';
import { CSV_COLUMNS, isPaymentColumn } from '../../domain/payment-file/csv-columns.ts';
import type { SheetLimits } from '../sheets/sheet.ts';
import type { FileContent } from './file-content.ts';
import { UnreadableFile } from './file-problem.ts';
import { namesOf, openTableFor } from './open-known-table.ts';
import type { PaymentTable } from './payment-table.ts';

/** A file, and the profile that says how its columns are read. Null: its headers are ours. */
export interface FileToRead {
  file: FileContent;
  profile: Profile | null;
  /** Of a draft, the number of each row in the sheet as it came: a person has looked at them, so that each is a payment. */
  rowNumbers: readonly number[] | null;
  /** One of them may read a file that has no profile and other headers than ours. Absent: none is known. */
  known?: readonly Profile[];
}

export interface OpenedPaymentFile {
  table: PaymentTable;
  /** With its own `reading`, if it was found. */
  profile: Profile;
  reader: RecordReader;
}

/** Throws UnreadableFile for the first problem that makes the file unreadable, or the profile unusable for it. */
export async function openPaymentFile(file: FileToRead, limits?: SheetLimits): Promise<OpenedPaymentFile> {
  const { table, profile } = await openTable(file, limits);
  const opened = readerFor(profile, table.headers);
  if ('unusable' in opened) throw unusableProfile(opened.unusable, table.headerLine);
  return { table, profile, reader: opened.reader };
}

/** The same where the profile may leave columns unfilled that rows need: for a person who adds them. */
export async function openTable(
  { file, profile, rowNumbers, known = [] }: FileToRead,
  limits?: SheetLimits,
): Promise<OpenedPaymentFile> {
  const wanted = rowNumbers === null ? {} : ({ form: 'csv', keepsAll: true } as const);
  const opened = await openTableFor(file, { profile, known }, wanted, limits);
  const { table } = opened;
  const own = ownFormatProfile(table.headers);
  // Our columns that are not all there, as in an order, are filled as in an approved run.
  const before = opened.known === null ? null : forNextRun(opened.known);
  const chosen = profile ?? (own !== null && missingColumns(own).length === 0 ? own : (before ?? own));
  if (chosen === null) throw unknownHeaders(table);
  const encoding = table.sheet.proposals.find(({ what }) => what === 'encoding');
  // guard: encoding-not-guessed
  if (encoding !== undefined) throw encodingNotChosen(encoding.chosen);
  return { table, profile: chosen, reader: preparedReader(chosen, table.headers) };
}

function unknownHeaders({ headers, headerLine }: PaymentTable): UnreadableFile {
  const unknown = nameHeaders(headers).filter((name) => !isPaymentColumn(name.toLowerCase()));
  const [first = ''] = unknown;
  const suggestion = closestName(
    first,
    CSV_COLUMNS.map(({ name }) => name),
  );
  return new UnreadableFile(
    { line: headerLine, column: first.slice(0, 80) },
    'unknown_header',
    `the file has columns that payrun does not know: ${namesOf(unknown)}`,
    `${suggestion === null ? '' : `did you mean ${suggestion}? Else `}prepare the file, and submit it with its profile`,
  );
}

function unusableProfile({ missingColumns, undecided }: UnusableProfile, line: number): UnreadableFile {
  if (missingColumns.length > 0) {
    return new UnreadableFile(
      { line, column: missingColumns[0] ?? '' },
      'missing_columns',
      `nothing fills ${missingColumns.join(', ')}`,
      'add a column, or name in the profile one of your headers or a text that is the same for all rows',
    );
  }
  return new UnreadableFile(
    { line, column: undecided[0] ?? '' },
    'undecided_form',
    `the profile does not say how ${undecided.join(' and ')} ${undecided.length > 1 ? 'are' : 'is'} written`,
    'choose the form in the profile',
  );
}

function encodingNotChosen(chosen: string): UnreadableFile {
  return new UnreadableFile(
    { line: 0 },
    'encoding_not_chosen',
    `the file is not UTF-8, and does not say its encoding: perhaps ${chosen}`,
    'prepare the file and compare its names, or save it as "CSV UTF-8"',
  );
}

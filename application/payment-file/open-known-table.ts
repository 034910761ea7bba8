import {
  compareHeaders,
  findProfiles,
  type HeaderDifference,
  isSameHeaders,
} from '../../domain/import-profiles/headers.ts';
import type { Profile } from '../../domain/import-profiles/profile.ts';
import { ChoiceNeeded, type SheetLimits } from '../sheets/sheet.ts';
import type { FileContent } from './file-content.ts';
import { UnreadableFile } from './file-problem.ts';
import { openPaymentTable, type PaymentTable, type WantedTable } from './payment-table.ts';

/** A file that nobody gave a profile for, and the known one that was made for its headers; null: none was. */
export interface KnownTable {
  table: PaymentTable;
  known: Profile | null;
}

/**
 * Opens a file as the profile says that was given for it, or as one of those that are known for its headers. Throws UnreadableFile, also
 * where the given one was made for other headers.
 */
export async function openTableFor(
  content: FileContent,
  { profile, known }: { profile: Profile | null; known: readonly Profile[] },
  wanted: WantedTable,
  limits?: SheetLimits,
): Promise<KnownTable> {
  if (profile === null) return openKnownTable(content, known, wanted, limits);
  const table = await openAsBefore(content, profile, wanted, limits);
  const difference = compareHeaders(profile.headers, table.headers);
  if (!isSameHeaders(difference)) throw otherHeaders(difference, table.headerLine);
  return { table, known: null };
}

/**
 * Opens a file as it is proposed; where that leaves a choice, or its headers are those of no known profile, as each of them says that
 * such files are. `wanted`: what a person chose. Throws UnreadableFile for what can be read in neither way.
 */
export async function openKnownTable(
  content: FileContent,
  profiles: readonly Profile[],
  wanted: WantedTable = {},
  limits?: SheetLimits,
): Promise<KnownTable> {
  const proposed = await openPaymentTable(content, wanted, limits).catch(asUnreadable);
  if (!(proposed instanceof UnreadableFile)) {
    const known = isEncodingOpen(proposed) ? null : madeFor(proposed, profiles);
    if (proposed.isOwn || known !== null) return { table: proposed, known };
  }
  // The blocks of one order may be named like those of another, and each is a run.
  // guard: block-of-this-order
  if (proposed instanceof ChoiceNeeded && proposed.what === 'block') throw proposed;
  const found = new Map<Profile, PaymentTable>();
  const isPossible = ({ reading }: Profile): boolean =>
    !(proposed instanceof ChoiceNeeded) || proposed.sheetNames.includes(reading.sheetName ?? '');
  for (const profile of onePerReading(profiles).filter(isPossible).slice(0, MAX_READINGS)) {
    const opened = await openAsBefore(content, profile, wanted, limits).catch(asUnreadable);
    const table = opened instanceof UnreadableFile || isEncodingOpen(opened) ? null : opened;
    const alike = profiles.filter((other) => readingKey(other) === readingKey(profile));
    const known = table === null ? null : madeFor(table, alike);
    if (table !== null && known !== null) found.set(known, table);
  }
  const [only, ...more] = found;
  // Of a workbook with two sheets that are both known, a person chooses one.
  if (only !== undefined && more.length === 0) return { known: only[0], table: only[1] };
  if (proposed instanceof UnreadableFile) throw proposed;
  return { table: proposed, known: null };
}

/** Ways to read a file that are tried: each takes a second for a large workbook. */
const MAX_READINGS = 10;

/** What a profile says of the file itself. */
function wantedBy({ reading: { encoding, delimiter, sheetName, headerLine } }: Profile): WantedTable {
  return {
    ...(encoding === null ? {} : { encoding }),
    ...(delimiter === null ? {} : { delimiter }),
    ...(sheetName === null ? {} : { sheetName }),
    ...(headerLine === null ? {} : { headerLine }),
  };
}

function isEncodingOpen({ sheet }: PaymentTable): boolean {
  return sheet.proposals.some(({ what }) => what === 'encoding');
}

/**
 * Opens a file as a profile says that such files are; an encoding that the file says itself comes before that of the profile. Throws
 * UnreadableFile.
 */
export async function openAsBefore(
  content: FileContent,
  profile: Profile,
  wanted: WantedTable,
  limits?: SheetLimits,
): Promise<PaymentTable> {
  const { encoding, ...before } = wantedBy(profile);
  const table = await openPaymentTable(content, { ...before, ...wanted }, limits);
  // guard: encoding-of-the-file-first
  if (encoding === undefined || !isEncodingOpen(table)) return table;
  return openPaymentTable(content, { ...before, encoding, ...wanted }, limits);
}

function madeFor({ headers }: PaymentTable, profiles: readonly Profile[]): Profile | null {
  return findProfiles(profiles, headers).exact[0] ?? null;
}

function onePerReading(profiles: readonly Profile[]): Profile[] {
  return [...new Map(profiles.map((profile) => [readingKey(profile), profile])).values()];
}

function readingKey({ reading }: Profile): string {
  return JSON.stringify(reading);
}

export function asUnreadable(error: unknown): UnreadableFile {
  if (error instanceof UnreadableFile) return error;
  throw error;
}

function otherHeaders({ missing, added, reordered }: HeaderDifference, line: number): UnreadableFile {
  const parts = [
    ...(missing.length > 0 ? [`it has no ${namesOf(missing)}`] : []),
    ...(added.length > 0 ? [`it has also ${namesOf(added)}`] : []),
    ...(reordered ? ['its columns of one name, or of none, are in another order'] : []),
  ];
  return new UnreadableFile(
    { line, column: (missing[0] ?? added[0] ?? '').slice(0, 80) },
    'other_headers',
    `the profile was made for other headers than the file has: ${parts.join('; ')}`,
    'prepare the file again, or give it the headers that it had',
  );
}

const NAMED = 5;

export function namesOf(headers: readonly string[]): string {
  const named = headers.slice(0, NAMED).map((name) => `"${name.slice(0, 80)}"`);
  return named.join(', ') + (headers.length > NAMED ? ` and ${headers.length - NAMED} more` : '');
}

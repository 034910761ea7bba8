import type { BeneficiaryBook } from '../../domain/beneficiaries/beneficiary-book.ts';
import { checkRows } from '../../domain/payment-file/check-rows.ts';
import type { Profile } from '../../domain/import-profiles/profile.ts';
import type { ReferenceData } from '../../domain/payment-file/reference-data.ts';
import { addProblems, type FileProblem, noProblems, type ProblemList } from '../../domain/payment-file/row-problem.ts';
import type { SupportingFile } from '../../domain/payment-file/supporting-file.ts';
import type { NewRow } from '../../domain/runs/new-row.ts';
import type { FileHeader } from '../../store/runs/runs.ts';
import { newInvalidRow, newRow } from '../runs/new-rows.ts';
import type { SheetLimits } from '../sheets/sheet.ts';
import { sha256Of } from './file-content.ts';
import { UnreadableFile } from './file-problem.ts';
import { type FileToRead, openPaymentFile } from './open-payment-file.ts';
import { type ReadRows, readRows } from './read-rows.ts';

/** A file that has been read, before its rows are checked. */
export interface ReadFile extends ReadRows {
  kind: 'read';
  fileSha256: string;
  header: FileHeader;
  profile: Profile;
}

/** What the rows of a file are checked against, once the file has been read. */
export interface CheckTerms {
  runId: string;
  /** What becomes of a file with invalid rows. */
  onInvalid: 'reject' | 'skip';
  /** What the provider supports, for the corridors of the file at least. */
  reference: ReferenceData;
  /** Of the beneficiaries that the file names by their keys. */
  book: BeneficiaryBook;
  /** The supporting files given with the run, by name. */
  files: ReadonlyMap<string, SupportingFile>;
  /** YYYY-MM-DD, in UTC. */
  today: string;
  /** How many problems and warnings are listed; absent: the first 1,000. */
  maxListed?: number;
}

export type CheckedFile = RefusedFile | AcceptedFile;

export interface RefusedFile {
  kind: 'refused';
  /** Null: it was not read to its end. */
  fileSha256: string | null;
  problems: ProblemList;
  /** How many problems there are of each code. */
  codes: Record<string, number>;
}

export interface AcceptedFile {
  kind: 'accepted';
  fileSha256: string;
  header: FileHeader;
  /** What read it. */
  profile: Profile;
  /** Every row in the order of the file, those with problems as invalid, each with all of its own problems. */
  rows: NewRow[];
  /** The supporting files that valid rows name, each once. */
  filesNamed: string[];
  skipped: ProblemList;
  warnings: ProblemList;
}

/** Reads a payment file. It is refused for the first problem that makes it unreadable. */
export async function readFileToCheck(file: FileToRead, limits?: SheetLimits): Promise<ReadFile | RefusedFile> {
  try {
    const opened = await openPaymentFile(file, limits);
    const read = await readRows(opened, file.rowNumbers);
    const { headers: names, sheet } = opened.table;
    // Spreadsheets need the mark to read accents.
    const hasByteOrderMark = sheet.form === 'xlsx' || sheet.reading.hasByteOrderMark;
    const header = { names, hasByteOrderMark };
    return { kind: 'read', fileSha256: await sha256Of(file.file), header, profile: opened.profile, ...read };
  } catch (error) {
    if (error instanceof UnreadableFile) return refusedWhole(await sha256Of(file.file), error.fileProblem);
    throw error;
  }
}

/**
 * Checks the rows of a file by every rule, and converts them to what is stored. A file with a problem is refused as a
 * whole, unless its invalid rows are to be skipped and at least one row is valid. Problems and warnings are listed in the
 * order of the lines, the first of them only.
 */
export function checkPaymentFile(read: ReadFile, terms: CheckTerms): CheckedFile {
  const { fileSha256 } = read;
  const rows: NewRow[] = [];
  const codes = new Map<string, number>();
  const filesNamed = new Set<string>();
  const problems = noProblems();
  const warnings = noProblems();
  addProblems(warnings, read.notes.listed, terms.maxListed);
  warnings.count += read.notes.count - read.notes.listed.length;
  const isRefused = () => problems.count > 0 && terms.onInvalid === 'reject';
  let rowNumber = 0;
  for (const checked of checkRows(read.rows, terms)) {
    rowNumber += 1;
    const { row, instruction } = checked;
    addProblems(problems, checked.problems, terms.maxListed);
    addProblems(warnings, checked.warnings, terms.maxListed);
    for (const { code } of checked.problems) codes.set(code, (codes.get(code) ?? 0) + 1);
    // Only the problems of a refused file are used.
    if (isRefused()) rows.length = 0;
    else if (instruction === null) rows.push(newInvalidRow(terms.runId, rowNumber, row, checked.problems));
    else rows.push(newRow(terms.runId, rowNumber, row, instruction));
    for (const name of instruction?.supportingFiles ?? []) filesNamed.add(name);
  }
  if (isRefused() || rows.every(({ state }) => state === 'invalid')) {
    return { kind: 'refused', fileSha256, problems, codes: Object.fromEntries(codes) };
  }
  return {
    kind: 'accepted',
    fileSha256,
    header: read.header,
    profile: read.profile,
    rows,
    filesNamed: [...filesNamed],
    skipped: problems,
    warnings,
  };
}

/** A file that is refused for one problem of the whole. */
export function refusedWhole(fileSha256: string | null, problem: FileProblem): RefusedFile {
  return { kind: 'refused', fileSha256, problems: { listed: [problem], count: 1 }, codes: { [problem.code]: 1 } };
}

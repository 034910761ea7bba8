import type { BeneficiaryBook } from '../../domain/beneficiaries/beneficiary-book.ts';
import { namedByHeaders } from '../../domain/import-profiles/named-by-headers.ts';
import type { Profile } from '../../domain/import-profiles/profile.ts';
import { type CheckedRow, rowChecker } from '../../domain/payment-file/check-rows.ts';
import { corridorOf } from '../../domain/payment-file/corridors.ts';
import { beneficiaryKeyOf } from '../../domain/beneficiaries/beneficiary-book.ts';
import type { RawRow } from '../../domain/payment-file/raw-row.ts';
import { type Corridor, corridorKey, type ReferenceData } from '../../domain/payment-file/reference-data.ts';
import {
  addProblems,
  type FileProblem,
  noProblems,
  type ProblemList,
  ProblemsByCode,
  type RowProblem,
} from '../../domain/payment-file/row-problem.ts';
import { RowRefs } from '../../domain/payment-file/row-refs.ts';
import type { SupportingFile } from '../../domain/payment-file/supporting-file.ts';
import { type NewRow, ROWS_PER_BATCH } from '../../domain/runs/new-row.ts';
import type { FileHeader } from '../../store/runs/runs.ts';
import { newInvalidRow, newRow } from '../runs/new-rows.ts';
import type { SheetLimits } from '../sheets/sheet.ts';
import { sha256Of } from './file-content.ts';
import { UnreadableFile } from './file-problem.ts';
import type { FileNeeds } from './terms-of-file.ts';
import { type FileToRead, openPaymentFile } from './open-payment-file.ts';
import { problemsOfNotes, readRows } from './read-rows.ts';

/** A file that has been read once, before its rows are checked one by one. */
export interface ReadFile extends FileFacts, FileNeeds {
  kind: 'read';
  /** What a person must know of the file, such as hidden rows. */
  notes: ProblemList;
  /** Rows that are not read as payments. */
  leftOut: ProblemList;
  rowRefs: RowRefs;
  /** Batches; each call reads the file from its start. */
  rows: () => AsyncIterable<RawRow[]>;
}

/** What is known of a file before its rows are checked. */
export interface FileFacts {
  fileSha256: string;
  header: FileHeader;
  /** What reads it. */
  profile: Profile;
  rowCount: number;
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
  /** YYYY-MM-DD, in the time zone of the account. */
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
  /** The supporting files that valid rows name, each once. */
  filesNamed: string[];
  skipped: ProblemList;
  warnings: ProblemList;
}

/** The provider is asked about no more: rows of others are refused. */
const MAX_CORRIDORS = 1_000;

/**
 * Reads a payment file once, to its end, for what its rows have in common. It is refused for the first problem that makes it unreadable.
 * No rows are kept.
 */
export async function readFileToCheck(file: FileToRead, limits?: SheetLimits): Promise<ReadFile | RefusedFile> {
  const fileSha256 = await sha256Of(file.file);
  try {
    const opened = await openPaymentFile(file, limits);
    const corridors = new Map<string, Corridor>();
    const beneficiaryKeys = new Set<string>();
    const rowRefs = new RowRefs();
    const notes = new ProblemsByCode();
    const leftOut = new ProblemsByCode();
    const onNote = (note: RowProblem) => (note.code === 'row_left_out' ? leftOut : notes).add([note]);
    let rowCount = 0;
    for await (const rows of readRows(opened, file.rowNumbers, onNote)) {
      rowCount += rows.length;
      for (const row of rows) {
        rowRefs.add(row);
        beneficiaryKeys.add(beneficiaryKeyOf(row.cells.beneficiary_key ?? ''));
      }
      addCorridors(corridors, rows);
    }
    const { headers: names, sheet } = opened.table;
    notes.add(problemsOfNotes(sheet.notes()));
    // Spreadsheets need the mark to read accents.
    const hasByteOrderMark = sheet.form !== 'csv' || sheet.reading.hasByteOrderMark;
    const header = { names, hasByteOrderMark, sheetName: sheet.reading.sheetName };
    const facts = { fileSha256, header, profile: opened.profile, rowCount };
    const rows = () => readRows(opened, file.rowNumbers);
    beneficiaryKeys.delete('');
    const needs = { corridors: [...corridors.values()], beneficiaryKeys: [...beneficiaryKeys] };
    return { kind: 'read', ...facts, ...needs, notes: notes.list, leftOut: leftOut.list, rowRefs, rows };
  } catch (error) {
    if (error instanceof UnreadableFile) return refusedWhole(fileSha256, error.fileProblem);
    throw error;
  }
}

function addCorridors(corridors: Map<string, Corridor>, rows: readonly RawRow[]): void {
  for (const { cells } of rows) {
    const corridor = corridorOf(cells);
    if (corridor !== null && corridors.size < MAX_CORRIDORS) corridors.set(corridorKey(corridor), corridor);
  }
}

/**
 * Checks the rows of a file by every rule while it is read again, and gives them as they are stored, in batches: every row in the order of
 * the file, those with problems as invalid, each with all of its own problems. At last it says whether they may be stored at all: a file
 * with a problem is refused as a whole, unless its invalid rows are to be skipped and at least one row is valid. Once it is refused, no
 * more rows are given. Problems are listed in the order of the lines, the first of them only; warnings the first of each code, those of
 * the file before those of its rows, and these before rows that are left out.
 */
export async function* checkPaymentFile(
  read: ReadFile,
  terms: CheckTerms,
): AsyncGenerator<NewRow[], CheckedFile, undefined> {
  const check = rowChecker(terms, read.rowRefs);
  const named = namedByHeaders(read.profile);
  const notes = { ...read.notes, listed: read.notes.listed.map(named) };
  const findings = new FileFindings({ notes, leftOut: read.leftOut }, terms);
  let batch: NewRow[] = [];
  let rowNumber = 0;
  for await (const rows of read.rows()) {
    for (const row of rows) {
      rowNumber += 1;
      const { instruction, ...found } = check(row);
      const problems = found.problems.map(named);
      findings.add({ instruction, problems, warnings: found.warnings.map(named) });
      if (findings.isRefused) continue;
      if (instruction === null) batch.push(newInvalidRow(terms.runId, rowNumber, row, problems));
      else batch.push(newRow(terms.runId, rowNumber, row, instruction));
      if (batch.length < ROWS_PER_BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  // guard: file-read-alike
  if (rowNumber !== read.rowCount) throw new Error('the file was changed while it was checked');
  if (batch.length > 0 && !findings.isRefused) yield batch;
  return findings.end(read.fileSha256);
}

/** What was found in the rows so far. */
class FileFindings {
  readonly #terms: Pick<CheckTerms, 'onInvalid' | 'maxListed'>;
  readonly #codes = new Map<string, number>();
  readonly #filesNamed = new Set<string>();
  readonly #problems = noProblems();
  readonly #warnings: ProblemsByCode;
  readonly #leftOut: ProblemList;
  #hasValid = false;

  constructor(
    { notes, leftOut }: Pick<ReadFile, 'notes' | 'leftOut'>,
    terms: Pick<CheckTerms, 'onInvalid' | 'maxListed'>,
  ) {
    this.#terms = terms;
    this.#leftOut = leftOut;
    this.#warnings = new ProblemsByCode(terms.maxListed);
    this.#warnings.addList(notes);
  }

  get isRefused(): boolean {
    return this.#problems.count > 0 && this.#terms.onInvalid === 'reject';
  }

  add({ instruction, problems, warnings }: Pick<CheckedRow, 'instruction' | 'problems' | 'warnings'>): void {
    addProblems(this.#problems, problems, this.#terms.maxListed);
    this.#warnings.add(warnings);
    for (const { code } of problems) this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1);
    if (instruction !== null) this.#hasValid = true;
    for (const name of instruction?.supportingFiles ?? []) this.#filesNamed.add(name);
  }

  end(fileSha256: string): CheckedFile {
    if (this.isRefused || !this.#hasValid) {
      return { kind: 'refused', fileSha256, problems: this.#problems, codes: Object.fromEntries(this.#codes) };
    }
    this.#warnings.addList(this.#leftOut);
    return {
      kind: 'accepted',
      filesNamed: [...this.#filesNamed],
      skipped: this.#problems,
      warnings: this.#warnings.list,
    };
  }
}

/** A file that is refused for one problem of the whole. */
export function refusedWhole(fileSha256: string | null, problem: FileProblem): RefusedFile {
  return { kind: 'refused', fileSha256, problems: { listed: [problem], count: 1 }, codes: { [problem.code]: 1 } };
}

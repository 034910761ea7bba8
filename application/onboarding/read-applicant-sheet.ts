import { type ApplicantKey, REQUIRED_KEYS } from '../../domain/onboarding/applicant-fields.ts';
import type { RawApplicant, RawDocument, RawValue } from '../../domain/onboarding/raw-applicant.ts';
import { shownValue } from '../../domain/payment-file/row-problem.ts';
import type { SheetNote } from '../sheets/sheet-notes.ts';
import { columnTarget, type KeyTarget, nearestKey, plainName } from './applicant-keys.ts';
import { type ApplicantTable, readApplicantTable } from './applicant-table.ts';
import type { FormProblem, ReadApplicants } from './applicants-file.ts';

interface Column {
  /** In lower case. */
  name: string;
  target: KeyTarget;
}

/**
 * One applicant for each row. An empty cell is not given, rows of empty cells are skipped. Throws UnreadableFile for a file that
 * is no sheet. `isComplete`: the columns that every applicant needs must be there.
 */
export async function readApplicantSheet(
  content: Uint8Array,
  { isComplete }: { isComplete: boolean },
): Promise<ReadApplicants> {
  const { headerLine: line, header, rows, notes } = await readApplicantTable(content);
  const columns = header.map((name): Column => ({ name: plainName(name), target: columnTarget(plainName(name)) }));
  const problems = columns.flatMap((column, index) => columnProblem(columns, column, index, line));
  problems.push(...notes.map(problemOfNote));
  const missing = isComplete ? missingColumns(columns) : [];
  problems.push(...missing.filter((key) => !isMisspelt(columns, key)).map((key) => missingColumn(key, line)));
  // The header says once what would be said of every line.
  const reported = new Set(missing);
  const applicants = rows.flatMap((row) => applicantOf(row, columns, reported));
  if (applicants.length === 0) {
    const problem = 'the file has a header and no applicants';
    problems.push({ code: 'no_applicants', line, field: null, problem, fix: EXPORT_AGAIN });
    return { applicants: null, problems };
  }
  return { applicants, problems };
}

const EXPORT_AGAIN = 'export it again, with the applicants in it';

/** Nobody is asked about it here: it is put right in the file. */
function problemOfNote({ code, line, column, problem, fix, count }: SheetNote): FormProblem {
  const times = count > 1 ? ` (${count} times)` : '';
  return { code, line: line === 0 ? null : line, field: column, problem: `${problem}${times}`, fix };
}

function columnProblem(columns: readonly Column[], column: Column, index: number, line: number): FormProblem[] {
  const { name, target } = column;
  if (name === '') {
    const problem = `column ${index + 1} has no header`;
    return [{ code: 'empty_header', line, field: null, problem, fix: 'name the column, or delete it' }];
  }
  const before = columns.findIndex((other) => other.name === name);
  if (before < index) {
    const problem = `the file has this column twice, the first time as column ${before + 1}`;
    return [{ code: 'repeated_field', line, field: shownValue(name), problem, fix: 'keep one of them' }];
  }
  if (target.kind !== 'problem') return [];
  const { code, problem, fix } = target;
  return [{ code, line, field: shownValue(name), problem, fix }];
}

function missingColumns(columns: readonly Column[]): ApplicantKey[] {
  const given = new Set(columns.flatMap(({ target }) => (target.kind === 'field' ? target.key : [])));
  return REQUIRED_KEYS.filter((key) => !given.has(key));
}

/** An unknown column was said to mean this one. */
function isMisspelt(columns: readonly Column[], key: ApplicantKey): boolean {
  return columns.some(
    ({ name, target }) => target.kind === 'problem' && target.code === 'unknown_field' && nearestKey(name) === key,
  );
}

function missingColumn(key: ApplicantKey, line: number): FormProblem {
  const problem = `the file has no column ${key}, which every applicant needs`;
  return { code: 'missing_column', line, field: key, problem, fix: 'add it' };
}

function applicantOf(
  { line, cells }: ApplicantTable['rows'][number],
  columns: readonly Column[],
  reported: ReadonlySet<ApplicantKey>,
): RawApplicant[] {
  if (cells.every((cell) => cell.trim() === '')) return [];
  const values = new Map<ApplicantKey, RawValue>();
  const documents = new Map<string, RawDocument>();
  const misnamedTypes = new Set<string>();
  columns.forEach(({ name, target }, index) => {
    const text = cells[index] ?? '';
    if (text.trim() === '') return;
    // Of a repeated column the first one is checked.
    if (target.kind === 'field' && !values.has(target.key)) values.set(target.key, { line, text });
    if (target.kind === 'problem' && target.documentType !== undefined) misnamedTypes.add(target.documentType);
    if (target.kind === 'document' && !documents.has(target.slot)) {
      documents.set(target.slot, { field: name, line, text });
    }
  });
  return [{ line, values, documents, documentPrefix: 'document_', reported, misnamedTypes }];
}

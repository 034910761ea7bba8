import { type ApplicantKey, REQUIRED_KEYS } from '../../domain/onboarding/applicant-fields.ts';
import type { RawApplicant, RawDocument, RawValue } from '../../domain/onboarding/raw-applicant.ts';
import { shownValue } from '../../domain/payment-file/row-problem.ts';
import { csvRecords } from './csv-records.ts';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import { columnTarget, type KeyTarget, nearestKey, plainName } from './applicant-keys.ts';
import { CSV_LIMITS, type FormProblem, type ReadApplicants } from './applicants-file.ts';

interface Column {
  /** In lower case. */
  name: string;
  target: KeyTarget;
}

/**
 * One applicant for each line. An empty cell is not given, rows of empty cells are skipped. Throws UnreadableFile for a file that
 * is no CSV. `isComplete`: the columns that every applicant needs must be there.
 */
export function readApplicantCsv(content: Uint8Array, { isComplete }: { isComplete: boolean }): ReadApplicants {
  const { records, lines } = csvRecords(content, CSV_LIMITS);
  const [header, ...rows] = records;
  const line = lines[0] ?? 1;
  if (header === undefined) throw new UnreadableFile({ line }, 'empty_file', 'the file is empty', EXPORT_AGAIN);
  const columns = header.map((name): Column => ({ name: plainName(name), target: columnTarget(plainName(name)) }));
  const problems = columns.flatMap((column, index) => columnProblem(columns, column, index, line));
  const missing = isComplete ? missingColumns(columns) : [];
  problems.push(...missing.filter((key) => !isMisspelt(columns, key)).map((key) => missingColumn(key, line)));
  // The header says once what would be said of every line.
  const reported = new Set(missing);
  const applicants = rows.flatMap((cells, index) => applicantOf(cells, columns, lines[index + 1] ?? 0, reported));
  if (applicants.length === 0) {
    const problem = 'the file has a header and no applicants';
    problems.push({ code: 'no_applicants', line, field: null, problem, fix: EXPORT_AGAIN });
    return { applicants: null, problems };
  }
  return { applicants, problems };
}

const EXPORT_AGAIN = 'export it again, with the applicants in it';

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
  cells: readonly string[],
  columns: readonly Column[],
  line: number,
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

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openPaymentFile } from '../../application/payment-file/open-payment-file.ts';
import { UnreadableFile } from '../../application/payment-file/file-problem.ts';
import { readRows } from '../../application/payment-file/read-rows.ts';
import { lastText, type Profile } from '../../domain/import-profiles/profile.ts';
import type { PaymentColumn } from '../../domain/payment-file/csv-columns.ts';
import type { RawRow } from '../../domain/payment-file/raw-row.ts';
import { decideAsAPerson, type Decided } from './decide-as-a-person.ts';

/**
 * Brings sheets that make_sheets.py made in FOLDER through what `payrun prepare` and `payrun submit` do, and prints what they took:
 *
 *     python3 test/sheets/make_sheets.py FOLDER && npm run sheets -- FOLDER
 */

export interface MadeSheet {
  name: string;
  program: string;
  /** The header that fills a column, where payrun has to ask or proposes another one. */
  wants: Partial<Record<PaymentColumn, string[]>>;
  /** What the sheet does not say, and is the same for all rows. */
  constants: Partial<Record<PaymentColumn, string>>;
  /** It cannot be read, for one cause. */
  refused: boolean;
  reading: { sheetName?: string };
  encoding: string | null;
  dates: string | null;
  amounts: string;
  files: Record<string, string>;
  /** What each of our columns is, as the maker means it. */
  rows: Record<string, Partial<Record<PaymentColumn, string>>[]>;
}

const MOST_STEPS = 6;
const MOST_REFUSALS = 1;

interface Line {
  name: string;
  program: string;
  decided: Decided;
  compared: number;
  differing: string[];
  next: string;
  isGood: boolean;
}

const { positionals } = parseArgs({ allowPositionals: true });
const [folder = ''] = positionals;
const sheets = JSON.parse(await readFile(join(folder, 'sheets.json'), 'utf8')) as MadeSheet[];
const lines: Line[] = [];
for (const sheet of sheets) lines.push(await tried(sheet));
print(lines);
process.exitCode = lines.every(({ isGood }) => isGood) ? 0 : 1;

async function tried(sheet: MadeSheet): Promise<Line> {
  const [first = '', next = ''] = Object.keys(sheet.files).sort();
  const bytes = await fileOf(sheet, first);
  const decided = await decideAsAPerson(bytes, sheet);
  const { name, program } = sheet;
  if (decided.profile === null) {
    return { name, program, decided, compared: 0, differing: [], next: '-', isGood: sheet.refused };
  }
  const read = await rowsBy(bytes, { profile: decided.profile });
  const submitted = { ...decided, steps: decided.steps + 1 };
  if (typeof read === 'string') {
    return {
      name,
      program,
      decided: { ...submitted, refusals: [...decided.refusals, read] },
      compared: 0,
      differing: [],
      next: '-',
      isGood: false,
    };
  }
  const { compared, differing } = compare(read, sheet.rows[first] ?? []);
  const later = await nextMonth(await fileOf(sheet, next), decided.profile);
  const again = typeof later === 'string' ? null : compare(later, sheet.rows[next] ?? []);
  const isGood =
    submitted.steps <= MOST_STEPS &&
    decided.refusals.length <= MOST_REFUSALS &&
    differing.length === 0 &&
    again?.differing.length === 0;
  return {
    ...{ name, program, decided: submitted, compared: compared + (again?.compared ?? 0) },
    differing: [...differing, ...(again?.differing ?? [])],
    next: typeof later === 'string' ? later : lastText(decided.profile) === null ? '1 step' : '2 steps',
    isGood,
  };
}

/** What beneficiaries read in every row, a person says each time. */
async function nextMonth(file: Buffer, known: Profile): Promise<RawRow[] | string> {
  const read = await rowsBy(file, { profile: null, known: [known] });
  const isAsked = read === 'missing_columns' && lastText(known) !== null;
  return isAsked ? rowsBy(file, { profile: known }) : read;
}

function fileOf({ files }: MadeSheet, month: string): Promise<Buffer> {
  return readFile(join(folder, files[month] ?? ''));
}

async function rowsBy(file: Buffer, how: { profile: Profile | null; known?: Profile[] }): Promise<RawRow[] | string> {
  try {
    const rows: RawRow[] = [];
    for await (const batch of readRows(await openPaymentFile({ file, rowNumbers: null, ...how }))) rows.push(...batch);
    return rows;
  } catch (error) {
    if (error instanceof UnreadableFile) return error.fileProblem.code;
    throw error;
  }
}

function compare(rows: readonly RawRow[], made: MadeSheet['rows'][string]): { compared: number; differing: string[] } {
  const differing: string[] = rows.length === made.length ? [] : [`${rows.length} rows instead of ${made.length}`];
  let compared = 0;
  made.forEach((cells, index) => {
    const row = rows[index];
    for (const [column, text] of Object.entries(cells) as [PaymentColumn, string][]) {
      compared += 1;
      const read = row?.cells[column] ?? '';
      if (plain(column, read) !== plain(column, text))
        differing.push(`${column} of row ${index + 1}: "${read}" instead of "${text}"`);
    }
  });
  return { compared, differing };
}

/** 12511 and 12511.00 are one amount. */
function plain(column: PaymentColumn, text: string): string {
  return column === 'amount' ? text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : text;
}

function print(made: readonly Line[]): void {
  const head = ['sheet', 'program', 'steps', 'decisions', 'refusals', 'next', 'cells', 'differ', ''];
  const cells = made.map(({ name, program, decided, compared, differing, next, isGood }) => [
    ...[name, program, String(decided.steps), String(decided.decisions.length), decided.refusals.join(' ') || '0'],
    ...[next, String(compared), String(differing.length), isGood ? 'ok' : 'NOT OK'],
  ]);
  const widths = head.map((text, at) => Math.max(text.length, ...cells.map((line) => line[at]?.length ?? 0)));
  for (const line of [head, ...cells])
    console.log(
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  for (const { name, differing, decided, isGood } of made) {
    if (isGood) continue;
    console.log(`\n${name}: ${decided.decisions.join('; ')}`);
    for (const text of differing.slice(0, 8)) console.log(`  ${text}`);
  }
  console.log(`\n${made.filter(({ isGood }) => isGood).length} of ${made.length} are as a person would read them.`);
}

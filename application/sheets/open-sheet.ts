import type { FileProblemCode } from '../../domain/payment-file/file-problem-codes.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import { type FileContent, sizeOf } from '../payment-file/file-content.ts';
import { openCsv } from './csv-sheet.ts';
import { type FileForm, fileForm } from './file-form.ts';
import { openJson } from './json-sheet.ts';
import { openOrder } from './order-sheet.ts';
import { type Sheet, SHEET_LIMITS, type SheetForm, type SheetLimits, type WantedReading } from './sheet.ts';
import { openXlsx } from './xlsx-sheet.ts';

/**
 * Opens a file of any form that is a table: CSV, or one sheet of a workbook. What was not chosen is proposed, and said. Throws
 * UnreadableFile with what the file is and what to do, and ChoiceNeeded if several sheets of a workbook have content.
 */
export async function openSheet(
  content: FileContent,
  wanted: WantedReading = {},
  limits: SheetLimits = SHEET_LIMITS,
): Promise<Sheet> {
  if (sizeOf(content) > limits.bytes) {
    throw new UnreadableFile(
      { line: 0 },
      'file_too_large',
      `the file is larger than ${limits.bytes} bytes`,
      'split it',
    );
  }
  const form = wanted.form ?? (await fileForm(content));
  if (form === 'csv') return withinCharacters(await openCsv(content, wanted, limits), limits);
  if (form === 'xlsx') return withinCharacters(await openXlsx(content, wanted, limits), limits);
  if (form === 'pain001') return withinCharacters(await openOrder(content, wanted, limits), limits);
  if (form === 'json') return withinCharacters(await openJson(content, limits), limits);
  const [code, problem, fix] = NO_SHEET[form];
  throw new UnreadableFile({ line: form === 'empty' ? 1 : 0 }, code, problem, fix);
}

function withinCharacters(sheet: Sheet, { charactersInAll }: SheetLimits): Sheet {
  return {
    ...sheet,
    async *records() {
      let characters = 0;
      for await (const records of sheet.records()) {
        for (const record of records) {
          characters += charactersOf(record);
          if (characters > charactersInAll) throw tooManyCharacters(record.line, charactersInAll);
        }
        yield records;
      }
    },
  };
}

/** An empty cell takes memory, too. */
function charactersOf({ cells, values = [] }: SheetRecord): number {
  let characters = cells.length;
  for (const cell of cells) characters += cell.length;
  for (const value of values) characters += value?.length ?? 0;
  return characters;
}

function tooManyCharacters(line: number, most: number): UnreadableFile {
  return new UnreadableFile(
    { line },
    'file_too_large',
    `the cells of the file have more than ${most} characters in all`,
    'split it, or delete columns that are not needed',
  );
}

const SAVE_AS_XLSX = 'open it in a spreadsheet program, and save it as .xlsx';
const EXPORT_SHEET = 'export the payments as .xlsx or CSV from where they come from';
const EXPORT_ORDER = 'export the payments as .xlsx, CSV or pain.001 from where they come from';

/** What files are that are no sheets, and what to do with them. */
const NO_SHEET: Record<Exclude<FileForm, SheetForm>, readonly [FileProblemCode, problem: string, fix: string]> = {
  empty: ['empty_file', 'the file is empty', 'export it again, with the payments in it'],
  other_json: [
    'json_file',
    'the file is JSON, and not a list of objects',
    'give a list with one object for each payment',
  ],
  encrypted_workbook: [
    'encrypted_workbook',
    'the workbook is protected by a password',
    'open it, remove the password (File, Info, Protect Workbook), and save it',
  ],
  xls: ['old_workbook', 'the file is an old workbook (.xls) or another old document of Office', SAVE_AS_XLSX],
  xlsb: ['other_workbook', 'the file is a binary workbook (.xlsb)', SAVE_AS_XLSX],
  ods: ['other_workbook', 'the file is a workbook of LibreOffice or OpenOffice (.ods)', SAVE_AS_XLSX],
  numbers: ['other_workbook', 'the file is a workbook of Numbers', 'export it to Excel (.xlsx) or CSV'],
  xml_spreadsheet: ['other_workbook', 'the file is a workbook as XML of 2003', SAVE_AS_XLSX],
  html: ['other_workbook', 'the file is a web page, even if it is named .xls', SAVE_AS_XLSX],
  pdf: ['not_a_sheet', 'the file is a PDF', EXPORT_SHEET],
  image: ['not_a_sheet', 'the file is an image', EXPORT_SHEET],
  document: ['not_a_sheet', 'the file is a document of a word processor or a presentation', EXPORT_SHEET],
  archive: ['not_a_sheet', 'the file is an archive', 'unpack it, and submit the sheet that is in it'],
  nacha: ['bank_file', 'the file is a NACHA file, as banks in the United States get it', EXPORT_ORDER],
  aba: ['bank_file', 'the file is an ABA file, as banks in Australia get it', EXPORT_ORDER],
  mt101: ['bank_file', 'the file is a request for transfer (MT101)', EXPORT_ORDER],
  mt940: ['bank_file', 'the file is a message of a bank (MT940 or similar), such as a statement', EXPORT_ORDER],
  pain008: [
    'bank_file',
    'the file orders direct debits (pain.008), which payrun does not carry out',
    'give it to a bank',
  ],
  camt: ['bank_file', 'the file is a statement or report of a bank (camt)', EXPORT_ORDER],
  other_xml: ['other_xml', 'the file is XML, and not a payment order (pain.001)', EXPORT_ORDER],
};

import { StringDecoder } from 'node:string_decoder';
import { EXCEPTION_COLUMNS } from '../../domain/payment-file/csv-columns.ts';
import { CsvParser } from '../sheets/csv-parser.ts';
import { SHEET_LIMITS } from '../sheets/sheet.ts';
import { type FileContent, firstBytesOf } from './file-content.ts';
import { UnreadableFile } from './file-problem.ts';

/** Whether a header is one of the two that payrun adds to exceptions.csv. */
export function isExceptionColumn(name: string): boolean {
  return (EXCEPTION_COLUMNS as readonly string[]).includes(name.trim().toLowerCase());
}

/** How payrun writes exceptions.csv, whatever the file was whose rows it has. */
export const EXCEPTIONS_READING = { form: 'csv', encoding: 'utf-8', delimiter: ',' } as const;

/** Longer than any line of headers. */
const SAMPLE_BYTES = 1024 * 1024;

/**
 * Whether a file is an exceptions.csv, whose headers in the first line have both of its columns: payrun added apostrophes to its cells.
 * In any other file an apostrophe is part of its cell.
 */
export async function isExceptionsFile(content: FileContent): Promise<boolean> {
  const bytes = await firstBytesOf(content, SAMPLE_BYTES);
  const text = new StringDecoder('utf8').write(Buffer.from(bytes)).replace(/^\ufeff/, '');
  const names = EXCEPTION_COLUMNS.every((name) => text.includes(name)) ? headersOf(text) : [];
  return new Set(names.filter(isExceptionColumn).map((name) => name.trim().toLowerCase())).size === 2;
}

/** Of CSV with commas; none: it is another file. */
function headersOf(text: string): string[] {
  const parser = new CsvParser(
    { delimiter: ',', lineEnd: 'lf', firstLine: 1 },
    { ...SHEET_LIMITS, cellCharacters: SAMPLE_BYTES },
  );
  try {
    return parser.push(`${text}\n`)[0]?.cells ?? [];
  } catch (error) {
    if (error instanceof UnreadableFile) return [];
    throw error;
  }
}

import { StringDecoder } from 'node:string_decoder';
import { CsvParser } from '../sheets/csv-parser.ts';
import { raggedRow } from '../sheets/ragged-row.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import { textBytes } from './text-bytes.ts';
import type { PaymentFileLimits } from '../payment-file/payment-file-limits.ts';

export interface CsvRecords {
  /** The cells of each row, exactly as written, the header's first; blank lines are no rows. */
  records: string[][];
  /** The line that each of them begins on, from 1. */
  lines: number[];
  hasByteOrderMark: boolean;
}

/**
 * The records of a CSV: UTF-8, commas, quotes doubled inside quotes. Throws UnreadableFile at the first problem that makes the
 * file unreadable.
 */
export function csvRecords(bytes: Uint8Array, limits: PaymentFileLimits): CsvRecords {
  if (bytes.byteLength > limits.bytes) {
    throw new UnreadableFile(
      { line: 0 },
      'file_too_large',
      `the file is larger than ${limits.bytes} bytes`,
      'split it',
    );
  }
  const { body, hasByteOrderMark } = textBytes(bytes);
  refuseOtherDelimiters(body);
  const records: string[][] = [];
  const lines: number[] = [];
  for (const { line, cells } of parsed(body, limits)) {
    const columns = records[0]?.length ?? cells.length;
    if (cells.length !== columns) throw raggedRow(cells.length, columns, line);
    records.push(cells);
    lines.push(line);
  }
  return { records, lines, hasByteOrderMark };
}

const PIECE_BYTES = 1024 * 1024;

/** Cells that are a little too long are refused later, with their columns. */
const LONGER = 4;

function* parsed(body: Buffer, limits: PaymentFileLimits): Generator<SheetRecord, void, undefined> {
  const longer = { ...limits, cellCharacters: LONGER * limits.cellCharacters };
  const parser = new CsvParser({ delimiter: ',', lineEnd: 'lf', firstLine: 1 }, longer);
  const decoder = new StringDecoder('utf8');
  for (let at = 0; at < body.byteLength; at += PIECE_BYTES) {
    yield* parser.push(decoder.write(body.subarray(at, at + PIECE_BYTES)));
  }
  yield* parser.end();
}

/** Refuses a header without a comma but with another delimiter of spreadsheets. */
function refuseOtherDelimiters(body: Buffer): void {
  const lineEnd = body.indexOf(0x0a);
  const header = body.subarray(0, Math.min(lineEnd === -1 ? body.length : lineEnd, 10_000)).toString('utf8');
  if (/^sep=.\r?$/.test(header)) {
    throw new UnreadableFile(
      { line: 1 },
      'separator_line',
      'the first line is a note for Excel',
      'delete the first line',
    );
  }
  if (header.includes(',')) return;
  const found = DELIMITERS.find(({ mark }) => header.includes(mark));
  if (found === undefined) return;
  throw new UnreadableFile(
    { line: 1 },
    'delimiter',
    `the cells are separated by ${found.name}, not by commas`,
    'save the file as CSV with commas',
  );
}

const DELIMITERS = [
  { mark: ';', name: 'semicolons (;)' },
  { mark: '\t', name: 'tabs' },
  { mark: '|', name: 'bars (|)' },
] as const;

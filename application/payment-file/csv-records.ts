import { parse } from 'csv-parse/sync';
import { UnreadableFile } from './file-problem.ts';
import { textBytes } from './payment-file-encoding.ts';
import type { PaymentFileLimits } from './payment-file-limits.ts';
import { rowLines } from './payment-file-shape.ts';

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
  const lines = rowLines(body, limits);
  const records = parseRecords(body);
  if (records.length !== lines.length) throw new Error('the parser found other rows than the scan before it');
  return { records, lines, hasByteOrderMark };
}

/** The shape was checked before: an error of the parser would be a defect of payrun. */
function parseRecords(body: Buffer): string[][] {
  return parse(body, {
    bom: false,
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
    relax_column_count: false,
  });
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

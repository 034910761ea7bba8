import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import { PAYMENT_FILE_LIMITS, type PaymentFileLimits } from '../payment-file/payment-file-limits.ts';
import type { SheetNote } from './sheet-notes.ts';

/** How the file is read: what was chosen, so that it can be said, and fixed in a profile. */
export interface SheetReading {
  encoding: string;
  hasByteOrderMark: boolean;
  delimiter: string | null;
  sheetName: string | null;
}

/** What nobody chose and the file does not say by itself: what was proposed, why, and how it would read otherwise. */
export interface ReadingProposal {
  what: 'encoding' | 'delimiter';
  chosen: string;
  because: string;
  /** The first records, or the lines that tell the readings apart, as they are read. */
  sample: string[][];
  others: { value: string; sample: string[][] }[];
}

/** Of a payment order (pain.001), one block of payment information is a sheet, whose headers are ours. `json`: a list of objects. */
export type SheetForm = 'csv' | 'xlsx' | 'pain001' | 'json';

/** Whether the headers are a line of the file. */
export function hasHeaderLine(form: SheetForm): boolean {
  return form === 'csv' || form === 'xlsx';
}

export interface Sheet {
  form: SheetForm;
  reading: SheetReading;
  proposals: ReadingProposal[];
  /**
   * Batches of records without the empty ones. Each call reads the file from its start. A long cell may keep the piece of the file in
   * memory that it is part of: keep copies of few.
   */
  records(): AsyncIterable<SheetRecord[]>;
  /** What a person must know of the file, once `records` has ended. */
  notes(): SheetNote[];
}

/** What a person or a profile chose; what is absent is proposed. */
export interface WantedReading {
  /** Of a file that payrun wrote itself; else its bytes say it. */
  form?: 'csv';
  /** A label of TextDecoder. */
  encoding?: string;
  /** One character. */
  delimiter?: string;
  /** Of a payment order, the block. */
  sheetName?: string;
}

export interface SheetLimits extends PaymentFileLimits {
  /** Of all parts of a workbook that are read, after unfolding. */
  unfoldedBytes: number;
  /** How many times larger than itself a part may unfold, once it is larger than a few mebibytes. */
  unfoldedRatio: number;
  /** Of the different texts of a workbook, which are all kept in memory. */
  distinctTextBytes: number;
  /** Of all cells, with one for each cell: many may name one text, so that a small workbook has more of them than any CSV. */
  charactersInAll: number;
}

export const SHEET_LIMITS: SheetLimits = {
  ...PAYMENT_FILE_LIMITS,
  unfoldedBytes: 2 * 1024 ** 3,
  unfoldedRatio: 100,
  distinctTextBytes: 128 * 1024 ** 2,
  charactersInAll: 3 * PAYMENT_FILE_LIMITS.bytes,
};

/** So many names are listed at most. */
const LISTED_NAMES = 20;

export function namesOf(sheetNames: readonly string[]): string {
  const listed = sheetNames.slice(0, LISTED_NAMES).map((name) => `"${name}"`);
  return listed.join(', ') + (sheetNames.length > LISTED_NAMES ? ' …' : '');
}

/** The file can be read in several ways, and a person must choose one. */
export class ChoiceNeeded extends UnreadableFile {
  /** The names of the sheets that have content, or of the blocks of an order. */
  readonly sheetNames: string[];
  readonly what: 'sheet' | 'block';

  constructor(sheetNames: string[], what: 'sheet' | 'block') {
    const count = sheetNames.length;
    super(
      { line: 0 },
      `${what}_not_chosen`,
      `${what === 'sheet' ? `the workbook has ${count} sheets with content` : `the order has ${count} blocks`}: ${namesOf(sheetNames)}`,
      'choose the one to read',
    );
    this.name = 'ChoiceNeeded';
    this.sheetNames = sheetNames;
    this.what = what;
  }
}

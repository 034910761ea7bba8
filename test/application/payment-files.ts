import { writeExceptions } from '../../application/runs/write-exceptions.ts';
import { readPaymentFile, type ReadOptions } from '../../application/payment-file/read-payment-file.ts';
import type { RawRow } from '../../domain/payment-file/raw-row.ts';
import type { FileProblem } from '../../domain/payment-file/row-problem.ts';
import type { PaymentFileHeader } from '../../application/payment-file/payment-file-header.ts';

/** The columns that a file cannot do without, and cells for them. */
export const header =
  'row_ref,amount,amount_side,sell_currency,buy_currency,payment_reference,purpose_of_transfer,funding_source,funding_method';
export const cells = (rowRef: string): string => `${rowRef},10.00,buy,USD,EUR,Invoice,SUPP,COMPANY_BANK_ACCOUNT,PAYNOW`;

export const bytesOf = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`);

/** Reads a file that must be readable. */
export function rowsOf(bytes: Uint8Array, options?: ReadOptions): { rows: RawRow[]; header: PaymentFileHeader } {
  const read = readPaymentFile(bytes, options);
  if ('fileProblem' in read) throw new Error(`unexpected: ${JSON.stringify(read.fileProblem)}`);
  return read;
}

/** Reads a file that must not be readable. */
export function troubleOf(bytes: Uint8Array, options?: ReadOptions): FileProblem {
  const read = readPaymentFile(bytes, options);
  if ('rows' in read) throw new Error(`unexpected: ${read.rows.length} rows`);
  return read.fileProblem;
}

export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** exceptions.csv of all rows of a file. */
export function exceptionsOf(read: { rows: RawRow[]; header: PaymentFileHeader }): Promise<string> {
  const lines = read.rows.map((row) => ({ cells: row.original, status: 'failed', reason: '=why, "so"' }));
  return textOf(writeExceptions(read.header, lines));
}

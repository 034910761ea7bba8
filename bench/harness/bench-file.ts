import { createWriteStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type PaymentRow, csvOf } from '../../fixtures/payment-rows.ts';
import { workbookPieces } from './bench-workbook.ts';

export type FileForm = 'csv' | 'xlsx';

const ROWS_PER_PIECE = 10_000;

/** Writes a payment file piece by piece: a million rows are never in memory. Returns its size in bytes. */
export async function writeBenchFile(
  path: string,
  form: FileForm,
  { count, rowAt }: { count: number; rowAt: (index: number) => PaymentRow },
): Promise<number> {
  const pieces = piecesOfRows(count, rowAt);
  await pipeline(form === 'csv' ? csvPieces(pieces) : workbookPieces(pieces), createWriteStream(path));
  return statSync(path).size;
}

function* piecesOfRows(count: number, rowAt: (index: number) => PaymentRow): Generator<PaymentRow[], void, undefined> {
  for (let from = 0; from < count; from += ROWS_PER_PIECE) {
    yield Array.from({ length: Math.min(ROWS_PER_PIECE, count - from) }, (_, index) => rowAt(from + index));
  }
}

function* csvPieces(pieces: Iterable<PaymentRow[]>): Generator<Buffer, void, undefined> {
  let isFirst = true;
  for (const rows of pieces) {
    const csv = csvOf(rows);
    yield isFirst ? csv : csv.subarray(csv.indexOf('\n') + 1);
    isFirst = false;
  }
}

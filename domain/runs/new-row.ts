import type { ProblemCode } from '../payment-file/row-problem.ts';
import type { PaymentErrorCode } from '../payments/payment-error-codes.ts';
import type { PaymentInstruction } from '../payments/payment-instruction.ts';
import type { PaymentState } from '../payments/payment-state.ts';
import type { RowHashes } from './row-identity.ts';

/** A row of a file to be stored with its run. An invalid row has no instruction. */
export interface NewRow {
  paymentId: string;
  rowNumber: number;
  line: number;
  rowRef: string;
  state: Extract<PaymentState, 'ready' | 'invalid'>;
  cells: readonly string[];
  instruction: PaymentInstruction | null;
  hashes: RowHashes | null;
  errorCode: ProblemCode | PaymentErrorCode | null;
  errorMessage: string | null;
}

/** Rows for one statement, as JSON text: passing them between threads does not parse and build them again. */
export interface RowBatch {
  count: number;
  json: string;
}

/** About a megabyte of text, which takes a few milliseconds to encode or copy. */
export const ROWS_PER_BATCH = 1_000;

export function rowBatches(rows: readonly NewRow[]): RowBatch[] {
  const batches: RowBatch[] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_BATCH) batches.push(rowBatch(rows, from));
  return batches;
}

/** The rows from a position on, at most `ROWS_PER_BATCH`. */
export function rowBatch(rows: readonly NewRow[], from: number): RowBatch {
  const batch = rows.slice(from, from + ROWS_PER_BATCH);
  return { count: batch.length, json: JSON.stringify(batch.map(recordOf)) };
}

export function countOf(batches: readonly RowBatch[]): number {
  return batches.reduce((sum, { count }) => sum + count, 0);
}

/** By column name. */
function recordOf(row: NewRow): Record<string, unknown> {
  return {
    payment_id: row.paymentId,
    row_number: row.rowNumber,
    line: row.line,
    row_ref: row.rowRef,
    state: row.state,
    cells: row.cells,
    instruction: row.instruction,
    row_hash: row.hashes?.rowHash ?? null,
    beneficiary_hash: row.hashes?.beneficiaryHash ?? null,
    beneficiary_fingerprint: row.hashes?.beneficiaryFingerprint ?? null,
    account_hash: row.hashes?.accountHash ?? null,
    routing_hash: row.hashes?.routingHash ?? null,
    name_hash: row.hashes?.nameHash ?? null,
    sell_currency: row.instruction?.sellCurrency ?? null,
    buy_currency: row.instruction?.buyCurrency ?? null,
    amount: row.instruction?.amount ?? null,
    amount_side: row.instruction?.amountSide ?? null,
    beneficiary_id: row.instruction?.beneficiary.kind === 'existing' ? row.instruction.beneficiary.beneficiaryId : null,
    error_code: row.errorCode,
    error_message: row.errorMessage,
  };
}

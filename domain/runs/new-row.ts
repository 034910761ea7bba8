import type { ProblemCode } from '../payment-file/row-problem.ts';
import type { PaymentErrorCode } from '../payments/payment-error-codes.ts';
import type { PaymentInstruction } from '../payments/payment-instruction.ts';
import type { PaymentState } from '../payments/payment-state.ts';

/** A row of a file to be stored with its run. An invalid row has no instruction. */
export interface NewRow {
  paymentId: string;
  rowNumber: number;
  line: number;
  rowRef: string;
  state: Extract<PaymentState, 'ready' | 'invalid'>;
  cells: readonly string[];
  instruction: PaymentInstruction | null;
  errorCode: ProblemCode | PaymentErrorCode | null;
  /** What is wrong with an invalid row. */
  problems: string | null;
}

/**
 * Rows for one statement, as JSON in UTF-8 with memory of its own: it is handed from one thread to another without a copy, and the one that
 * stores it holds no text.
 */
export interface RowBatch {
  count: number;
  json: Uint8Array<ArrayBuffer>;
}

/** About a megabyte of text, which takes a few milliseconds to encode or copy. */
export const ROWS_PER_BATCH = 1_000;

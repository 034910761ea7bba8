import { PAYMENT_FILE_LIMIT_BYTES } from '../../api/runs/submission.ts';

/** Limits of what is read, so that no file can exhaust the machine that checks it. */
export interface PaymentFileLimits {
  bytes: number;
  rows: number;
  columns: number;
  cellCharacters: number;
}

export const PAYMENT_FILE_LIMITS: PaymentFileLimits = {
  bytes: PAYMENT_FILE_LIMIT_BYTES,
  rows: 1_000_000,
  columns: 200,
  cellCharacters: 10_000,
};

/** Limits of what is read, so that no file can exhaust the machine that checks it. */
export interface PaymentFileLimits {
  bytes: number;
  rows: number;
  columns: number;
  cellCharacters: number;
}

export const PAYMENT_FILE_LIMITS: PaymentFileLimits = {
  bytes: 200 * 1024 * 1024,
  rows: 200_000,
  columns: 200,
  cellCharacters: 10_000,
};

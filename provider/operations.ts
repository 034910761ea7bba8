/** The provider's operations that payrun calls, by name, with what each may do to money or records. */

export const OPERATIONS = [
  'auth-authenticate',
  'auth-logout',
  'beneficiary-requirements',
  'beneficiary-create',
  'beneficiary-get',
  'beneficiary-delete',
  'beneficiary-find',
  'currency-rate',
  'currency-supported',
  'currency-pairs',
  'simple-payment-supported-local-currencies',
  'simple-payment-quote',
  'simple-payment-get-upload-url',
  'simple-payment-upload-file',
  'simple-payment-create',
  'simple-payment-get',
  'simple-payment-find',
  'simple-payment-fund',
  'balance-find',
  'balance-get-by-currency',
  'balance-get-by-id',
  'balance-history',
] as const;

export type Operation = (typeof OPERATIONS)[number];

/**
 * Operations that leave something behind which a second call would leave twice. Everything else reads, or replaces
 * the same thing by itself (an upload to the same address), or yields something that costs nothing when it is not
 * used (a quote, an upload address, a token).
 */
const UNSAFE_TO_REPEAT: ReadonlySet<Operation> = new Set([
  'beneficiary-create',
  'simple-payment-create',
  'simple-payment-fund',
]);

/** Whether a call whose outcome is unknown may simply be made again. When not, its effect is looked up first. */
export function isSafeToRepeat(operation: Operation): boolean {
  return !UNSAFE_TO_REPEAT.has(operation);
}

/** Operations that send the caller's `referenceId`, and so can be told that it is taken. */
export function carriesReference(operation: Operation): boolean {
  return operation === 'simple-payment-create';
}

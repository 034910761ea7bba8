/**
 * The provider's operations that payrun calls, by name, with what each may do to money or records. Contract: account 4,
 * payments 4.
 */

export const OPERATIONS = [
  'auth-authenticate',
  'auth-logout',
  'auth-signup-v1',
  'auth-forgot-password',
  'auth-signup-resend',
  'countries-list',
  'user-signup-v2',
  'user-get',
  'user-detail-patch',
  'user-detail-get',
  'user-screen',
  'company-get',
  'company-patch',
  'document-create',
  'document-get',
  'document-patch',
  'document-delete',
  'document-list',
  'document-upload-file',
  'document-download-file',
  'funding-get',
  'funding-list',
  'refund-get',
  'refund-list',
  'beneficiary-requirements',
  'beneficiary-create',
  'beneficiary-get',
  'beneficiary-delete',
  'beneficiary-find',
  'currency-rate',
  'currency-supported',
  'currency-pairs',
  'conversion-quote',
  'conversion-create',
  'conversion-find',
  'conversion-get',
  'conversion-fund',
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
  'virtual-account-request-create',
  'virtual-account-request-retrieve',
] as const;

export type Operation = (typeof OPERATIONS)[number];

/**
 * Operations that leave something behind which a second call would leave twice. Everything else reads, or replaces
 * the same thing by itself (an upload to the same address, an update), or yields something that costs nothing when it
 * is not used (a quote, an upload address, a token, a second mail).
 */
const UNSAFE_TO_REPEAT: ReadonlySet<Operation> = new Set([
  'auth-signup-v1',
  'user-signup-v2',
  // Whether a second request begins a second screening is not documented.
  'user-screen',
  'document-create',
  'beneficiary-create',
  'conversion-create',
  'conversion-fund',
  'simple-payment-create',
  'simple-payment-fund',
  'virtual-account-request-create',
]);

/** Whether a call whose outcome is unknown may simply be made again. When not, its effect is looked up first. */
export function isSafeToRepeat(operation: Operation): boolean {
  return !UNSAFE_TO_REPEAT.has(operation);
}

/** Operations that send the caller's `referenceId`, and so can be told that it is taken. */
export function carriesReference(operation: Operation): boolean {
  return operation === 'simple-payment-create' || operation === 'conversion-create';
}

const FINISHING: ReadonlySet<Operation> = new Set([
  'auth-authenticate',
  'simple-payment-fund',
  'simple-payment-get',
  'simple-payment-find',
  // By which it is known why a funding was refused.
  'balance-find',
  'refund-get',
]);

/**
 * Whether it serves payments that exist with the provider already: to fund, find and confirm them, and the token for
 * that. The last requests of a day are kept for these. Contract: account 8.
 */
export function finishesWhatIsBegun(operation: Operation): boolean {
  return FINISHING.has(operation);
}

const WITH_STORAGE: ReadonlySet<Operation> = new Set([
  'document-upload-file',
  'document-download-file',
  'simple-payment-upload-file',
]);

/** Exchanges with a storage, which is not the provider's API. */
export function isWithStorage(operation: Operation): boolean {
  return WITH_STORAGE.has(operation);
}

const BY_ID: ReadonlySet<Operation> = new Set([
  'user-get',
  'user-detail-get',
  'user-detail-patch',
  'company-get',
  'company-patch',
  'document-get',
  'document-patch',
  'document-delete',
  'funding-get',
  'refund-get',
  'beneficiary-get',
  'beneficiary-delete',
  'conversion-get',
  'simple-payment-get',
  'balance-get-by-currency',
  'balance-get-by-id',
  'virtual-account-request-retrieve',
]);

/** Operations on one record that the path names: that there is none is an answer to be expected. */
export function namesARecord(operation: Operation): boolean {
  return BY_ID.has(operation);
}

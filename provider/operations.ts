/** The provider's operations, and how they differ in requests and answers. Contract: account 4, payments 4. */

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

/** Whether it sends the caller's `referenceId`, which the provider can refuse as a duplicate. */
export function sendsReference(operation: Operation): boolean {
  return operation === 'simple-payment-create' || operation === 'conversion-create';
}

const NON_IDEMPOTENT_OPERATIONS: ReadonlySet<Operation> = new Set([
  'auth-signup-v1',
  'user-signup-v2',
  'user-screen',
  'document-create',
  'beneficiary-create',
  'conversion-create',
  'conversion-fund',
  'simple-payment-create',
  'simple-payment-fund',
  'virtual-account-request-create',
]);

/** Whether it must not be sent again while it may have taken effect. */
export function isNonIdempotent(operation: Operation): boolean {
  return NON_IDEMPOTENT_OPERATIONS.has(operation);
}

const RESERVE_OPERATIONS: ReadonlySet<Operation> = new Set([
  'auth-authenticate',
  'simple-payment-fund',
  'simple-payment-get',
  'simple-payment-find',
  // Shows whether a funding was refused for lack of money.
  'balance-find',
  'refund-get',
]);

/**
 * Whether it may use the day's last requests. They are reserved for payments that the provider already has: to fund,
 * find and confirm them, and to get the token for that. Contract: account 8.
 */
export function mayUseReserve(operation: Operation): boolean {
  // guard: reserve-for-finishing
  return RESERVE_OPERATIONS.has(operation);
}

const STORAGE_OPERATIONS: ReadonlySet<Operation> = new Set([
  'document-upload-file',
  'document-download-file',
  'simple-payment-upload-file',
]);

/** Whether it goes to the file storage instead of the provider's API. */
export function isStorageOperation(operation: Operation): boolean {
  return STORAGE_OPERATIONS.has(operation);
}

const RECORD_OPERATIONS: ReadonlySet<Operation> = new Set([
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

/** Whether its path contains a record's id. The provider then regularly answers that there is no such record. */
export function hasRecordId(operation: Operation): boolean {
  return RECORD_OPERATIONS.has(operation);
}

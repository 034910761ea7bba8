/** The provider's operations, and how they differ in requests and answers. Contract: account 4, payments 4. */

interface OperationRow {
  /**
   * `non_idempotent`: it must not be sent again while it may have taken effect. `by_reference`: the same, and it sends the caller's
   * `referenceId`, which the provider can refuse as a duplicate.
   */
  sending: 'idempotent' | 'non_idempotent' | 'by_reference';
  /**
   * `record`: the path contains a record's id, and the provider regularly answers that there is no such record. `storage`: it
   * goes to the file storage instead of the provider's API.
   */
  address: 'route' | 'record' | 'storage';
  /**
   * It may use the day's last requests. They are reserved for payments and conversions that the provider already has: to fund,
   * find and confirm them, to read whether the money is there, and to get the token for that. Contract: account 8.
   */
  mayUseReserve: boolean;
}

const TABLE = {
  'auth-authenticate': { sending: 'idempotent', address: 'route', mayUseReserve: true },
  'auth-logout': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'auth-signup-v1': { sending: 'non_idempotent', address: 'route', mayUseReserve: false },
  'auth-forgot-password': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'auth-signup-resend': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'countries-list': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'user-signup-v2': { sending: 'non_idempotent', address: 'route', mayUseReserve: false },
  'user-get': { sending: 'idempotent', address: 'record', mayUseReserve: false },
  'user-detail-patch': { sending: 'idempotent', address: 'record', mayUseReserve: false },
  'user-detail-get': { sending: 'idempotent', address: 'record', mayUseReserve: false },
  'user-screen': { sending: 'non_idempotent', address: 'route', mayUseReserve: false },
  'company-get': { sending: 'idempotent', address: 'record', mayUseReserve: false },
  'company-patch': { sending: 'idempotent', address: 'record', mayUseReserve: false },
  'document-create': { sending: 'non_idempotent', address: 'route', mayUseReserve: false },
  'document-get': { sending: 'idempotent', address: 'record', mayUseReserve: false },
  'document-patch': { sending: 'idempotent', address: 'record', mayUseReserve: false },
  'document-delete': { sending: 'idempotent', address: 'record', mayUseReserve: false },
  'document-list': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'document-upload-file': { sending: 'idempotent', address: 'storage', mayUseReserve: false },
  'document-download-file': { sending: 'idempotent', address: 'storage', mayUseReserve: false },
  'funding-get': { sending: 'idempotent', address: 'record', mayUseReserve: false },
  'funding-list': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'refund-get': { sending: 'idempotent', address: 'record', mayUseReserve: true },
  'refund-list': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'beneficiary-requirements': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'beneficiary-create': { sending: 'non_idempotent', address: 'route', mayUseReserve: false },
  'beneficiary-get': { sending: 'idempotent', address: 'record', mayUseReserve: false },
  'beneficiary-delete': { sending: 'idempotent', address: 'record', mayUseReserve: false },
  'beneficiary-find': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'currency-rate': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'currency-supported': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'currency-pairs': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'conversion-quote': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'conversion-create': { sending: 'by_reference', address: 'route', mayUseReserve: false },
  'conversion-find': { sending: 'idempotent', address: 'route', mayUseReserve: true },
  'conversion-get': { sending: 'idempotent', address: 'record', mayUseReserve: true },
  'conversion-fund': { sending: 'non_idempotent', address: 'route', mayUseReserve: true },
  'simple-payment-supported-local-currencies': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'simple-payment-quote': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'simple-payment-get-upload-url': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'simple-payment-upload-file': { sending: 'idempotent', address: 'storage', mayUseReserve: false },
  'simple-payment-create': { sending: 'by_reference', address: 'route', mayUseReserve: false },
  'simple-payment-get': { sending: 'idempotent', address: 'record', mayUseReserve: true },
  'simple-payment-find': { sending: 'idempotent', address: 'route', mayUseReserve: true },
  'simple-payment-fund': { sending: 'non_idempotent', address: 'route', mayUseReserve: true },
  'balance-find': { sending: 'idempotent', address: 'route', mayUseReserve: true },
  'balance-get-by-currency': { sending: 'idempotent', address: 'record', mayUseReserve: false },
  'balance-get-by-id': { sending: 'idempotent', address: 'record', mayUseReserve: false },
  'balance-history': { sending: 'idempotent', address: 'route', mayUseReserve: false },
  'virtual-account-request-create': { sending: 'non_idempotent', address: 'route', mayUseReserve: false },
  'virtual-account-request-retrieve': { sending: 'idempotent', address: 'record', mayUseReserve: false },
} as const satisfies Readonly<Record<string, OperationRow>>;

export type Operation = keyof typeof TABLE;

export const OPERATIONS = Object.keys(TABLE) as readonly Operation[];

export const OPERATION_TABLE: Readonly<Record<Operation, OperationRow>> = TABLE;

/** Whether it sends the caller's `referenceId`. */
export function sendsReference(operation: Operation): boolean {
  return OPERATION_TABLE[operation].sending === 'by_reference';
}

/** Whether it must not be sent again while it may have taken effect. */
export function isNonIdempotent(operation: Operation): boolean {
  return OPERATION_TABLE[operation].sending !== 'idempotent';
}

export function mayUseReserve(operation: Operation): boolean {
  // guard: reserve-for-finishing
  return OPERATION_TABLE[operation].mayUseReserve;
}

export function isStorageOperation(operation: Operation): boolean {
  return OPERATION_TABLE[operation].address === 'storage';
}

export function hasRecordId(operation: Operation): boolean {
  return OPERATION_TABLE[operation].address === 'record';
}

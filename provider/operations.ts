/** The provider's operations, and how they differ in requests and answers. Contract: account 4, payments 4. */

interface OperationRow {
  /**
   * `exclusive`: it must not be sent again while it may have taken effect. `by_reference`: the same, and it sends the caller's
   * `referenceId`, which the provider can refuse as a duplicate.
   */
  sending: 'repeatable' | 'exclusive' | 'by_reference';
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
  'auth-authenticate': { sending: 'repeatable', address: 'route', mayUseReserve: true },
  'auth-logout': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'auth-signup-v1': { sending: 'exclusive', address: 'route', mayUseReserve: false },
  'auth-forgot-password': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'auth-signup-resend': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'countries-list': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'user-signup-v2': { sending: 'exclusive', address: 'route', mayUseReserve: false },
  'user-get': { sending: 'repeatable', address: 'record', mayUseReserve: false },
  'user-detail-patch': { sending: 'repeatable', address: 'record', mayUseReserve: false },
  'user-detail-get': { sending: 'repeatable', address: 'record', mayUseReserve: false },
  'user-screen': { sending: 'exclusive', address: 'route', mayUseReserve: false },
  'company-get': { sending: 'repeatable', address: 'record', mayUseReserve: false },
  'company-patch': { sending: 'repeatable', address: 'record', mayUseReserve: false },
  'document-create': { sending: 'exclusive', address: 'route', mayUseReserve: false },
  'document-get': { sending: 'repeatable', address: 'record', mayUseReserve: false },
  'document-patch': { sending: 'repeatable', address: 'record', mayUseReserve: false },
  'document-delete': { sending: 'repeatable', address: 'record', mayUseReserve: false },
  'document-list': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'document-upload-file': { sending: 'repeatable', address: 'storage', mayUseReserve: false },
  'document-download-file': { sending: 'repeatable', address: 'storage', mayUseReserve: false },
  'funding-get': { sending: 'repeatable', address: 'record', mayUseReserve: false },
  'funding-list': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'refund-get': { sending: 'repeatable', address: 'record', mayUseReserve: true },
  'refund-list': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'beneficiary-requirements': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'beneficiary-create': { sending: 'exclusive', address: 'route', mayUseReserve: false },
  'beneficiary-get': { sending: 'repeatable', address: 'record', mayUseReserve: false },
  'beneficiary-delete': { sending: 'repeatable', address: 'record', mayUseReserve: false },
  'beneficiary-find': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'currency-rate': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'currency-supported': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'currency-pairs': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'conversion-quote': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'conversion-create': { sending: 'by_reference', address: 'route', mayUseReserve: false },
  'conversion-find': { sending: 'repeatable', address: 'route', mayUseReserve: true },
  'conversion-get': { sending: 'repeatable', address: 'record', mayUseReserve: true },
  'conversion-fund': { sending: 'exclusive', address: 'route', mayUseReserve: true },
  'simple-payment-supported-local-currencies': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'simple-payment-quote': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'simple-payment-get-upload-url': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'simple-payment-upload-file': { sending: 'repeatable', address: 'storage', mayUseReserve: false },
  'simple-payment-create': { sending: 'by_reference', address: 'route', mayUseReserve: false },
  'simple-payment-get': { sending: 'repeatable', address: 'record', mayUseReserve: true },
  'simple-payment-find': { sending: 'repeatable', address: 'route', mayUseReserve: true },
  'simple-payment-fund': { sending: 'exclusive', address: 'route', mayUseReserve: true },
  'balance-find': { sending: 'repeatable', address: 'route', mayUseReserve: true },
  'balance-get-by-currency': { sending: 'repeatable', address: 'record', mayUseReserve: false },
  'balance-get-by-id': { sending: 'repeatable', address: 'record', mayUseReserve: false },
  'balance-history': { sending: 'repeatable', address: 'route', mayUseReserve: false },
  'virtual-account-request-create': { sending: 'exclusive', address: 'route', mayUseReserve: false },
  'virtual-account-request-retrieve': { sending: 'repeatable', address: 'record', mayUseReserve: false },
} as const satisfies Readonly<Record<string, OperationRow>>;

export type Operation = keyof typeof TABLE;

export const OPERATIONS = Object.keys(TABLE) as readonly Operation[];

export const OPERATION_TABLE: Readonly<Record<Operation, OperationRow>> = TABLE;

/** Whether it sends the caller's `referenceId`. */
export function sendsReference(operation: Operation): boolean {
  return OPERATION_TABLE[operation].sending === 'by_reference';
}

/** Whether it must not be sent again while it may have taken effect. */
export function isExclusive(operation: Operation): boolean {
  return OPERATION_TABLE[operation].sending !== 'repeatable';
}

export function mayUseReserve(operation: Operation): boolean {
  return OPERATION_TABLE[operation].mayUseReserve;
}

export function isStorageOperation(operation: Operation): boolean {
  return OPERATION_TABLE[operation].address === 'storage';
}

export function hasRecordId(operation: Operation): boolean {
  return OPERATION_TABLE[operation].address === 'record';
}

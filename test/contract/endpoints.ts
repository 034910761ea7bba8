/**
 * Every endpoint of the contract by its id: method, path as the contract writes it, and section. Null stands for what
 * the contract does not show; addresses in brackets are those that another answer gives.
 */
export const ENDPOINTS = {
  'auth-authenticate': ['POST', '/users/v1/authenticate', 'account 4.1'],
  'auth-logout': ['POST', '/users/v1/logout', 'account 4.1'],
  'auth-signup-v1': ['POST', '/users/v1/signup', 'account 4.1'],
  'auth-forgot-password': ['POST', '/users/v1/forgot-password', 'account 4.1'],
  'auth-signup-resend': ['POST', '/users/v1/signup/resend', 'account 4.1'],
  'countries-list': ['GET', '/users/v1/countries', 'account 4.1'],
  'user-signup-v2': ['POST', '/v2/signup', 'account 4.2'],
  'user-get': ['GET', '/v2/users/:userId', 'account 4.2'],
  'user-detail-patch': ['PATCH', '/v2/users/:userId/detail', 'account 4.2'],
  'user-detail-get': ['GET', '/v2/users/:userId/detail', 'account 4.2'],
  'user-screen': ['POST', '/v2/users/:userId/screen', 'account 4.2'],
  'company-get': ['GET', '/v2/company/:accountId', 'account 4.3'],
  'company-patch': ['PATCH', '/v2/company/:accountId', 'account 4.3'],
  'document-create': ['POST', '/v2/users/:userId/documents', 'account 4.4'],
  'document-get': ['GET', '/v2/users/:userId/documents/:documentId', 'account 4.4'],
  'document-patch': ['PATCH', '/v2/users/:userId/documents/:documentId', 'account 4.4'],
  'document-delete': ['DELETE', '/v2/users/:userId/documents/:documentId', 'account 4.4'],
  'document-list': ['GET', '/v2/users/:userId/documents', 'account 4.4'],
  'funding-get': ['GET', '/v2/fundings/:fundingId', 'account 4.5'],
  'funding-list': ['GET', '/v2/fundings', 'account 4.5'],
  'refund-get': ['GET', '/v2/refunds/:refundId', 'account 4.5'],
  'refund-list': ['GET', '/v2/refunds', 'account 4.5'],
  'beneficiary-requirements': ['POST', '/beneficiaries/v1/requirements', 'payments 4.1'],
  'beneficiary-create': ['POST', '/beneficiaries/v1/create', 'payments 4.1'],
  'beneficiary-get': ['GET', '/beneficiaries/v1/item/:beneficiaryId', 'payments 4.1'],
  'beneficiary-delete': ['DELETE', '/beneficiaries/v1/item/:beneficiaryId', 'payments 4.1'],
  'beneficiary-find': ['POST', '/beneficiaries/v1/find', 'payments 4.1'],
  'currency-rate': ['GET', '/currencies/v1/rates/:currencyPair', 'payments 4.2'],
  'currency-supported': ['GET', '/currencies/v1/supported', 'payments 4.2'],
  'currency-pairs': ['GET', '/currencies/v1/pairs', 'payments 4.2'],
  'conversion-quote': ['POST', '/conversions/v1/quote', 'payments 4.3'],
  'conversion-create': ['POST', '/conversions/v1/create', 'payments 4.3'],
  'conversion-find': ['POST', '/conversions/v1/find', 'payments 4.3'],
  'conversion-get': ['GET', '/conversions/v1/item/:conversionId', 'payments 4.3'],
  'conversion-fund': ['POST', '/conversions/v1/fund', 'payments 4.3'],
  'simple-payment-supported-local-currencies': [
    'GET',
    '/simple-payments/v1/supported-local-currencies',
    'payments 4.4',
  ],
  'simple-payment-quote': ['POST', '/simple-payments/v1/quote', 'payments 4.4'],
  'simple-payment-get-upload-url': ['POST', '/simple-payments/v1/get-upload-url', 'payments 4.4'],
  'simple-payment-upload-file': ['PUT', '{upload_url}', 'payments 4.4'],
  'simple-payment-create': ['POST', '/simple-payments/v1/create', 'payments 4.4'],
  'simple-payment-get': ['GET', '/simple-payments/v1/item/:simplePaymentId', 'payments 4.4'],
  'simple-payment-find': ['POST', '/simple-payments/v1/find', 'payments 4.4'],
  'simple-payment-fund': ['POST', '/simple-payments/v1/fund', 'payments 4.4'],
  'balance-find': ['GET', '/balances/v1/find', 'payments 4.5'],
  'balance-get-by-currency': ['GET', '/balances/v1/item/:currency', 'payments 4.5'],
  'balance-get-by-id': ['GET', '/balances/v1/item/:balanceId', 'payments 4.5'],
  'balance-history': ['POST', '/balances/v1/history', 'payments 4.5'],
  'virtual-account-request-create': ['POST', '/virtual-accounts/v1/requests/create', 'payments 4.6'],
  'virtual-account-request-retrieve': [null, null, 'payments 4.6'],
  'document-upload-file': [null, '<uploadUrl of document-create/patch>', 'account 4.4'],
  'document-download-file': [null, '<downloadUrl of document-get/list>', 'account 2.6'],
} as const;

export type EndpointId = keyof typeof ENDPOINTS;

export const endpointIds = Object.keys(ENDPOINTS) as readonly EndpointId[];

/** Endpoints that the contract speaks of without showing how they are called. */
export const IMPLIED: readonly EndpointId[] = [
  'virtual-account-request-retrieve',
  'document-upload-file',
  'document-download-file',
];

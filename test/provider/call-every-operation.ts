import type { ProviderClient } from '../../provider/client.ts';
import type { Operation } from '../../provider/operations.ts';

/** A call of each operation, with personal data in every field that can contain it. */

/** Part of every text that is sent. */
export const MARK = 'MARKED';

/** The values of fields that only accept digits, an amount or a day. */
const MARKED_DIGITS = '90071992547409';
const MARKED_AMOUNT = '7654321.12';
const MARKED_DAY = '1961-07-23';
export const MARKS = [MARK, MARKED_DIGITS, MARKED_AMOUNT, MARKED_DAY, '23-07-1961'];

const ID = `${MARK}-id`;
const EMAIL = `${MARK}@example.com`;
const PERSON = { firstName: `${MARK} Jane`, lastName: `${MARK} Doe`, email: EMAIL, accountType: 'individual' };
export const PASSWORD = `${MARK}-passw0rd`;
export const SIGNATURE = `${MARK}-signature`;
const QUOTE = { sellCurrency: 'SGD', buyCurrency: 'USD', amount: MARKED_AMOUNT, fixedSide: 'sell' };
const FILE = { contentType: 'application/pdf', bytes: Buffer.from(`${MARK} bytes`) };
const DETAILS = {
  firstName: `${MARK} Jane`,
  mobileNumber: MARKED_DIGITS,
  residentialAddress: `${MARK} Street 1`,
  identificationNumber: `${MARK}1234`,
  dateOfBirth: MARKED_DAY,
  nationality: 'SG',
  gender: 'female',
};
const COMPANY = {
  countryOfIncorporation: 'SG',
  countryOfOperations: 'SG',
  businessType: 'Others',
  companyAddress: `${MARK} Street 1`,
  postalCode: MARKED_DIGITS,
  state: `${MARK} State`,
  city: `${MARK} City`,
  registrationNumber: `${MARK}77`,
  incorporationDate: MARKED_DAY,
};
const BENEFICIARY = {
  country: 'SG',
  entityType: 'individual',
  firstName: `${MARK} Jane`,
  lastName: `${MARK} Doe`,
  email: EMAIL,
  bankAccount: {
    country: 'SG',
    currency: 'SGD',
    bankName: `${MARK} Bank`,
    bankAccountHolderName: `${MARK} Doe`,
    accountNumber: MARKED_DIGITS,
    iban: `${MARK}0012`,
  },
  intermediaryBank: { bankName: `${MARK} Bank`, accountNumber: MARKED_DIGITS },
};
const PAYMENT = {
  quoteId: ID,
  fundingSource: 'SALARY_WAGES',
  paymentReference: `${MARK} reference`,
  purposeOfTransfer: 'PAYR',
  purposeOfTransferDescription: `${MARK} description`,
  files: [ID],
  referenceId: ID,
  uniqueReferenceId: true,
  senderUserId: ID,
  fundingMethod: 'BANK_TRANSFER',
  fundingBankAccountNumber: MARKED_DIGITS,
  fundingCountry: 'SG',
};
const DOCUMENT = { documentType: 'passport', documentName: `${MARK}.pdf`, contentType: 'application/pdf' };
const VIRTUAL_ACCOUNT = {
  name: `${MARK} Jane`,
  provider: 'a_bank',
  currency: 'USD',
  description: `${MARK} description`,
  type: 'fixed',
  amount: MARKED_AMOUNT,
  expiryDuration: 48,
};

type Call = readonly [area: Exclude<keyof ProviderClient, 'account' | 'close'>, method: string, ...args: unknown[]];

/** The type makes sure that no operation is left out. `storageUrl` is an address that the local provider answers. */
function calls(storageUrl: string): Record<Operation, Call> {
  return {
    'auth-authenticate': ['balances', 'find'],
    'auth-logout': ['authentication', 'logout'],
    'auth-signup-v1': [
      'registration',
      'legacySignUp',
      { ...PERSON, password: PASSWORD, products: 'payments', country: 'SG', mobileTelephone: MARKED_DIGITS },
    ],
    'auth-forgot-password': ['registration', 'forgotPassword', EMAIL],
    'auth-signup-resend': ['registration', 'resendConfirmation', EMAIL],
    'countries-list': ['registration', 'countries'],
    'user-signup-v2': ['users', 'signUp', { ...PERSON, password: PASSWORD, countryCode: 'SG' }],
    'user-get': ['users', 'get', ID],
    'user-detail-patch': ['users', 'updateDetails', ID, DETAILS],
    'user-detail-get': ['users', 'details', ID],
    'user-screen': ['users', 'screen', ID],
    'company-get': ['company', 'get', ID],
    'company-patch': ['company', 'update', ID, COMPANY],
    'document-create': ['documents', 'create', ID, DOCUMENT],
    'document-get': ['documents', 'get', ID, ID],
    'document-patch': ['documents', 'update', ID, ID, DOCUMENT],
    'document-delete': ['documents', 'remove', ID, ID],
    'document-list': ['documents', 'list', ID],
    'document-upload-file': ['documents', 'uploadFile', { ...FILE, uploadUrl: storageUrl }],
    'document-download-file': ['documents', 'downloadFile', storageUrl],
    'funding-get': ['fundings', 'get', ID],
    'funding-list': ['fundings', 'list', { status: 'completed' }],
    'refund-get': ['refunds', 'get', ID],
    'refund-list': ['refunds', 'list'],
    'beneficiary-requirements': [
      'beneficiaries',
      'requirements',
      { currency: 'SGD', bankAccountCountry: 'SG', beneficiaryCountry: 'SG' },
    ],
    'beneficiary-create': ['beneficiaries', 'create', BENEFICIARY],
    'beneficiary-get': ['beneficiaries', 'item', ID],
    'beneficiary-delete': ['beneficiaries', 'remove', ID],
    'beneficiary-find': ['beneficiaries', 'find', { name: `${MARK} Doe` }],
    'currency-rate': ['currencies', 'rate', 'USDSGD'],
    'currency-supported': ['currencies', 'supported'],
    'currency-pairs': ['currencies', 'pairs'],
    'conversion-quote': ['conversions', 'quote', QUOTE],
    'conversion-create': ['conversions', 'create', { quoteId: ID, referenceId: ID, uniqueReferenceId: true }],
    'conversion-find': ['conversions', 'find', { startDate: '2026-03-01T00:00:00Z', referenceId: ID }],
    'conversion-get': ['conversions', 'item', ID],
    'conversion-fund': ['conversions', 'fund', { conversionId: ID }],
    'simple-payment-supported-local-currencies': ['simplePayments', 'supportedLocalCurrencies'],
    'simple-payment-quote': ['simplePayments', 'quote', { ...QUOTE, beneficiaryId: ID, partner: { fee: '1.5' } }],
    'simple-payment-get-upload-url': ['simplePayments', 'uploadUrl', { fileName: `${MARK}.pdf` }],
    'simple-payment-upload-file': ['simplePayments', 'uploadFile', { ...FILE, uploadUrl: storageUrl }],
    'simple-payment-create': ['simplePayments', 'create', PAYMENT],
    'simple-payment-get': ['simplePayments', 'item', ID],
    'simple-payment-find': ['simplePayments', 'find', { endDate: '2026-03-01T00:00:00Z', referenceId: ID }],
    'simple-payment-fund': ['simplePayments', 'fund', { simplePaymentId: ID }],
    'balance-find': ['balances', 'find'],
    'balance-get-by-currency': ['balances', 'byCurrency', 'SGD'],
    'balance-get-by-id': ['balances', 'byId', ID],
    'balance-history': ['balances', 'history', { startDate: '2026-03-01T00:00:00Z' }],
    'virtual-account-request-create': ['virtualAccounts', 'request', VIRTUAL_ACCOUNT],
    'virtual-account-request-retrieve': ['virtualAccounts', 'item', ID],
  };
}

/** A signed address, which must stay secret. */
function storageUrlAt(baseUrl: string): string {
  return `${baseUrl}/storage/${MARK}?X-Abc-Signature=${SIGNATURE}`;
}

/** The configured path of virtual account requests. */
export const VIRTUAL_ACCOUNT_PATH = '/virtual-accounts/v1/requests/item/:requestId';

/** Calls an operation. Returns its error, or null if it succeeds. */
export async function failureOf(client: ProviderClient, operation: Operation, baseUrl: string): Promise<unknown> {
  return perform(client, calls(storageUrlAt(baseUrl))[operation]);
}

/** As failureOf, with each text of the request in turn made invalid; the mark remains in it. */
export async function failuresOfInvalidTexts(client: ProviderClient, operation: Operation): Promise<unknown[]> {
  const [area, method, ...args] = calls(storageUrlAt('https://storage.invalid'))[operation];
  const variants = variantsOf(args).map((changed) => perform(client, [area, method, ...(changed as unknown[])]));
  return Promise.all(variants);
}

async function perform(client: ProviderClient, [area, method, ...args]: Call): Promise<unknown> {
  const methods = client[area] as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
  try {
    await methods[method]!(...args);
    return null;
  } catch (error) {
    return error;
  }
}

/** All variants of the value that differ in one text. */
function variantsOf(value: unknown): unknown[] {
  if (typeof value === 'string') return [`${MARK}\u0000 ${MARK}`, `${MARK} and ${value}`, { [MARK]: MARK }, [MARK]];
  if (Array.isArray(value)) {
    const entries: unknown[] = value;
    return entries.flatMap((entry, index) => variantsOf(entry).map((other) => entries.with(index, other)));
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  return Object.entries(value).flatMap(([name, entry]) =>
    variantsOf(entry).map((other) => ({ ...value, [name]: other })),
  );
}

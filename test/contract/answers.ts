import type { EndpointId } from './endpoints.ts';

/** The envelope of an answer: none, `data` or `value`. */
export type Envelope = 'record' | 'list' | 'data' | 'data list' | 'value list';

export interface Field {
  /** The JSON types that it may have, apart from null. */
  readonly types: readonly string[];
  readonly optional: boolean;
  readonly deprecated: boolean;
}

export interface AnswerShape {
  readonly envelope: Envelope;
  /** Of a record, or of each entry of a list; null for a list of texts. */
  readonly fields: ReadonlyMap<string, Field> | null;
}

/** Reads `name`, `name:number`, `name?` for one that may be absent, `name†` for one that is deprecated. */
function fields(text: string): ReadonlyMap<string, Field> {
  return new Map(
    text.split(/\s+/).flatMap((word): [string, Field][] => {
      const [, name, optional, deprecated, types] = /^(\w+)(\??)(†?)(?::(.+))?$/.exec(word) ?? [];
      if (name === undefined) return [];
      return [
        [name, { types: (types ?? 'string').split('|'), optional: optional === '?', deprecated: deprecated === '†' }],
      ];
    }),
  );
}

const token = fields('token');
const legacySignUp = fields(`
  userId accessKeyId secretAccessKey email firstName lastName language products country accountType userName`);
const message = fields('message');
const country = fields('ituTelephoneCode iso3166TwoLetterCode commonName');
const signUp = fields('userId email firstName lastName language countryCode accountType companyName?');
const user = fields('id email firstName lastName status accountId remarks?');
const details = fields(`
  title firstName lastName mobileCountryCode mobileNumber formerName aliasName gender countryOfBirth nationality
  countryOfResidence residentialAddress countryCode state city postalCode dateOfBirth identificationType
  identificationNumber issueDate expiryDate employmentIndustry employmentStatus employmentPosition occupation
  nameInChineseCharacters status:object|string`);
const screening = fields('userId status');
const company = fields(`
  accountId companyName countryOfIncorporation countryOfOperations businessType companyAddress
  postalCode:string|number state city registrationNumber incorporationDate`);
const awaitedDocument = fields('id documentType documentName uploadUrl');
const storedDocument = fields('id documentType documentName downloadUrl');
const deletedDocument = fields('documentId documentType documentName');
const funding = fields('id balanceId accountId currency amount:number reference status');
const refund = fields('id resource resourceId currency amount:string|number remarks');
const requirements = fields('entityType bankAccount:object');
const beneficiary = fields(`
  beneficiaryId nickname email country entityType type city address postcode stateOrProvince firstName lastName
  companyName businessRegistration nationalIdentificationNumber region relationship paymentTypes?
  bankAccount:object intermediaryBank?:object`);
const rate = fields('currencyPair bid:number ask:number');
const currency = fields('code decimalPlaces:number name');
const conversionQuote = fields(`
  currencyPair buyCurrency sellCurrency buyAmount:number sellAmount:number rate:number totalFees:number
  totalAmount:number fixedSide quoteId settlementCutOffTime†`);
const conversion = fields(`
  conversionId referenceId status currencyPair buyCurrency sellCurrency fixedSide buyAmount:number
  sellAmount:number totalAmount:number rate:number totalFees:number createdAt fundingCutoffTime id† username†
  conversionDate†`);
const quote = fields(`
  currencyPair buyCurrency sellCurrency buyAmount:number sellAmount:number rate:number fixedSide beneficiaryId
  partnerRate:number partnerBuyAmount:number partnerSellAmount:number partnerPaymentFee:number expiresAt quoteId
  conversionFee:number paymentFee:number totalFee:number totalAmount:number paymentChannel bankCharges:number
  supportingDocumentsRequired?:boolean midMarketRate†:number feeRate†:number conversionFeeRate†:number
  paymentFeeRate†:number totalFeeRate†:number conversionDate† setlementCutOffTime†`);
const uploadAddress = fields('uploadUrl fileId');
const payment = fields(`
  simplePaymentId totalAmount:number status buyAmount:number sellAmount:number rate:number totalFee:number
  buyCurrency sellCurrency currencyPair fixedSide createdAt completedAt reference referenceId paymentReference
  failureReason fundingSource purposeOfTransfer beneficiary:object fundingReference fundingCutoffTime
  fundingCountry? beneficiaryName† settlementDate† paymentDate†`);
const balance = fields('id amount:number currency currencyName');
const historyEntry = fields(`
  id balanceId amountBefore:number amountAfter:number currency totalAmount:number transactionId:number
  transactionType date`);
const accountRequest = fields(`
  requestId name provider currency description type status amount:number expiryDuration:number userId:number
  userFullname createdBy:number createdByName updatedBy:number updatedByName createdAt updatedAt virtualAccountNo
  approveAsync:boolean`);
const approvedAccountRequest = fields(`
  requestId name provider currency description type status amount:number expiryDuration:number userId:number
  userFullname createdBy:number createdByName updatedBy:number updatedByName createdAt updatedAt virtualAccountNo
  approveAsync:boolean approvedBy?:number approvedByName? approvedAt? virtualAccountId?`);

/** The JSON answers of each endpoint. Null: it answers nothing, `{}`, or bytes. */
export const ANSWERS: Readonly<Record<EndpointId, AnswerShape | null>> = {
  'auth-logout': null,
  'auth-signup-resend': null,
  'document-upload-file': null,
  'document-download-file': null,
  'simple-payment-upload-file': null,
  'auth-authenticate': { envelope: 'record', fields: token },
  'auth-signup-v1': { envelope: 'record', fields: legacySignUp },
  'auth-forgot-password': { envelope: 'record', fields: message },
  'countries-list': { envelope: 'list', fields: country },
  'user-signup-v2': { envelope: 'record', fields: signUp },
  'user-get': { envelope: 'record', fields: user },
  'user-detail-patch': { envelope: 'record', fields: details },
  'user-detail-get': { envelope: 'record', fields: details },
  'user-screen': { envelope: 'record', fields: screening },
  'company-get': { envelope: 'record', fields: company },
  'company-patch': { envelope: 'record', fields: company },
  'document-create': { envelope: 'record', fields: awaitedDocument },
  'document-patch': { envelope: 'record', fields: awaitedDocument },
  'document-get': { envelope: 'record', fields: storedDocument },
  'document-list': { envelope: 'value list', fields: storedDocument },
  'document-delete': { envelope: 'record', fields: deletedDocument },
  'funding-get': { envelope: 'record', fields: funding },
  'funding-list': { envelope: 'value list', fields: funding },
  'refund-get': { envelope: 'record', fields: refund },
  'refund-list': { envelope: 'value list', fields: refund },
  'beneficiary-requirements': { envelope: 'data list', fields: requirements },
  'beneficiary-create': { envelope: 'data', fields: beneficiary },
  'beneficiary-get': { envelope: 'data', fields: beneficiary },
  'beneficiary-delete': { envelope: 'data', fields: beneficiary },
  'beneficiary-find': { envelope: 'data list', fields: beneficiary },
  'currency-rate': { envelope: 'data', fields: rate },
  'currency-supported': { envelope: 'data list', fields: currency },
  'conversion-quote': { envelope: 'data', fields: conversionQuote },
  'conversion-create': { envelope: 'data', fields: conversion },
  'conversion-find': { envelope: 'data list', fields: conversion },
  'conversion-get': { envelope: 'data', fields: conversion },
  'conversion-fund': { envelope: 'data', fields: conversion },
  'simple-payment-quote': { envelope: 'data', fields: quote },
  'simple-payment-get-upload-url': { envelope: 'data', fields: uploadAddress },
  'simple-payment-create': { envelope: 'data', fields: payment },
  'simple-payment-get': { envelope: 'data', fields: payment },
  'simple-payment-find': { envelope: 'data list', fields: payment },
  'simple-payment-fund': { envelope: 'data', fields: payment },
  'balance-find': { envelope: 'data list', fields: balance },
  'balance-get-by-currency': { envelope: 'data', fields: balance },
  'balance-get-by-id': { envelope: 'data', fields: balance },
  'balance-history': { envelope: 'data list', fields: historyEntry },
  'virtual-account-request-create': { envelope: 'data', fields: accountRequest },
  'virtual-account-request-retrieve': { envelope: 'data', fields: approvedAccountRequest },
  'currency-pairs': { envelope: 'list', fields: null },
  'simple-payment-supported-local-currencies': { envelope: 'data list', fields: null },
};

/** The codes of a payment: their lists and forms. Contract: payments 2.5 and 2.6. */

export const ROW_REF = /^[A-Za-z0-9._\-/]{1,64}$/;
/** ISO 4217. */
export const CURRENCY_CODE = /^[A-Z]{3}$/;
/** ISO 3166-1 alpha-2. */
export const COUNTRY_CODE = /^[A-Z]{2}$/;

export const AMOUNT_SIDES = ['sell', 'buy'] as const;
export const PAYMENT_CHANNELS = ['LOCAL', 'SWIFT-SHA', 'SWIFT-OUR'] as const;
export const FUNDING_METHODS = ['BANK_TRANSFER', 'PAYNOW'] as const;
export const ENTITY_TYPES = ['company', 'individual'] as const;

export const FUNDING_SOURCES = [
  'SALARY_WAGES',
  'INVESTMENTS',
  'PERSONAL_SAVINGS',
  'PERSONAL_WEALTH',
  'RETIREMENT_FUNDS',
  'FAMILY_FRIEND_CO_WORKER',
  'BUSINESS_OWNER_OR_SHAREHOLDER',
  'LOAN_FACILITY',
  'COMPANY_BANK_ACCOUNT',
  'THIRD_PARTY',
  'PERSONAL_ACCOUNT',
  'OTHER',
] as const;

/** Purpose codes and their meanings. */
export const PURPOSES: Readonly<Record<string, string>> = {
  ADCS: 'advisory, donation and copyright services',
  ADVA: 'advance payment',
  AGRT: 'agricultural transfer',
  ALLW: 'allowance',
  ALMY: 'alimony',
  BEXP: 'business expenses',
  BONU: 'bonus',
  CAFI: 'custodian management fee, in-house',
  CFEE: 'cancellation fee',
  CHAR: 'charity',
  COMM: 'commission',
  CSLP: 'company social loan payment to bank',
  DIVD: 'dividend',
  EDUC: 'education',
  FCPM: 'late payment of fees and charges',
  FEES: 'payment of fees',
  GDDS: 'purchase or sale of goods',
  GOVT: 'government payment',
  HREC: 'housing related contribution',
  INTC: 'intra-company payment',
  INVS: 'investment and securities',
  IVPT: 'invoice payment',
  LFEE: 'lending fees',
  LICF: 'license fee',
  LOAN: 'loan',
  LOAR: 'loan repayment',
  MAFC: 'medical aid fund contribution',
  MDCS: 'medical services',
  OFEE: 'opening fee',
  OTH: 'other',
  OTHR: 'other',
  PAYR: 'payroll',
  RELG: 'rental lease, general',
  RENT: 'rent',
  RINP: 'recurring installment payment',
  SAVG: 'savings',
  SCVE: 'purchase or sale of services',
  SERV: 'service charges',
  SUBS: 'subscription',
  SUPP: 'supplier payment',
  TAXS: 'tax',
  UBIL: 'utilities',
  VIEW: 'vision care',
  WX01: 'family support and living expenses',
  WX04: 'friends',
  WX05: 'travel expenses',
  WX07: 'advertising services',
  WX08: 'legal fees',
  WX09: 'expenses reimbursements',
  WX11: 'bank loan fees',
  WX12: 'inter-company payment',
};

/** Still accepted by the provider, which asks for a more specific code. */
export const DEPRECATED_PURPOSES: readonly string[] = ['ADCS', 'FEES', 'OTHR'];

/** Codes without a meaning of their own, which need a description. */
export const PURPOSES_TO_DESCRIBE: readonly string[] = ['OTH', 'OTHR'];

/** The values of `purposeOfTransfer`. Contract: payments 2.6. */
const current =
  'ADVA AGRT ALLW ALMY BEXP BONU CAFI CFEE CHAR COMM CSLP DIVD EDUC FCPM GDDS GOVT HREC INTC IVPT INVS LFEE LICF LOAN ' +
  'LOAR MAFC MDCS OFEE PAYR RELG RENT RINP SAVG SCVE SERV SUBS SUPP TAXS UBIL VIEW WX01 WX04 WX05 WX07 WX08 WX09 WX11 ' +
  'WX12';

export const currentPurposes: readonly string[] = current.split(' ');

/** Accepted unless purposes are strict; OTH is in no list, but in use. */
export const outdatedPurposes: readonly string[] = ['ADCS', 'FEES', 'OTHR', 'OTH'];

/** The values of `fundingSource`. */
export const fundingSources = [
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

import { checkAccountCodes } from './check-bank-account.ts';
import { checkCode, checkCountry } from './check-code.ts';
import { checkProviderId } from './check-payment.ts';
import { detailColumn } from './csv-columns.ts';
import { ENTITY_TYPES } from './payment-codes.ts';
import type { BeneficiaryDetails, PaymentInstruction } from '../payments/payment-instruction.ts';
import type { Corridor } from './reference-data.ts';
import type { RowValidation } from './row-validation.ts';

export interface CheckedBeneficiary {
  /** Null, with errors, when the row does not give one complete beneficiary. */
  beneficiary: PaymentInstruction['beneficiary'] | null;
  /** What the requirements depend on, also when other details are wrong; null when unknown. */
  destination: Destination | null;
}

export interface Destination {
  corridor: Corridor;
  entityType: string;
}

const NO_BENEFICIARY: CheckedBeneficiary = { beneficiary: null, destination: null };

/** Contract: payments 2.1. The requirements of the corridor ask for further fields; they are checked separately. */
export function checkBeneficiary(row: RowValidation, buyCurrency: string | null): CheckedBeneficiary {
  const beneficiaryId = row.text('beneficiary_id');
  // Said already: which account of the book is meant is not known.
  if (row.hasError('beneficiary_key')) return NO_BENEFICIARY;
  const hasDetails = row.filledColumns.some((name) => detailColumn(name) !== null && row.text(name) !== '');
  if (beneficiaryId !== '') {
    if (hasDetails || row.text('beneficiary_key') !== '') addBeneficiaryTwiceError(row);
    checkProviderId(row, 'beneficiary_id');
    if (row.hasError('beneficiary_id')) return NO_BENEFICIARY;
    return { beneficiary: { kind: 'existing', beneficiaryId }, destination: null };
  }
  if (!hasDetails) {
    row.addError('beneficiary_id', {
      code: 'beneficiary_missing',
      problem: 'the row names no beneficiary',
      fix: 'fill beneficiary_id, beneficiary_key, or the beneficiary_ and bank_ columns',
    });
    return NO_BENEFICIARY;
  }
  return checkDetails(row, buyCurrency);
}

function addBeneficiaryTwiceError(row: RowValidation): void {
  row.addError('beneficiary_id', {
    code: 'beneficiary_ambiguous',
    problem: 'the row names a beneficiary by beneficiary_id, and names or describes another one',
    fix: 'leave beneficiary_id or the other columns empty',
  });
}

const REQUIRED_WITH_DETAILS = 'a row that describes its beneficiary needs it';

function checkDetails(row: RowValidation, buyCurrency: string | null): CheckedBeneficiary {
  const entityType = checkCode(row, 'beneficiary_entity_type', ENTITY_TYPES);
  const country = checkCountry(row, 'beneficiary_country');
  const bankCountry = checkCountry(row, 'bank_country');
  const bankName = row.require('bank_name', REQUIRED_WITH_DETAILS);
  const bankAccountHolderName = row.require('bank_account_holder_name', REQUIRED_WITH_DETAILS);
  checkBankCurrency(row, buyCurrency);
  checkEmail(row);
  checkAccountCodes(row);
  if (entityType === null || country === null || bankCountry === null || buyCurrency === null) return NO_BENEFICIARY;
  const corridor = { currency: buyCurrency, bankAccountCountry: bankCountry, beneficiaryCountry: country };
  const destination = { corridor, entityType };
  if (bankName === null || bankAccountHolderName === null) return { beneficiary: null, destination };
  const intermediaryBank = fieldsOf(row, 'intermediaryBank');
  const details: BeneficiaryDetails = {
    ...fieldsOf(row, 'beneficiary'),
    entityType,
    country,
    bankAccount: {
      ...fieldsOf(row, 'bankAccount'),
      country: bankCountry,
      currency: buyCurrency,
      bankName,
      bankAccountHolderName,
    },
  };
  if (Object.keys(intermediaryBank).length > 0) details.intermediaryBank = intermediaryBank;
  return { beneficiary: { kind: 'details', details }, destination };
}

/** The filled cells of one part, by the provider's field names. */
function fieldsOf(row: RowValidation, part: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of row.filledColumns) {
    const column = detailColumn(name);
    const text = row.text(name);
    if (column?.part === part && text !== '') fields[column.field] = text;
  }
  return fields;
}

/** An account is credited in the buy currency, so another currency here contradicts the row. */
function checkBankCurrency(row: RowValidation, buyCurrency: string | null): void {
  const currency = row.text('bank_currency');
  if (currency === '' || buyCurrency === null || currency === buyCurrency) return;
  row.addError('bank_currency', {
    code: 'bank_currency_differs',
    problem: 'bank_currency is not the buy currency',
    fix: `leave it empty, or write ${buyCurrency}`,
  });
}

function checkEmail(row: RowValidation): void {
  const email = row.text('beneficiary_email');
  if (email !== '' && !/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(email)) {
    row.addError('beneficiary_email', {
      code: 'email_form',
      problem: 'beneficiary_email is not an e-mail address',
      fix: 'write one address, or leave it empty',
    });
  }
}

import { isAba, isBic, isClabe, isIban } from './account-check-digits.ts';
import { checkCode, checkCountry } from './check-code.ts';
import { checkProviderId } from './check-payment.ts';
import { detailColumn, type PaymentColumn } from './csv-columns.ts';
import { ENTITY_TYPES } from './payment-codes.ts';
import type { BeneficiaryDetails, PaymentInstruction } from '../payments/payment-instruction.ts';
import type { Corridor } from './reference-data.ts';
import type { RowUnderCheck } from './row-validation.ts';

export interface GivenBeneficiary {
  /** Null, with problems, when the row does not give one whole beneficiary. */
  beneficiary: PaymentInstruction['beneficiary'] | null;
  /** What the requirements depend on, also when other details are wrong; null when it is not known. */
  destination: Destination | null;
}

export interface Destination {
  corridor: Corridor;
  entityType: string;
}

const NOT_GIVEN: GivenBeneficiary = { beneficiary: null, destination: null };

/** Contract: payments 2.1. What else is needed depends on the corridor and is checked by its requirements. */
export function checkBeneficiary(check: RowUnderCheck, buyCurrency: string | null): GivenBeneficiary {
  const beneficiaryId = check.text('beneficiary_id');
  const given = check.filledColumns.some((name) => detailColumn(name) !== null && check.text(name) !== '');
  if (beneficiaryId !== '') {
    if (given) refuseBoth(check);
    checkProviderId(check, 'beneficiary_id');
    if (check.isRefused('beneficiary_id')) return NOT_GIVEN;
    return { beneficiary: { kind: 'existing', beneficiaryId }, destination: null };
  }
  if (!given) {
    check.refuse('beneficiary_id', {
      code: 'beneficiary_missing',
      problem: 'the row names no beneficiary',
      fix: 'fill beneficiary_id, or the beneficiary_ and bank_ columns',
    });
    return NOT_GIVEN;
  }
  return checkDetails(check, buyCurrency);
}

function refuseBoth(check: RowUnderCheck): void {
  check.refuse('beneficiary_id', {
    code: 'beneficiary_twice',
    problem: 'the row names a beneficiary by beneficiary_id and describes one as well',
    fix: 'leave one of the two empty',
  });
}

const DETAILS_NEED = 'a row that describes its beneficiary needs it';

function checkDetails(check: RowUnderCheck, buyCurrency: string | null): GivenBeneficiary {
  const entityType = checkCode(check, 'beneficiary_entity_type', ENTITY_TYPES);
  const country = checkCountry(check, 'beneficiary_country');
  const bankCountry = checkCountry(check, 'bank_country');
  const bankName = check.needed('bank_name', DETAILS_NEED);
  const bankAccountHolderName = check.needed('bank_account_holder_name', DETAILS_NEED);
  checkBankCurrency(check, buyCurrency);
  checkEmail(check);
  checkAccountCodes(check);
  warnOfIbanCountry(check);
  if (entityType === null || country === null || bankCountry === null || buyCurrency === null) return NOT_GIVEN;
  const corridor = { currency: buyCurrency, bankAccountCountry: bankCountry, beneficiaryCountry: country };
  const destination = { corridor, entityType };
  if (bankName === null || bankAccountHolderName === null) return { beneficiary: null, destination };
  const intermediaryBank = fieldsOf(check, 'intermediaryBank');
  const details: BeneficiaryDetails = {
    ...fieldsOf(check, 'beneficiary'),
    entityType,
    country,
    bankAccount: {
      ...fieldsOf(check, 'bankAccount'),
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
function fieldsOf(check: RowUnderCheck, part: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of check.filledColumns) {
    const column = detailColumn(name);
    const text = check.text(name);
    if (column?.part === part && text !== '') fields[column.field] = text;
  }
  return fields;
}

/** An account is credited in the currency that is bought; another currency here would be a second opinion. */
function checkBankCurrency(check: RowUnderCheck, buyCurrency: string | null): void {
  const currency = check.text('bank_currency');
  if (currency === '' || buyCurrency === null || currency === buyCurrency) return;
  check.refuse('bank_currency', {
    code: 'bank_currency_differs',
    problem: 'bank_currency is not the buy currency',
    fix: `leave it empty, or write ${buyCurrency}`,
  });
}

function checkEmail(check: RowUnderCheck): void {
  const email = check.text('beneficiary_email');
  if (email !== '' && !/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(email)) {
    check.refuse('beneficiary_email', {
      code: 'email_form',
      problem: 'beneficiary_email is not an e-mail address',
      fix: 'write one address, or leave it empty',
    });
  }
}

/** Some territories bank under another country's letters, so that the provider has the last word. */
function warnOfIbanCountry(check: RowUnderCheck): void {
  const bankCountry = check.text('bank_country');
  const iban = check.text('bank_iban');
  if (iban === '' || check.isRefused('bank_iban') || check.isRefused('bank_country')) return;
  if (bankCountry === '' || iban.startsWith(bankCountry)) return;
  check.warn('bank_iban', {
    code: 'iban_country_differs',
    problem: 'the IBAN is of another country than bank_country',
    fix: 'compare both with the invoice',
  });
}

interface CodeRule {
  column: PaymentColumn;
  holds: (text: string) => boolean;
  name: string;
}

const CODE_RULES: readonly CodeRule[] = [
  { column: 'bank_iban', holds: isIban, name: 'an IBAN with right check digits' },
  { column: 'bank_aba', holds: isAba, name: 'a routing number with a right check digit' },
  { column: 'bank_clabe', holds: isClabe, name: 'a CLABE with a right check digit' },
  { column: 'bank_bic_swift', holds: isBic, name: 'a BIC of 8 or 11 characters' },
  { column: 'intermediary_bic_swift', holds: isBic, name: 'a BIC of 8 or 11 characters' },
];

function checkAccountCodes(check: RowUnderCheck): void {
  for (const { column, holds, name } of CODE_RULES) {
    const text = check.text(column);
    if (text === '' || check.isRefused(column) || holds(text)) continue;
    const bare = text.replace(/[\s-]/g, '').toUpperCase();
    check.refuse(column, {
      code: 'account_code',
      problem: `${column} is not ${name}`,
      fix: holds(bare)
        ? 'write it in capitals, without blanks and dashes'
        : 'compare it with the invoice, digit by digit',
    });
  }
}

import { BENEFICIARY_KEY, beneficiaryKeyOf } from '../beneficiaries/beneficiary-book.ts';
import type { BeneficiaryDetails } from '../payments/payment-instruction.ts';
import { checkAccountFieldsAgree } from './check-bank-account.ts';
import { checkBeneficiary } from './check-beneficiary.ts';
import { checkCells } from './check-cells.ts';
import { checkTexts } from './check-texts.ts';
import { CURRENCY_CODE } from './payment-codes.ts';
import type { RawRow } from './raw-row.ts';
import { byPosition, type RowProblem } from './row-problem.ts';
import { RowValidation } from './row-validation.ts';

/** A line for the book, from a row that gives a key and describes one account. Personal data. */
export interface BookLine {
  key: string;
  currency: string;
  details: BeneficiaryDetails;
}

/**
 * Checks a row for the book, as rows of runs are checked that describe their beneficiary. What the provider asks for in its corridor is
 * checked when a run pays it. `line` null: it has problems.
 */
export function checkBookRow(raw: RawRow): { line: BookLine | null; problems: RowProblem[] } {
  const row = new RowValidation(raw);
  checkCells(row);
  const key = beneficiaryKeyOf(row.require('beneficiary_key') ?? '');
  if (key !== '' && !BENEFICIARY_KEY.test(key)) {
    row.addError('beneficiary_key', {
      code: 'beneficiary_key_form',
      problem: 'beneficiary_key has other characters than letters A to Z, digits, dot, _, - and /, or is too long',
      fix: 'choose another key, for example S-1042',
    });
  }
  const currency = row.require('bank_currency', 'the book has an account for a currency');
  if (currency !== null && !CURRENCY_CODE.test(currency)) {
    const problem = 'bank_currency is not a currency code';
    row.addError('bank_currency', { code: 'unknown_code', problem, fix: 'write three capitals, for example EUR' });
  }
  checkTexts(row);
  const { beneficiary } = checkBeneficiary(row, currency);
  checkAccountFieldsAgree(row, null);
  const problems = row.errors.sort(byPosition);
  const isValid = problems.length === 0 && currency !== null && beneficiary?.kind === 'details';
  return { line: isValid ? { key, currency, details: beneficiary.details } : null, problems };
}

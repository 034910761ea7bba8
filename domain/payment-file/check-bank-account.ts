import { codesOf } from '../beneficiaries/bank-territories.ts';
import { accountText } from '../beneficiaries/beneficiary-identity.ts';
import { CODE_FORMS, COUNTRIES_OF_CODES, ibanParts, ibanProblem, isIban, isWithin } from './account-codes.ts';
import { BANK_COLUMNS } from './bank-columns.ts';
import type { PaymentColumn } from './csv-columns.ts';
import type { CellIssue, RowValidation } from './row-validation.ts';

/** Each code of the account and its banks in its own form. */
export function checkAccountCodes(row: RowValidation): void {
  const iban = row.text('bank_iban');
  const problem = iban === '' || row.hasError('bank_iban') ? null : ibanProblem(iban);
  if (problem !== null) row.addError('bank_iban', formIssue(`bank_iban ${problem}`));
  for (const [column, { isValid, name }] of Object.entries(CODE_FORMS) as CodeEntry[]) {
    const text = row.text(column);
    if (text === '' || row.hasError(column) || isValid(text)) continue;
    row.addError(column, formIssue(`${column} is not ${name}`));
  }
  checkNumberOfSortCode(row);
}

type CodeEntry = [keyof typeof CODE_FORMS, (typeof CODE_FORMS)[keyof typeof CODE_FORMS]];

function formIssue(problem: string): CellIssue {
  return { code: 'account_code', problem, fix: 'compare it with the invoice, digit by digit' };
}

/** In the United Kingdom and in Ireland an account with a sort code has 8 digits. */
function checkNumberOfSortCode(row: RowValidation): void {
  const number = row.text('bank_account_number');
  const isOfSortCode = row.text('bank_sort_code') !== '' && ['GB', 'IE'].includes(codesOf(row.text('bank_country')));
  if (!isOfSortCode || number === '' || row.hasError('bank_account_number') || /^\d{8}$/.test(number)) return;
  row.addError('bank_account_number', {
    code: 'account_code',
    problem: 'bank_account_number has not the 8 digits of an account with a sort code',
    fix: /^\d{6,7}$/.test(number)
      ? 'leading zeros seem to be lost: format the column as text and enter it again'
      : 'write its 8 digits without blanks and dashes',
  });
}

/**
 * Whether the fields of the account name one account at one bank: what contradicts is refused, since people are shown one of the fields,
 * and a bank may pay by another. `asked`: the columns that the provider asks for in the corridor; null: not known.
 */
export function checkAccountFieldsAgree(row: RowValidation, asked: ReadonlySet<PaymentColumn> | null): void {
  // guard: account-in-bank-country
  checkCountries(row, asked);
  // guard: account-fields-agree
  checkNationalNumbers(row);
  checkBankLetters(row);
  // guard: account-of-asked-codes
  if (asked !== null) checkNothingElseNamesIt(row, asked);
}

function checkCountries(row: RowValidation, asked: ReadonlySet<PaymentColumn> | null): void {
  const bankCountry = row.text('bank_country');
  if (!/^[A-Z]{2}$/.test(bankCountry) || row.hasError('bank_country')) return;
  const country = codesOf(bankCountry);
  const iban = row.text('bank_iban');
  if (isSound(row, 'bank_iban') && codesOf(iban.slice(0, 2)) !== country) {
    row.addError('bank_iban', otherCountry('iban_country_differs', 'the IBAN is'));
  }
  const bic = row.text('bank_bic_swift');
  if (isSound(row, 'bank_bic_swift') && codesOf(bic.slice(4, 6)) !== country) {
    row.addError('bank_bic_swift', otherCountry('bic_country_differs', 'the BIC is'));
  }
  for (const [column, countries] of Object.entries(COUNTRIES_OF_CODES) as [PaymentColumn, readonly string[]][]) {
    if (!isSound(row, column) || countries.includes(country) || (asked?.has(column) ?? false)) continue;
    row.addError(column, otherCountry('account_code_of_other_country', `banks with ${column} are`));
  }
}

function otherCountry(code: CellIssue['code'], subject: string): CellIssue {
  return {
    code,
    problem: `${subject} of another country than bank_country`,
    fix: 'bank_country is that of the bank with the account: compare both with the invoice, and leave out what is not asked for',
  };
}

/** National numbers beside the IBAN, or the CLABE, that contains them. */
const NATIONAL_NUMBERS = ['bank_account_number', 'bank_sort_code', 'bank_code', 'bank_branch_code'] as const;

function checkNationalNumbers(row: RowValidation): void {
  const container = (['bank_iban', 'bank_clabe'] as const).find((column) => isSound(row, column));
  if (container === undefined) return;
  const code = row.text(container);
  const parts = container === 'bank_iban' && isIban(code) ? ibanParts(code) : null;
  for (const column of NATIONAL_NUMBERS) {
    if (!isSound(row, column)) continue;
    const text = row.text(column);
    const exact =
      column === 'bank_sort_code' ? parts?.sortCode : column === 'bank_account_number' ? parts?.accountNumber : null;
    const isSame = exact === null || exact === undefined ? isWithin(code, text) : sameNumber(exact, text, code);
    if (isSame) continue;
    row.addError(column, {
      code: 'account_fields_contradict',
      problem: `${column} is of another account than ${container}`,
      fix: `ask the beneficiary which of them is right, and leave the other empty: ${container} contains it`,
    });
  }
}

/** Some write the whole IBAN, or what it contains, as the account number. */
function sameNumber(exact: string, text: string, iban: string): boolean {
  const bare = text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return bare.padStart(exact.length, '0') === exact || (bare.length > exact.length && iban.endsWith(bare));
}

/** Countries where the bank's letters in an IBAN are by rule those of its BIC: elsewhere banks that merged may have kept them apart. */
const LETTERS_OF_BIC = ['GB', 'IE'];

function checkBankLetters(row: RowValidation): void {
  if (!isSound(row, 'bank_iban') || !isSound(row, 'bank_bic_swift')) return;
  const { country, bankLetters } = ibanParts(row.text('bank_iban'));
  if (bankLetters === null || row.text('bank_bic_swift').startsWith(bankLetters)) return;
  const problem = 'the BIC is of another bank than the IBAN';
  if (LETTERS_OF_BIC.includes(country)) {
    const fix = 'ask the beneficiary which of them is right; if the BIC is not asked for, leave it empty';
    row.addError('bank_bic_swift', { code: 'account_fields_contradict', problem, fix });
  } else {
    row.addWarning('bank_bic_swift', { code: 'bic_bank_differs', problem, fix: 'compare both with the invoice' });
  }
}

const ACCOUNT_NUMBERS = ['bank_iban', 'bank_clabe', 'bank_account_number'] as const satisfies readonly PaymentColumn[];

const CODES = BANK_COLUMNS.filter(({ identifies, need }) => identifies && need === 'by_requirements');

/**
 * A code that the provider does not ask for, and that would make another account of it: written in several ways, one account would be
 * several, each with its own limits and duplicates. Those that change nothing, as a BIC beside an IBAN, may stay.
 */
function checkNothingElseNamesIt(row: RowValidation, asked: ReadonlySet<PaymentColumn>): void {
  if (!ACCOUNT_NUMBERS.some((column) => asked.has(column))) return;
  const superfluous = CODES.filter(({ name }) => isSound(row, name) && !asked.has(name));
  if (superfluous.length === 0 || accountBy(row, () => true) === accountBy(row, (column) => asked.has(column))) return;
  for (const { name } of superfluous) {
    row.addError(name, {
      code: 'account_code_not_asked_for',
      problem: `the provider does not ask for ${name} in this corridor, and with it the account counts as another one`,
      fix: `leave ${name} empty`,
    });
  }
}

function accountBy(row: RowValidation, counts: (column: PaymentColumn) => boolean): string {
  const given = CODES.filter(({ name }) => counts(name) && row.text(name) !== '');
  const codes = Object.fromEntries(given.map(({ name, field }) => [field, row.text(name)]));
  return accountText({ bankAccount: { country: row.text('bank_country'), ...codes } });
}

function isSound(row: RowValidation, column: PaymentColumn): boolean {
  return row.text(column) !== '' && !row.hasError(column);
}

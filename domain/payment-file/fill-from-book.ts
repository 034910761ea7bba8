import { type BeneficiaryBook, beneficiaryKeyOf, type BookAccount } from '../beneficiaries/beneficiary-book.ts';
import type { BeneficiaryDetails } from '../payments/payment-instruction.ts';
import { canonicalText } from './canonical-text.ts';
import { CSV_COLUMNS, detailColumn, type PaymentColumn } from './csv-columns.ts';
import type { Cells, RawRow } from './raw-row.ts';
import type { CellIssue } from './row-validation.ts';

/** A row as the book completes it, or what keeps it from being completed. */
export interface FilledRow {
  row: RawRow;
  issue: CellIssue | null;
}

/**
 * Fills the columns of the beneficiary and the bank of a row that names one of the book, from its account in the buy currency: a confirmed one
 * before one that is only proposed. What the row gives itself must be as the book has it, and chooses among several.
 */
export function fillFromBook(row: RawRow, book: BeneficiaryBook): FilledRow {
  const key = beneficiaryKeyOf(row.cells.beneficiary_key ?? '');
  if (key === '' || row.cells.beneficiary_id !== undefined) return { row, issue: null };
  const accounts = book.get(key);
  const currency = (row.cells.buy_currency ?? '').trim();
  const inCurrency = (accounts ?? []).filter(({ details }) => details.bankAccount.currency === currency);
  const given = (Object.keys(row.cells) as PaymentColumn[]).filter((name) => detailColumn(name) !== null);
  // guard: row-as-the-book-has-it
  const fitting = inCurrency.filter((account) => differences(row.cells, given, account).length === 0);
  const confirmed = fitting.filter(({ isConfirmed }) => isConfirmed);
  // guard: confirmed-account-first
  const [chosen, ...others] = confirmed.length > 0 ? confirmed : fitting;
  if (chosen !== undefined && others.length === 0) {
    return { row: { ...row, cells: { ...row.cells, ...cellsOf(chosen.details) } }, issue: null };
  }
  return { row, issue: issueOf({ accounts, inCurrency, chosen }, row, given) };
}

function issueOf(
  found: {
    accounts: readonly BookAccount[] | undefined;
    inCurrency: readonly BookAccount[];
    chosen: BookAccount | undefined;
  },
  { cells }: RawRow,
  given: readonly PaymentColumn[],
): CellIssue {
  const { accounts, inCurrency, chosen } = found;
  if (accounts === undefined) {
    const problem = 'the book of beneficiaries has nobody with this key';
    return { code: 'book_unknown', problem, fix: 'compare the key, or add the beneficiary to the book' };
  }
  const [first] = inCurrency;
  if (first === undefined) {
    const problem = 'the beneficiary of the book has no account in the buy currency that rows may be filled from';
    const fix = 'correct the buy currency, or have an account added to the book and confirmed';
    return { code: 'book_without_account', problem, fix };
  }
  if (chosen !== undefined) {
    const problem = 'the beneficiary of the book has several accounts in the buy currency';
    const fix =
      'fill bank_country, bank_iban or bank_account_number as the book has it, or end the accounts that are used no longer';
    return { code: 'book_ambiguous', problem, fix };
  }
  const closest =
    inCurrency.map((account) => differences(cells, given, account)).sort((a, b) => a.length - b.length)[0] ?? [];
  return {
    code: 'book_contradicted',
    problem: `the book has another ${closest.join(', ')} for this beneficiary`,
    fix: 'leave these columns empty; if the account has changed, add it to the book, where a second person confirms it',
  };
}

/** The given columns that the book has otherwise. */
function differences(cells: Cells, given: readonly PaymentColumn[], { details }: BookAccount): PaymentColumn[] {
  const known = cellsOf(details);
  return given.filter((name) => comparable(name, cells[name]) !== comparable(name, known[name]));
}

function comparable(column: PaymentColumn, cell = ''): string {
  return canonicalText(column, cell).toUpperCase().replaceAll(/\s+/g, ' ');
}

/** The columns of the beneficiary and the bank that these details fill. */
export function cellsOf(details: BeneficiaryDetails): Cells {
  const { bankAccount, intermediaryBank, ...beneficiary } = details;
  const parts: Record<string, Readonly<Record<string, string | undefined>>> = {
    beneficiary,
    bankAccount,
    intermediaryBank: intermediaryBank ?? {},
  };
  const cells: Cells = {};
  for (const { name, part, field } of CSV_COLUMNS) {
    const text = detailColumn(name) === null ? undefined : parts[part]?.[field];
    if (text !== undefined) cells[name] = text;
  }
  return cells;
}

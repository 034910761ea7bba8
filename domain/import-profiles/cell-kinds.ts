import { isAba, isClabe } from '../payment-file/account-check-digits.ts';
import { isBic, isIban } from '../payment-file/account-codes.ts';
import type { PaymentColumn } from '../payment-file/csv-columns.ts';
import { textsIn } from './parts-of-text.ts';
import { hasMeanings, meaningOf } from './names-of-codes.ts';
import { looksLikeAmount, looksLikeDate } from './propose-forms.ts';

/** What the cells below a header say of a column: they are of its form, are not, or could be anything. */
export type Evidence = 'agree' | 'contradict' | 'nothing';

/** Enough cells to tell what a column is. */
const LOOKED_AT = 100;
const MOST = 0.8;
const FEW = 0.5;

const cleaned = (cell: string) =>
  cell
    .replace(/^\p{L}[\p{L}./ -]{0,30}:\s*/u, '')
    .replace(/[\s-]+/g, '')
    .toUpperCase();

const FORMS: Readonly<Partial<Record<PaymentColumn, (cell: string) => boolean>>> = {
  bank_iban: (cell) => isIban(cleaned(cell).replace(/^IBAN/, '')) || textsIn(cell, 'iban').size === 1,
  bank_bic_swift: (cell) => isBic(cleaned(cell).replace(/^(?:BIC|SWIFT)/, '')) || textsIn(cell, 'bic').size === 1,
  bank_aba: (cell) => isAba(cleaned(cell)),
  bank_clabe: (cell) => isClabe(cleaned(cell)),
  bank_sort_code: (cell) => /^\d{6}$/.test(cleaned(cell)),
  bank_bsb_code: (cell) => /^\d{6}$/.test(cleaned(cell)),
  bank_ifsc_code: (cell) => /^[A-Z]{4}0[A-Z0-9]{6}$/.test(cleaned(cell)),
  bank_cnaps: (cell) => /^\d{12}$/.test(cleaned(cell)),
  bank_account_number: (cell) => /\d{3}/.test(cleaned(cell)) && !isIban(cleaned(cell)),
  amount: looksLikeAmount,
  pay_on: looksLikeDate,
  beneficiary_email: (cell) => /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(cell),
};

/**
 * Columns whose form hardly another text has: the cells alone say what they are. Of numbers with one check digit, several must. A BIC
 * is not among them: "Deutschland" and "Niederlande" have its form.
 */
const TOLD_BY_CELLS: Readonly<Partial<Record<PaymentColumn, number>>> = {
  bank_iban: 1,
  bank_aba: 3,
  bank_clabe: 3,
  bank_ifsc_code: 1,
  beneficiary_email: 1,
  buy_currency: 1,
};

/** The columns that the filled cells below a header are of, whatever it is called. */
export function columnsToldBy(cells: readonly string[]): PaymentColumn[] {
  const different = new Set(cells.slice(0, LOOKED_AT)).size;
  return (Object.keys(TOLD_BY_CELLS) as PaymentColumn[]).filter(
    (column) => different >= (TOLD_BY_CELLS[column] ?? 0) && evidenceOf(column, cells) === 'agree',
  );
}

const NAMES: readonly PaymentColumn[] = ['beneficiary_company_name', 'bank_account_holder_name', 'bank_name'];

/** Of the filled cells below one header. */
export function evidenceOf(column: PaymentColumn, filled: readonly string[]): Evidence {
  const cells = filled.slice(0, LOOKED_AT);
  // Below "Vendor" may be their numbers; but letters alone make no name.
  if (NAMES.includes(column))
    return cells.some((cell) => /\p{L}/u.test(cell)) || cells.length === 0 ? 'nothing' : 'contradict';
  const isOfForm = hasMeanings(column) ? (cell: string) => meaningOf(column, cell) !== null : FORMS[column];
  if (isOfForm === undefined || cells.length === 0) return 'nothing';
  const share = cells.filter(isOfForm).length / cells.length;
  if (share >= MOST) return 'agree';
  return share < FEW ? 'contradict' : 'nothing';
}

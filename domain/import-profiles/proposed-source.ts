import type { PaymentColumn } from '../payment-file/csv-columns.ts';
import { hasMeanings, meaningOf } from './names-of-codes.ts';
import { textsIn } from './parts-of-text.ts';
import type { ColumnSource } from './profile.ts';

export const NOTHING: ColumnSource = {
  from: [],
  between: ' ',
  part: null,
  strip: [],
  capitals: false,
  translate: {},
  prefix: '',
  replaceLetters: false,
  constant: null,
};

const CODES: Readonly<Partial<Record<PaymentColumn, Partial<ColumnSource>>>> = {
  bank_iban: { strip: ['blanks', 'label'], capitals: true },
  bank_bic_swift: { strip: ['blanks', 'label'], capitals: true },
  bank_aba: { strip: ['blanks', 'dashes'] },
  bank_clabe: { strip: ['blanks'] },
  bank_sort_code: { strip: ['blanks', 'dashes'] },
  bank_bsb_code: { strip: ['blanks', 'dashes'] },
  bank_ifsc_code: { strip: ['blanks'], capitals: true },
  bank_account_number: { strip: ['blanks'] },
  row_ref: { replaceLetters: true },
};

/** How a column is read from a header with such cells. */
export function proposedSource(column: PaymentColumn, header: string, cells: readonly string[]): ColumnSource {
  const source = { ...NOTHING, from: [header], ...CODES[column] };
  if (hasMeanings(column)) return { ...source, translate: seenTranslations(column, cells) };
  if (column === 'bank_iban' && isInText(cells, 'iban')) return { ...NOTHING, from: [header], part: 'iban' };
  if (column === 'bank_bic_swift' && isInText(cells, 'bic')) return { ...NOTHING, from: [header], part: 'bic' };
  return source;
}

/** Where most cells are longer than the code that stands in them. */
function isInText(cells: readonly string[], what: 'iban' | 'bic'): boolean {
  const longer = cells.filter((cell) => {
    const [only, ...others] = textsIn(cell, what);
    const bare = cell.replace(/^\p{L}+[.:\s]+/u, '').replace(/\s/g, '');
    return only !== undefined && others.length === 0 && bare.length > only.length;
  });
  return longer.length * 2 > cells.length;
}

/** Nothing where every cell is a code already. */
function seenTranslations(column: PaymentColumn, cells: readonly string[]): Record<string, string> {
  const known = [...new Set(cells)].flatMap((cell) => {
    const code = meaningOf(column, cell);
    return code === null ? [] : [[cell, code] as const];
  });
  if (known.every(([cell, code]) => cell === code)) return {};
  const byKey = new Map(known.map(([cell, code]) => [cell.toLowerCase().replace(/\s+/gu, ' '), [cell, code] as const]));
  return Object.fromEntries(byKey.values());
}

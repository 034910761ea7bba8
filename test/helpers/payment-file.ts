/** Builds payment files for tests: rows that the sandbox pays, unless a test says otherwise. */

export interface RowParts {
  row_ref: string;
  amount: string;
  amount_side: string;
  sell_currency: string;
  buy_currency: string;
  payment_reference: string;
  beneficiary_company_name: string;
  bank_account_number: string;
  [column: string]: string;
}

const COMMON = {
  amount_side: 'sell',
  sell_currency: 'USD',
  buy_currency: 'GBP',
  payment_reference: 'Invoice 4711',
  purpose_of_transfer: 'SUPP',
  funding_source: 'COMPANY_BANK_ACCOUNT',
  funding_method: 'PAYNOW',
  beneficiary_entity_type: 'company',
  beneficiary_country: 'GB',
  beneficiary_business_registration: '01234567',
  beneficiary_address: '1 Test Street',
  beneficiary_city: 'London',
  beneficiary_postcode: 'EC1A 1BB',
  bank_country: 'GB',
  bank_name: 'Test Bank',
  bank_sort_code: '200000',
};

/** The n-th row of a test's file, from 1: another beneficiary and amount for each. */
export function aRow(n: number, parts: Partial<RowParts> = {}): RowParts {
  const name = parts.beneficiary_company_name ?? `Test Supplier ${n} Ltd`;
  return {
    ...COMMON,
    row_ref: `T-${n}`,
    amount: `${100 + n}.00`,
    bank_account_number: String(10_000_000 + n),
    ...parts,
    beneficiary_company_name: name,
    bank_account_holder_name: parts['bank_account_holder_name'] ?? name,
  };
}

export function someRows(count: number, parts: Partial<RowParts> = {}): RowParts[] {
  return Array.from({ length: count }, (_, index) => aRow(index + 1, parts));
}

/** The rows as a CSV, with a column for everything that any of them has. */
export function csvOf(rows: readonly Record<string, string>[]): Buffer {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => columns.map((column) => quoted(row[column] ?? '')).join(','));
  return Buffer.from([columns.join(','), ...lines, ''].join('\n'));
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Columns that say which account gets the money. */
const ACCOUNT_COLUMNS: readonly string[] = [
  ...['beneficiary_id', 'beneficiary_key'],
  ...['bank_account_holder_name', 'bank_account_number', 'bank_iban', 'bank_bic_swift', 'bank_aba', 'bank_sort_code'],
  ...['bank_bsb_code', 'bank_ifsc_code', 'bank_clabe', 'bank_cnaps', 'bank_code', 'bank_branch_code'],
  ...['bank_institution_no', 'intermediary_account_number', 'intermediary_bic_swift'],
];

/** Its text comes from the sheet or is the same for all rows, never one where the other is missing. */
export function identifiesAccount(column: string): boolean {
  return ACCOUNT_COLUMNS.includes(column);
}

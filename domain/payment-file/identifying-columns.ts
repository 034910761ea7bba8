import type { PaymentColumn } from './csv-columns.ts';

/**
 * Columns that tell one payment from another, and decide who gets how much: one value for many rows would send them all to one
 * account, or pay them all the same.
 */
const IDENTIFYING: ReadonlySet<string> = new Set<PaymentColumn>([
  ...(['row_ref', 'amount', 'payment_reference', 'supporting_files'] as const),
  ...(['beneficiary_id', 'beneficiary_company_name', 'beneficiary_business_registration'] as const),
  ...(['beneficiary_first_name', 'beneficiary_last_name', 'beneficiary_national_identification_number'] as const),
  ...(['beneficiary_nickname', 'beneficiary_email', 'beneficiary_address'] as const),
  ...(['bank_account_holder_name', 'bank_account_number', 'bank_iban', 'bank_clabe'] as const),
  ...(['bank_bic_swift', 'bank_aba', 'bank_sort_code', 'bank_bsb_code', 'bank_ifsc_code', 'bank_cnaps'] as const),
  ...(['bank_code', 'bank_branch_code', 'bank_institution_no', 'intermediary_account_number'] as const),
]);

/** Whether rows are expected to differ in a column of the payment file. */
export function identifiesPayments(column: string): boolean {
  return IDENTIFYING.has(column);
}

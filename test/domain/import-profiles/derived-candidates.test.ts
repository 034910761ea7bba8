import { describe, expect, test } from 'vitest';
import { proposeProfile } from '../../../domain/import-profiles/propose-profile.ts';
import type { PaymentColumn } from '../../../domain/payment-file/csv-columns.ts';

const proposed = (headers: string[], row: string[]) =>
  proposeProfile({ headers, records: [{ line: 2, cells: row }], constants: {} });
const of = (proposal: ReturnType<typeof proposed>, column: PaymentColumn) =>
  proposal.columns.find((each) => each.column === column);

describe('what a sheet of invoices or salaries does not say is proposed, to be looked at', () => {
  test.each([
    ['a supplier list', ['Vendor', 'Invoice #', 'Amount Due (USD)'], ['A', '1', '5.00'], 'SUPP', 'company'],
    ['a payroll', ['Employee', 'Net pay', 'Currency'], ['Anna Berger', '5.00', 'EUR'], 'PAYR', 'individual'],
    ['a German payroll', ['Mitarbeiter', 'Nettolohn EUR'], ['Anna Berger', '5,00'], 'PAYR', 'individual'],
  ])('%s', (_, headers, row, purpose, kind) => {
    const proposal = proposed(headers, row);
    const expected = {
      amount_side: 'buy',
      purpose_of_transfer: purpose,
      funding_source: 'COMPANY_BANK_ACCOUNT',
      beneficiary_entity_type: kind,
    } as const;
    for (const [column, constant] of Object.entries(expected) as [PaymentColumn, string][]) {
      expect(of(proposal, column)).toMatchObject({
        isDecided: true,
        candidates: [{ source: { constant }, isSure: false }],
      });
      expect(proposal.profile.columns[column]?.constant).toBe(constant);
    }
  });

  test('but not which side an amount fixes, where both currencies are there or none is', () => {
    const both = proposed(['Vendor', 'Amount', 'Source currency', 'Target currency'], ['A', '5.00', 'USD', 'EUR']);
    expect(of(both, 'amount_side')).toMatchObject({
      isDecided: false,
      candidates: [{ source: { constant: 'buy' } }, { source: { constant: 'sell' } }],
    });
    expect(of(proposed(['Vendor', 'Amount'], ['A', '5.00']), 'amount_side')).toBeUndefined();
  });

  test('full names of a payroll are taken apart at the last blank, those of companies never', () => {
    const people = proposed(['Employee', 'Net pay'], ['Jan de Vries', '5.00']);
    expect(people.profile.columns).toMatchObject({
      beneficiary_first_name: { from: ['Employee'], part: 'before_last_blank' },
      beneficiary_last_name: { from: ['Employee'], part: 'after_last_blank' },
    });
    const companies = proposed(['Account holder', 'Amount'], ['Nordlicht GmbH', '5.00']);
    expect(of(companies, 'beneficiary_last_name')).toBeUndefined();
  });
});

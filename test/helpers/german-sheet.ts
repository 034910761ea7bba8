import { type Profile, profileSchema } from '../../domain/import-profiles/profile.ts';
import type { PaymentRow } from '../../fixtures/payment-rows.ts';

/** A sheet with headers of its own, as a German program exports it: semicolons, windows-1252, a decimal comma. */

/** What its cells fill; the other columns are the same in every row. */
const FROM_CELLS = ['row_ref', 'payment_reference', 'beneficiary_company_name', 'bank_account_holder_name'];

/** The row with what such a sheet has of it. */
export function germanRow(row: PaymentRow): PaymentRow {
  const name = row.beneficiary_company_name.replace('Supplier', 'Händler');
  return { ...row, beneficiary_company_name: name, bank_account_holder_name: name, payment_reference: row.row_ref };
}

/** `amounts`: the header of the amounts, so that a test has a sheet of its own. */
export function germanSheet(rows: readonly PaymentRow[], amounts = 'Betrag'): Buffer {
  return Buffer.from(germanText(rows, amounts), 'latin1');
}

export function germanText(rows: readonly PaymentRow[], amounts = 'Betrag'): string {
  const lines = rows.map(({ row_ref: ref, beneficiary_company_name: name, bank_account_number: number, amount }) =>
    [ref, name, number, amount.replace('.', ',')].join(';'),
  );
  return [germanHeaders(amounts).join(';'), ...lines, ''].join('\r\n');
}

/** `row`: for what is the same in every one. */
export function germanProfile(row: PaymentRow, amounts = 'Betrag'): Profile {
  const same = Object.entries(row).filter(
    ([column]) => ![...FROM_CELLS, 'bank_account_number', 'amount'].includes(column),
  );
  return profileSchema.parse({
    name: 'Lieferanten',
    reading: { encoding: 'windows-1252', delimiter: ';', headerLine: 1 },
    headers: germanHeaders(amounts),
    columns: {
      ...Object.fromEntries(same.map(([column, constant]) => [column, { constant }])),
      row_ref: { from: ['Rechnungsnr.'] },
      payment_reference: { from: ['Rechnungsnr.'] },
      beneficiary_company_name: { from: ['Empfänger'] },
      bank_account_holder_name: { from: ['Empfänger'] },
      bank_account_number: { from: ['Kontonr.'] },
      amount: { from: [amounts] },
    },
    amountForm: { decimalSign: ',', groupSeparator: '.' },
  });
}

function germanHeaders(amounts: string): string[] {
  return ['Rechnungsnr.', 'Empfänger', 'Kontonr.', amounts];
}

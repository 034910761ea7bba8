import type { PaymentColumn } from '../payment-file/csv-columns.ts';
import type { Cells } from '../payment-file/raw-row.ts';
import { type Profile, type ProfileInput, profileSchema, withColumns } from './profile.ts';

type Columns = ProfileInput['columns'];

/** What an IBAN says of its bank. A beneficiary has its account mostly at home: whoever confirms the profile decides. */
const IBAN_COLUMNS = (header: string): Columns => ({
  bank_iban: { from: [header], strip: ['blanks', 'label'], capitals: true },
  bank_country: { from: [header], part: 'iban_country' },
});

const BIC: NonNullable<Columns['bank_bic_swift']> = { from: ['BIC'], strip: ['blanks'], capitals: true };
const PLAIN_AMOUNTS = { decimalSign: '.', groupSeparator: '' } as const;
const ISO_DATES = { order: 'ymd', yearDigits: 4 } as const;
const KINDS_OF_PAYEES = {
  Company: 'company',
  Business: 'company',
  Institution: 'company',
  Individual: 'individual',
  Person: 'individual',
  Private: 'individual',
};

/** Our own: what somebody fills in who starts with an empty sheet. */
const SUPPLIER_LIST: ProfileInput = {
  name: 'Supplier list',
  headers: ['Supplier', 'Country', 'Invoice number', 'Amount', 'Currency', 'Pay on', 'IBAN', 'BIC', 'Bank', 'Note'],
  ignored: ['Note'],
  columns: {
    row_ref: { from: ['Invoice number'], replaceLetters: true },
    payment_reference: { from: ['Invoice number'] },
    amount: { from: ['Amount'] },
    amount_side: { constant: 'buy' },
    buy_currency: { from: ['Currency'] },
    pay_on: { from: ['Pay on'] },
    purpose_of_transfer: { constant: 'SUPP' },
    beneficiary_entity_type: { constant: 'company' },
    beneficiary_company_name: { from: ['Supplier'] },
    beneficiary_country: { from: ['Country'] },
    bank_account_holder_name: { from: ['Supplier'] },
    bank_name: { from: ['Bank'] },
    bank_bic_swift: BIC,
    ...IBAN_COLUMNS('IBAN'),
  },
  amountForm: PLAIN_AMOUNTS,
  dateForm: ISO_DATES,
};

/** Our own: the columns that most payroll programs can export. */
const PAYROLL: ProfileInput = {
  name: 'Payroll',
  headers: [
    ...['Employee number', 'First name', 'Last name', 'Country', 'Period', 'Net pay', 'Currency', 'Pay date'],
    ...['IBAN', 'Sort code', 'Account number', 'Bank', 'Bank country'],
  ],
  columns: {
    row_ref: { from: ['Period', 'Employee number'], between: '-', replaceLetters: true },
    payment_reference: { from: ['Period'], prefix: 'Salary ' },
    amount: { from: ['Net pay'] },
    amount_side: { constant: 'buy' },
    buy_currency: { from: ['Currency'] },
    pay_on: { from: ['Pay date'] },
    purpose_of_transfer: { constant: 'PAYR' },
    beneficiary_entity_type: { constant: 'individual' },
    beneficiary_first_name: { from: ['First name'] },
    beneficiary_last_name: { from: ['Last name'] },
    beneficiary_country: { from: ['Country'] },
    bank_account_holder_name: { from: ['First name', 'Last name'] },
    bank_name: { from: ['Bank'] },
    bank_country: { from: ['Bank country'] },
    bank_iban: { from: ['IBAN'], strip: ['blanks', 'label'], capitals: true },
    bank_sort_code: { from: ['Sort code'], strip: ['blanks', 'dashes'] },
    bank_account_number: { from: ['Account number'], strip: ['blanks'] },
  },
  amountForm: PLAIN_AMOUNTS,
  dateForm: ISO_DATES,
};

/**
 * The template of Wise for bank accounts in euros. Source: wise.com/help/articles/2663302, "How do I fill in my batch template?", and
 * the header that files for it have in public programs. It has no number of its own for a payment.
 */
const WISE: ProfileInput = {
  name: 'Wise batch payments, IBAN',
  headers: [
    ...['name', 'recipientEmail', 'paymentReference', 'receiverType', 'amountCurrency', 'amount'],
    ...['sourceCurrency', 'targetCurrency', 'IBAN'],
  ],
  columns: {
    row_ref: { from: ['name', 'paymentReference'], between: '-', replaceLetters: true },
    payment_reference: { from: ['paymentReference'] },
    amount: { from: ['amount'] },
    amount_side: { from: ['amountCurrency'], translate: { source: 'sell', target: 'buy' } },
    sell_currency: { from: ['sourceCurrency'] },
    buy_currency: { from: ['targetCurrency'] },
    beneficiary_entity_type: { from: ['receiverType'], translate: KINDS_OF_PAYEES },
    beneficiary_company_name: { from: ['name'] },
    beneficiary_email: { from: ['recipientEmail'] },
    beneficiary_country: { from: ['IBAN'], part: 'iban_country' },
    bank_account_holder_name: { from: ['name'] },
    ...IBAN_COLUMNS('IBAN'),
  },
  amountForm: PLAIN_AMOUNTS,
};

/**
 * The template of Revolut Business for bulk payments. Source: developer.revolut.com, "Work with draft payments", and the sample file
 * of its API for them. A routing number of the United States in the column of sort codes is refused by the check of the row.
 */
const REVOLUT: ProfileInput = {
  name: 'Revolut bulk payments',
  headers: [
    ...[
      'Name',
      'Recipient type',
      'Account number',
      'Sort code or Routing number',
      'IBAN',
      'BIC',
      'Recipient bank country',
    ],
    ...['Currency', 'Amount', 'Payment reference', 'Recipient country', 'State or province', 'Address line 1'],
    ...['Address line 2', 'City', 'Postal code'],
  ],
  columns: {
    row_ref: { from: ['Name', 'Payment reference'], between: '-', replaceLetters: true },
    payment_reference: { from: ['Payment reference'] },
    amount: { from: ['Amount'] },
    amount_side: { constant: 'buy' },
    buy_currency: { from: ['Currency'] },
    beneficiary_entity_type: { from: ['Recipient type'], translate: KINDS_OF_PAYEES },
    beneficiary_company_name: { from: ['Name'] },
    beneficiary_country: { from: ['Recipient country'] },
    beneficiary_address: { from: ['Address line 1', 'Address line 2'], between: ', ' },
    beneficiary_city: { from: ['City'] },
    beneficiary_postcode: { from: ['Postal code'] },
    beneficiary_state_or_province: { from: ['State or province'] },
    bank_account_holder_name: { from: ['Name'] },
    bank_country: { from: ['Recipient bank country'] },
    bank_account_number: { from: ['Account number'], strip: ['blanks'] },
    bank_sort_code: { from: ['Sort code or Routing number'], strip: ['blanks', 'dashes'] },
    bank_iban: { from: ['IBAN'], strip: ['blanks', 'label'], capitals: true },
    bank_bic_swift: BIC,
  },
  amountForm: PLAIN_AMOUNTS,
};

/** The template of Qonto for bulk transfers in euros. Source: help.qonto.com, article 4359550, on bulk transfers by a CSV file. */
const QONTO: ProfileInput = {
  name: 'Qonto bulk transfers',
  headers: ['beneficiary_name', 'iban', 'amount', 'currency', 'reference'],
  columns: {
    row_ref: { from: ['beneficiary_name', 'reference'], between: '-', replaceLetters: true },
    payment_reference: { from: ['reference'] },
    amount: { from: ['amount'] },
    amount_side: { constant: 'buy' },
    buy_currency: { from: ['currency'] },
    beneficiary_entity_type: { constant: 'company' },
    beneficiary_company_name: { from: ['beneficiary_name'] },
    beneficiary_country: { from: ['iban'], part: 'iban_country' },
    bank_account_holder_name: { from: ['beneficiary_name'] },
    ...IBAN_COLUMNS('iban'),
  },
  amountForm: PLAIN_AMOUNTS,
};

/** The pay run of Telleroo, to accounts in the United Kingdom. Source: help.telleroo.com, article 2946379, "Telleroo CSV format". */
const TELLEROO: ProfileInput = {
  name: 'Telleroo pay run, United Kingdom',
  headers: ['amount_pounds', 'recipient_name', 'account_no', 'sort_code', 'reference'],
  columns: {
    row_ref: { from: ['recipient_name', 'reference'], between: '-', replaceLetters: true },
    payment_reference: { from: ['reference'] },
    amount: { from: ['amount_pounds'] },
    amount_side: { constant: 'buy' },
    buy_currency: { constant: 'GBP' },
    beneficiary_entity_type: { constant: 'company' },
    beneficiary_company_name: { from: ['recipient_name'] },
    beneficiary_country: { constant: 'GB' },
    bank_account_holder_name: { from: ['recipient_name'] },
    bank_country: { constant: 'GB' },
    bank_account_number: { from: ['account_no'], strip: ['blanks'] },
    bank_sort_code: { from: ['sort_code'], strip: ['blanks', 'dashes'] },
  },
  amountForm: PLAIN_AMOUNTS,
};

/** Profiles that come with payrun. What differs between accounts, such as the sell currency, they leave to `withConstants`. */
export const READY_PROFILES: readonly Profile[] = [SUPPLIER_LIST, PAYROLL, WISE, REVOLUT, QONTO, TELLEROO].map(
  (profile) => profileSchema.parse(profile),
);

/** The profile with constants for columns that it does not fill. */
export function withConstants(profile: Profile, constants: Cells): Profile {
  const added = Object.entries(constants).filter(([column]) => profile.columns[column as PaymentColumn] === undefined);
  return withColumns(profile, Object.fromEntries(added.map(([column, constant]) => [column, { constant }])));
}

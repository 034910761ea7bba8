import { expect, test } from 'vitest';
import { proposeProfile } from '../../../domain/import-profiles/propose-profile.ts';
import type { PaymentColumn } from '../../../domain/payment-file/csv-columns.ts';

interface Export {
  /** Headers and one row, as the program writes them. */
  headers: string;
  row: string;
  /** The header from which a column is proposed, `=` before a constant; several headers: a person decides between them. */
  expected: Partial<Record<PaymentColumn, string>>;
  /** Columns for which nothing may be proposed. */
  nothing?: PaymentColumn[];
}

/** Field names that the programs publish, see header-words-payment.ts; the rows are made up. */
const EXPORTS: Record<string, Export> = {
  DATEV: {
    headers:
      'Konto;Name (Adressattyp Unternehmen);Belegfeld 1;Rechnungsdatum;Fälligkeit;Umsatz;WKZ Umsatz;IBAN-Nr. 1;SWIFT-Code 1;Bankbezeichnung 1;Land;Postleitzahl;Ort;Straße',
    row: '70001;Nordlicht GmbH;RE-2026-11;01.11.2026;30.11.2026;1.250,00;EUR;DE89370400440532013000;COBADEFFXXX;Commerzbank;DE;20457;Hamburg;Hafenstr. 1',
    expected: {
      row_ref: 'Belegfeld 1',
      amount: 'Umsatz',
      buy_currency: 'WKZ Umsatz',
      beneficiary_company_name: 'Name (Adressattyp Unternehmen)',
      beneficiary_city: 'Ort',
      bank_name: 'Bankbezeichnung 1',
      bank_iban: 'IBAN-Nr. 1',
      bank_bic_swift: 'SWIFT-Code 1',
    },
    nothing: ['bank_account_number'],
  },
  windata: {
    headers:
      'AG Name;AG KontoNr bzw. IBAN;AG BLZ bzw. BIC;Beg/Zahlpfl Name;Beg/Zahlpfl Name2;Beg/Zahlpfl Strasse;Beg/Zahlpfl KontoNr bzw. IBAN;Beg/Zahlpfl BLZ bzw. BIC;Betrag;Währung;Textschlüssel bzw. Zahlart;Termin;VWZ1;Ref-ID',
    row: 'Wir GmbH;DE89370400440532013000;COBADEFF;Nordlicht GmbH;;Hafenstr. 1;NL91ABNA0417164300;ABNANL2A;1250,00;EUR;51;30.11.2026;RE 4711;4711',
    expected: {
      row_ref: 'Ref-ID',
      payment_reference: 'VWZ1',
      amount: 'Betrag',
      pay_on: 'Termin',
      beneficiary_company_name: 'Beg/Zahlpfl Name',
      bank_iban: 'Beg/Zahlpfl KontoNr bzw. IBAN',
      bank_bic_swift: 'Beg/Zahlpfl BLZ bzw. BIC',
    },
  },
  SAP: {
    headers:
      'CoCd;Vendor;Name 1;DocumentNo;Reference;Doc. Date;Net due dt;Amount in DC;Curr.;Amt.in loc.cur.;LCurr;IBAN;SWIFT/BIC;Ctry',
    row: '1000;100023;Nordlicht GmbH;1900000123;RE-4711;01.11.2026;30.11.2026;1.250,00;EUR;1.250,00;EUR;DE89370400440532013000;COBADEFF;DE',
    expected: {
      row_ref: 'DocumentNo',
      payment_reference: 'Reference',
      amount: 'Amount in DC',
      buy_currency: 'Curr.',
      beneficiary_company_name: 'Name 1',
      beneficiary_country: 'Ctry',
      bank_iban: 'IBAN',
    },
  },
  'Sage 50': {
    headers:
      'A/C;Name;Address Line 1;Address Line 2;Contact Name;Telephone;Balance;BANK_NAME;BANK_ACCOUNT_NAME;BANK_SORT_CODE;BANK_ACCOUNT_NUMBER;BACS_REFERENCE;CURRENCY;COUNTRY_CODE',
    row: 'NOR001;Nordlicht Ltd;1 Quay;London;Anna;020;250.00;Barclays;Nordlicht Ltd;20-00-00;12345678;NORD;GBP;GB',
    expected: {
      payment_reference: 'BACS_REFERENCE',
      beneficiary_company_name: 'Name',
      bank_account_holder_name: 'BANK_ACCOUNT_NAME',
      bank_sort_code: 'BANK_SORT_CODE',
      bank_account_number: 'BANK_ACCOUNT_NUMBER',
      bank_country: '=GB',
    },
    nothing: ['amount'],
  },
  Xero: {
    headers:
      '*ContactName;EmailAddress;POAddressLine1;POCity;POPostalCode;POCountry;*InvoiceNumber;*InvoiceDate;*DueDate;Total;InvoiceAmountPaid;InvoiceAmountDue;*UnitAmount;*AccountCode;Currency',
    row: 'Nordlicht;a@b.example;1 Quay;London;E1;United Kingdom;INV-1;03/11/2026;30/11/2026;120.00;0.00;120.00;100.00;400;GBP',
    expected: {
      row_ref: '*InvoiceNumber',
      amount: 'Total or InvoiceAmountDue',
      pay_on: '*DueDate or nothing',
      beneficiary_company_name: '*ContactName',
      beneficiary_country: 'POCountry',
      beneficiary_address: 'POAddressLine1',
    },
    nothing: ['bank_account_number', 'bank_iban'],
  },
  'QuickBooks bills': {
    headers: 'Date;Transaction type;Num;Vendor;Due date;Past due;Amount;Open balance',
    row: '11/03/2026;Bill;1001;Acme Inc;12/03/2026;-6;1,250.00;1,250.00',
    expected: { row_ref: 'Num', amount: 'Amount or Open balance', beneficiary_company_name: 'Vendor' },
  },
  // addons/account/models/account_move.py: labels of fields; an account is followed by the name of its bank.
  'Odoo bills, fields that are chosen': {
    headers:
      'Number;Invoice Partner Display Name;Invoice/Bill Date;Due Date;Payment Reference;Untaxed Amount;Total;Currency;Recipient Bank;Payment Status',
    row: 'BILL/2026/11/0001;Nordlicht GmbH;2026-11-01;2026-11-30;RE-4711;1050.42;1250.00;EUR;DE89370400440532013000 - Commerzbank;Not Paid',
    expected: {
      row_ref: 'Number',
      payment_reference: 'Payment Reference',
      amount: 'Total',
      beneficiary_company_name: 'Invoice Partner Display Name',
      bank_iban: 'Recipient Bank',
    },
  },
  // addons/account/views/account_move_views.xml: labels of the list, whose totals are negative, and so are refused row by row.
  'Odoo bills, the list': {
    headers: 'Number;Vendor;Bill Date;Due Date;Reference;Payment Reference;Tax Excluded;Total;Bill Currency;Status',
    row: 'BILL/2026/11/0001;Nordlicht GmbH;2026-11-01;2026-11-30;RE-4711;RE-4711;-1050.42;-1250.00;EUR;Not Paid',
    expected: {
      row_ref: 'Number or Reference',
      amount: 'Total',
      buy_currency: 'Bill Currency',
      beneficiary_company_name: 'Vendor',
    },
  },
  // Without the columns that only its server uses; it has no account.
  'Exact Online': {
    headers:
      'HID;AccountCode;AccountName;Amount;AmountInTransit;ApprovalStatus;CurrencyCode;Description;DueDate;EntryNumber;InvoiceDate;InvoiceNumber;JournalCode;JournalDescription;YourRef;IBAN',
    row: '1;70001;Nordlicht GmbH;1250.00;0.00;0;EUR;Materiaal;30.11.2026;26700001;01.11.2026;4711;70;Inkoop;RE-4711;DE89370400440532013000',
    expected: {
      row_ref: 'InvoiceNumber',
      beneficiary_company_name: 'AccountName',
      bank_account_holder_name: 'AccountName',
    },
  },
  'a US list': {
    headers:
      'Vendor ID;Vendor Name;Invoice #;Invoice Date;Payment Amount;Bank Name;ABA Routing #;Account #;Account Type;Vendor Address;City;State;Zip',
    row: 'V1;Acme Inc;1001;11/03/2026;$1,250.00;Harbour Bank;021000021;000123456;Checking;1 Main St;Austin;TX;78701',
    expected: {
      row_ref: 'Invoice #',
      amount: 'Payment Amount',
      beneficiary_company_name: 'Vendor Name',
      beneficiary_address: 'Vendor Address',
      beneficiary_state_or_province: 'State',
      bank_aba: 'ABA Routing #',
      bank_account_number: 'Account #',
      bank_country: '=US',
    },
    nothing: ['pay_on'],
  },
  'a UK payroll': {
    headers: 'Employee ID;Forename;Surname;Sort Code;Account Number;Net Pay;Gross Pay;Tax;Pay Date',
    row: '17;Anneke;Vogt;20-00-00;12345678;2,100.50;3,000.00;500.00;30/11/2026',
    expected: {
      row_ref: 'Pay Date and Employee ID',
      amount: 'Net Pay',
      pay_on: 'Pay Date',
      beneficiary_entity_type: '=individual',
      beneficiary_first_name: 'Forename',
      bank_account_holder_name: 'Forename and Surname',
      bank_country: '=GB',
    },
  },
  'a German payroll': {
    headers: 'Personalnummer;Nachname;Vorname;Bruttolohn;Auszahlungsbetrag;IBAN;Kreditinstitut;Abrechnungsmonat',
    row: '17;Vogt;Anneke;3.000,00;2.100,50;DE89370400440532013000;Commerzbank;11/2026',
    expected: {
      row_ref: 'Abrechnungsmonat and Personalnummer',
      amount: 'Auszahlungsbetrag',
      beneficiary_last_name: 'Nachname',
      bank_name: 'Kreditinstitut',
      bank_iban: 'IBAN',
    },
    nothing: ['pay_on', 'buy_currency'],
  },
  'a Spanish payroll': {
    headers: 'Nº empleado;Apellidos;Nombre;Salario bruto;Líquido a percibir;Cuenta IBAN;Entidad bancaria',
    row: '17;Vega;Ana;3.000,00;2.100,50;ES9121000418450200051332;Banco del Mar',
    expected: { row_ref: 'Nº empleado', amount: 'Líquido a percibir', bank_iban: 'Cuenta IBAN' },
  },
  'a payroll with the names of accounts': {
    headers: 'Payroll ID;First name;Surname;Account name;Sort code;Account number;Net pay',
    row: '17;Anneke;Vogt;A VOGT;20-00-00;12345678;2100.50',
    expected: { row_ref: 'Payroll ID', bank_account_holder_name: 'Account name' },
    nothing: ['beneficiary_company_name'],
  },
  'a French payroll': {
    headers: 'Matricule;Nom;Prénom;Salaire brut;Net à payer;IBAN;BIC',
    row: '17;Dupont;Anne;3 000,00;2 100,50;FR1420041010050500013M02606;BNPAFRPP',
    expected: {
      amount: 'Net à payer',
      beneficiary_last_name: 'Nom',
      beneficiary_first_name: 'Prénom',
      bank_iban: 'IBAN',
    },
    nothing: ['beneficiary_company_name'],
  },
};

test.each(Object.entries(EXPORTS))('an export of %s', (_, { headers, row, expected, nothing = [] }) => {
  const { columns } = proposeProfile({
    headers: headers.split(';'),
    records: [{ line: 2, cells: row.split(';') }],
    constants: {},
  });
  const proposed = new Map(
    columns.map(({ column, candidates, isDecided }) => {
      const texts = candidates.map(({ source: { from, constant } }) => from.join(' and ') || `=${constant ?? ''}`);
      const [best = '', other = 'nothing'] = texts;
      return [column, isDecided ? best : `${best} or ${other}`];
    }),
  );
  const asked = (Object.keys(expected) as PaymentColumn[]).map((column) => [column, proposed.get(column)]);
  expect(Object.fromEntries(asked)).toEqual(expected);
  for (const column of nothing) expect(proposed.get(column), column).toBeUndefined();
});

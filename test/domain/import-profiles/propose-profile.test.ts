import { describe, expect, it, test } from 'vitest';
import { missingColumns, proposeProfile } from '../../../domain/import-profiles/propose-profile.ts';
import { preparedReader } from '../../../domain/import-profiles/read-record.ts';
import type { PaymentColumn } from '../../../domain/payment-file/csv-columns.ts';
import type { Cells } from '../../../domain/payment-file/raw-row.ts';

const KNOWN: Cells = {
  sell_currency: 'USD',
  amount_side: 'buy',
  purpose_of_transfer: 'SUPP',
  funding_source: 'COMPANY_BANK_ACCOUNT',
  funding_method: 'PAYNOW',
};

const recordsOf = (rows: string[][]) => rows.map((cells, index) => ({ line: index + 2, cells }));
const proposed = (headers: string[], rows: string[][], constants = KNOWN) =>
  proposeProfile({ headers, records: recordsOf(rows), constants });
/** The headers from which each column is proposed, the best first. */
const candidates = (proposal: ReturnType<typeof proposed>, column: PaymentColumn) =>
  proposal.columns.find((each) => each.column === column)?.candidates.map(({ source }) => source.from.join('+'));

describe('a German list of suppliers', () => {
  const headers = [
    'Lieferant',
    'Rechnungsnr.',
    'Rechnungsdatum',
    'Fälligkeit',
    'Betrag EUR',
    'IBAN',
    'BIC',
    'Bank',
    'Land',
    'Ort',
  ];
  const rows = [
    [
      'Nordlicht GmbH',
      'RE 26/0412',
      '3.11.2026',
      '3.12.2026',
      '1.250,00',
      'DE89 3704 0044 0532 0130 00',
      'COBADEFFXXX',
      'Hansebank',
      'Deutschland',
      'Hamburg',
    ],
    [
      'Müller & Söhne',
      '4711',
      '5.11.2026',
      '30.12.2026',
      '99,90',
      'NL91 ABNA 0417 1643 00',
      'ABNANL2A',
      'ABN',
      'Niederlande',
      'Amsterdam',
    ],
  ];
  const proposal = proposed(headers, rows);

  it('is read whole by the profile that is proposed', () => {
    expect(missingColumns(proposal.profile)).toEqual([]);
    expect(proposal.profile.ignored).toEqual(['Rechnungsdatum', 'Fälligkeit']);
    expect(preparedReader(proposal.profile, headers).read({ line: 3, cells: rows[1]! })).toEqual({
      cells: {
        ...KNOWN,
        row_ref: '4711',
        payment_reference: '4711',
        amount: '99.90',
        buy_currency: 'EUR',
        beneficiary_entity_type: 'company',
        beneficiary_company_name: 'Müller & Söhne',
        beneficiary_country: 'NL',
        beneficiary_city: 'Amsterdam',
        bank_account_holder_name: 'Müller & Söhne',
        bank_name: 'ABN',
        bank_country: 'NL',
        bank_iban: 'NL91ABNA0417164300',
        bank_bic_swift: 'ABNANL2A',
      },
    });
  });

  it('says why, and what is only likely', () => {
    const best = (column: PaymentColumn) => proposal.columns.find((each) => each.column === column)?.candidates[0];
    expect(best('bank_iban')).toMatchObject({ why: 'both', isSure: true });
    expect(best('row_ref')).toMatchObject({ why: 'header', isSure: true });
    expect(best('sell_currency')).toMatchObject({ why: 'known', isSure: true });
    expect(best('pay_on')).toMatchObject({ source: { from: ['Fälligkeit'] }, isSure: false });
    expect(proposal.columns.find(({ column }) => column === 'pay_on')?.isDecided).toBe(false);
    expect(proposal.dateForm.form).toEqual({ order: 'dmy', yearDigits: 4 });
    expect(best('buy_currency')).toMatchObject({ isSure: false, reason: '"Betrag EUR" says so' });
    expect(best('bank_country')).toMatchObject({ why: 'contents', isSure: false });
    expect(best('bank_account_holder_name')).toMatchObject({ isSure: false });
  });
});

describe('a sheet of another language or program', () => {
  test.each([
    ['fr', ['Fournisseur', 'N° facture', 'Montant TTC', 'Devise', 'Code IBAN', 'Échéance']],
    ['es', ['Proveedor', 'Nº factura', 'Importe', 'Moneda', 'IBAN', 'Vencimiento']],
    ['it', ['Ragione sociale', 'Numero fattura', 'Importo', 'Valuta', 'Codice IBAN', 'Scadenza']],
    ['nl', ['Leverancier', 'Factuurnummer', 'Bedrag', 'Valuta', 'IBAN', 'Vervaldatum']],
    ['pl', ['Kontrahent', 'Numer faktury', 'Kwota', 'Waluta', 'Numer rachunku', 'Termin płatności']],
    ['pt', ['Fornecedor', 'Número da fatura', 'Valor', 'Moeda', 'IBAN', 'Data de vencimento']],
    ['en', ['Vendor name', 'Invoice #', 'Amount due', 'Currency code', 'Account number', 'Due date']],
    ['Xero', ['ContactName', 'InvoiceNumber', 'InvoiceAmountDue', 'Currency', 'Bank Account Number', 'DueDate']],
    ['SAP', ['Vendor', 'Reference', 'Amount in doc. curr.', 'Document currency', 'IBAN', 'Net due date']],
    ['de, without umlauts', ['Empfaenger', 'Belegnr', 'Ueberweisungsbetrag', 'Waehrung', 'IBAN-Nr.', 'Faelligkeit']],
  ])('%s', (_, headers) => {
    const proposal = proposed(headers, [
      ['Nordlicht GmbH', 'RE 26/0412', '1250.00', 'EUR', 'DE89 3704 0044 0532 0130 00', '27.11.2026'],
      ['Südwind', 'RE 27', '99.90', 'GBP', 'NL91ABNA0417164300', '28.11.2026'],
    ]);
    const filled = (
      ['beneficiary_company_name', 'row_ref', 'amount', 'buy_currency', 'bank_iban', 'pay_on'] as const
    ).map((column) => candidates(proposal, column)?.[0]);
    expect(filled).toEqual(headers);
  });
});

describe('what has two answers', () => {
  it('stays open, and both are shown', () => {
    const proposal = proposed(['Vendor', 'Amount due', 'Total', 'IBAN'], [['A', '5.00', '6.00', 'x']]);
    expect(candidates(proposal, 'amount')).toEqual(['Amount due', 'Total']);
    expect(proposal.profile.columns.amount).toBeUndefined();
    expect(proposal.profile.ignored).toEqual(['Amount due', 'Total']);
  });

  it('is the currency that is known and the one that the header says', () => {
    const proposal = proposed(['Vendor', 'Amount (GBP)'], [['A', '5.00']], { ...KNOWN, buy_currency: 'EUR' });
    expect(proposal.columns.find(({ column }) => column === 'buy_currency')).toMatchObject({
      isDecided: false,
      candidates: [{ source: { constant: 'EUR' } }, { source: { constant: 'GBP' } }],
    });
  });

  it('is the currency of each amount that may be chosen', () => {
    const proposal = proposed(['Betrag EUR', 'Betrag USD'], [['5,00', '6,00']]);
    expect(candidates(proposal, 'amount')).toEqual(['Betrag EUR', 'Betrag USD']);
    expect(proposal.columns.find(({ column }) => column === 'buy_currency')).toMatchObject({
      isDecided: false,
      candidates: [{ source: { constant: 'EUR' } }, { source: { constant: 'USD' } }],
    });
  });

  it('is not the gross pay beside the net pay, nor the date of an invoice', () => {
    const proposal = proposed(
      ['Employee', 'Gross pay', 'Net pay', 'Invoice date'],
      [['A', '6.00', '5.00', '2026-11-27']],
    );
    expect(candidates(proposal, 'amount')).toEqual(['Net pay']);
    expect(candidates(proposal, 'pay_on')).toBeUndefined();
  });

  it('is never the account that pays', () => {
    const iban = 'DE89370400440532013000';
    const proposal = proposed(
      ['Auftraggeber IBAN', 'IBAN Auftraggeber', 'Debit account', 'IBAN'],
      [[iban, iban, iban, iban]],
    );
    expect(candidates(proposal, 'bank_iban')).toEqual(['IBAN']);
  });
});

describe('what the cells say', () => {
  test.each([
    ['Kto', ['DE89 3704 0044 0532 0130 00', 'NL91ABNA0417164300'], 'bank_iban'],
    ['Col 5', ['021000021', '011401533', '026009593'], 'bank_aba'],
    ['Kontakt', ['a@b.example', 'c@d.example'], 'beneficiary_email'],
    ['Cur.', ['EUR', '€', 'GBP'], 'buy_currency'],
    ['Account number', ['DE89370400440532013000'], 'bank_iban'],
  ] as const)('below "%s"', (header, cells, column) => {
    const proposal = proposed(
      [header],
      cells.map((cell) => [cell]),
    );
    expect(candidates(proposal, column)).toEqual([header]);
    expect(proposal.columns.find((each) => each.column === column)?.candidates[0]?.isSure).toBe(false);
    expect(candidates(proposal, 'bank_account_number')).toBeUndefined();
  });

  it('is no routing number if there is one alone', () => {
    expect(candidates(proposed(['Number'], [['021000021']]), 'bank_aba')).toBeUndefined();
  });

  it('against a header makes it unsure', () => {
    const proposal = proposed(['IBAN'], [['see vendor'], ['unknown']]);
    expect(proposal.columns.find(({ column }) => column === 'bank_iban')?.candidates[0]).toMatchObject({
      isSure: false,
      reason: '"IBAN" is a word for it, but most of its cells are not of this form',
    });
  });

  it('takes an IBAN and a BIC out of a text, and names around a comma', () => {
    const proposal = proposed(
      ['Employee', 'IBAN', 'BIC'],
      [
        [
          'Vogt, Anneke',
          'IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFF',
          'IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFF',
        ],
      ],
    );
    expect(proposal.profile.columns).toMatchObject({
      bank_iban: { part: 'iban' },
      bank_bic_swift: { part: 'bic' },
      beneficiary_last_name: { part: 'before_comma' },
      beneficiary_first_name: { part: 'after_comma' },
    });
  });

  it('joins first and last names to the holder', () => {
    const proposal = proposed(['Cognome', 'Nome', 'IBAN'], [['Rossi', 'Anna', 'IT60X0542811101000000123456']]);
    expect(proposal.profile.columns).toMatchObject({
      beneficiary_last_name: { from: ['Cognome'] },
      beneficiary_first_name: { from: ['Nome'] },
      bank_account_holder_name: { from: ['Nome', 'Cognome'] },
      beneficiary_entity_type: { constant: 'individual' },
    });
  });
});

describe('a header that only seems to be ours', () => {
  const IBANS = ['DE89370400440532013000', 'NL91ABNA0417164300'];
  const of = (header: string, cells: string[]) =>
    proposed(
      [header, 'Nr'],
      cells.map((cell, index) => [cell, `RE ${index}`]),
    );

  test.each([
    'Our IBAN',
    'IBAN (own)',
    'Old IBAN',
    'Previous IBAN number',
    'Debit IBAN',
    'SenderIBAN',
    'Sender',
    'Payer bank account',
    'From IBAN',
    'Unsere IBAN',
    'IBAN alt',
    'Absenderkonto',
    'Notre IBAN',
    'Ancien IBAN',
    'IBAN remitente',
    'Vecchio IBAN',
    'Oude IBAN',
    'Stary IBAN',
    'IBAN antigo',
  ])('"%s" is not the account of the beneficiary', (header) => {
    const found = of(header, IBANS);
    expect(found.columns.filter(({ column }) => column.startsWith('bank_'))).toEqual([]);
  });

  test.each(['IBAN', 'Supplier IBAN', 'IBAN des Empfängers', 'Payee account IBAN'])('"%s" is', (header) => {
    expect(of(header, IBANS).profile.columns.bank_iban?.from).toEqual([header]);
  });

  test.each([
    'Amount (cents)',
    'Amount in TEUR',
    'Amount in thousands',
    "Amount ('000)",
    'Betrag Mio. €',
    'Betrag in T€',
    'Montant en centimes',
    'Kwota (tys.)',
  ])('"%s" is left to a person, with the reason', (header) => {
    const found = of(header, ['12.50', '1250.75']);
    expect(found.profile.columns.amount).toBeUndefined();
    const amount = found.columns.find(({ column }) => column === 'amount');
    expect(amount).toMatchObject({ isDecided: false, candidates: [{ source: { from: [header] }, isSure: false }] });
    expect(amount?.candidates[0]?.reason).toContain('another unit');
  });
});

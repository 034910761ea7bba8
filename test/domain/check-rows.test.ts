import { describe, expect, test } from 'vitest';
import { paymentInstructionSchema } from '../../domain/payments/payment-instruction.ts';
import { MAX_FILE_BYTES, type SupportingFile } from '../../domain/payment-file/supporting-file.ts';
import { SUPPORTED_KINDS } from '../../domain/payment-file/supporting-file-kind.ts';
import { aReference, aRow, aRowToKnown, check, found } from './payment-rows.ts';

describe('a row without mistakes', () => {
  test('becomes an instruction that its schema accepts', () => {
    const { valid, problems, warnings } = check(aRow({ amount: ' 7.5 ', echo: 'mine', beneficiary_city: 'Dresden' }));
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
    expect(valid).toEqual([
      expect.objectContaining({
        rowRef: 'INV-1',
        line: 2,
        amount: '7.50',
        payOn: null,
        paymentChannel: null,
        echo: 'mine',
        beneficiary: {
          kind: 'details',
          details: {
            entityType: 'company',
            country: 'DE',
            companyName: 'Nordlicht Werkzeuge GmbH',
            city: 'Dresden',
            postcode: '01067',
            bankAccount: {
              country: 'DE',
              currency: 'EUR',
              bankName: 'Hansebank',
              bankAccountHolderName: 'Nordlicht Werkzeuge GmbH',
              iban: 'DE89370400440532013000',
            },
          },
        },
      }),
    ]);
    expect(valid.map((instruction) => paymentInstructionSchema.parse(instruction))).toEqual(valid);
  });

  test('may name a beneficiary by the id that the provider gave it', () => {
    expect(check(aRowToKnown()).valid[0]?.beneficiary).toEqual({ kind: 'existing', beneficiaryId: 'ben_1' });
  });

  test('may contain text that a spreadsheet would evaluate as a formula', () => {
    expect(check(aRow({ payment_reference: '=1+1', echo: '@x' })).problems).toEqual([]);
  });
});

describe('each rule', () => {
  const cases: [string, Parameters<typeof aRow>[0], string][] = [
    ['row_ref is required', { row_ref: undefined }, 'row_ref missing_value'],
    ['row_ref has only safe characters', { row_ref: 'INV 1' }, 'row_ref row_ref_form'],
    ['row_ref has at most 64 characters', { row_ref: 'x'.repeat(65) }, 'row_ref row_ref_form'],
    ['an amount has the decimal places of the fixed currency', { amount: '1.005' }, 'amount too_many_decimals'],
    ['the amount side is required', { amount_side: undefined }, 'amount_side missing_value'],
    ['the amount side is one of two', { amount_side: 'Buy' }, 'amount_side unknown_code'],
    ['a currency is supported', { sell_currency: 'XAU' }, 'sell_currency currency_unsupported'],
    ['a currency is in capitals', { sell_currency: 'usd' }, 'sell_currency currency_unsupported'],
    ['a pair is supported', { sell_currency: 'JPY' }, 'buy_currency pair_unsupported'],
    ['a payment has a reference', { payment_reference: '  ' }, 'payment_reference missing_value'],
    ['a purpose is a known code', { purpose_of_transfer: 'SUPPLIER' }, 'purpose_of_transfer unknown_code'],
    ['OTH needs a description', { purpose_of_transfer: 'OTH' }, 'purpose_description missing_value'],
    ['OTHR needs a description', { purpose_of_transfer: 'OTHR' }, 'purpose_description missing_value'],
    ['a funding source is a known code', { funding_source: 'BANK' }, 'funding_source unknown_code'],
    ['a funding method is required', { funding_method: undefined }, 'funding_method missing_value'],
    [
      'a bank transfer needs an account number',
      { funding_method: 'BANK_TRANSFER' },
      'funding_bank_account_number missing_value',
    ],
    [
      'the funding account number is digits',
      { funding_method: 'BANK_TRANSFER', funding_bank_account_number: '12-34' },
      'funding_bank_account_number digits_only',
    ],
    ['a funding country is two capitals', { funding_country: 'Singapore' }, 'funding_country country_form'],
    ['a channel is a known code', { payment_channel: 'SWIFT' }, 'payment_channel unknown_code'],
    ['a user id has no blanks', { sender_user_id: 'a b' }, 'sender_user_id id_form'],
    ['pay_on is a calendar date', { pay_on: '2026-02-30' }, 'pay_on date_form'],
    ['pay_on is written YYYY-MM-DD', { pay_on: '30/04/2026' }, 'pay_on date_form'],
    ['pay_on is not in the past', { pay_on: '2026-04-09' }, 'pay_on date_past'],
    [
      'a beneficiary is either named by id or described',
      { beneficiary_id: 'ben_1' },
      'beneficiary_id beneficiary_ambiguous',
    ],
    ['an entity type is one of two', { beneficiary_entity_type: 'person' }, 'beneficiary_entity_type unknown_code'],
    ['a country is two capitals', { beneficiary_country: 'de' }, 'beneficiary_country country_form'],
    ['an account is in the buy currency', { bank_currency: 'USD' }, 'bank_currency bank_currency_differs'],
    ['an account has a holder', { bank_account_holder_name: undefined }, 'bank_account_holder_name missing_value'],
    ['an e-mail address looks like one', { beneficiary_email: 'none' }, 'beneficiary_email email_form'],
    ['an IBAN has valid check digits', { bank_iban: 'DE89370400440532013001' }, 'bank_iban account_code'],
    ['an ABA number has a valid check digit', { bank_aba: '021000022' }, 'bank_aba account_code'],
    ['a CLABE has a valid check digit', { bank_clabe: '032180000118359718' }, 'bank_clabe account_code'],
    ['a BIC has 8 or 11 characters', { bank_bic_swift: 'COBADEF' }, 'bank_bic_swift account_code'],
    ['a cell has no line break', { payment_reference: 'a\nb' }, 'payment_reference line_break'],
    ['control characters are refused', { payment_reference: 'a\u0007b' }, 'payment_reference control_character'],
    ['text with reordering characters is refused', { bank_name: 'a\u202eb' }, 'bank_name control_character'],
    ['replacement characters are refused', { bank_name: 'M\ufffdller' }, 'bank_name lost_character'],
    ['a cell has 256 characters at most', { payment_reference: 'x'.repeat(257) }, 'payment_reference too_long'],
  ];

  test.each(cases)('%s', (_rule, changes, problem) => {
    const checked = check(aRow(changes));
    expect(found(checked)).toEqual([problem]);
    expect(checked.valid).toEqual([]);
    expect(checked.problems[0]?.fix).not.toBe('');
  });

  test('a row without a beneficiary is an error', () => {
    expect(found(check(aRowToKnown({ beneficiary_id: undefined })))).toEqual(['beneficiary_id beneficiary_missing']);
  });

  test('pay_on may be today', () => {
    expect(check(aRow({ pay_on: '2026-04-10' })).valid[0]?.payOn).toBe('2026-04-10');
  });

  test('a sell amount has the decimal places of the sell currency', () => {
    const toJapan = { buy_currency: 'JPY', beneficiary_id: 'ben_1' };
    expect(check(aRowToKnown({ ...toJapan, amount: '10.50', amount_side: 'sell' })).valid[0]?.amount).toBe('10.50');
    expect(found(check(aRowToKnown({ ...toJapan, amount: '10.50' })))).toEqual(['amount too_many_decimals']);
  });

  test('a payment in one currency needs no supported pair', () => {
    expect(check(aRow({ sell_currency: 'EUR' })).problems).toEqual([]);
  });

  test('a deprecated purpose gives a warning', () => {
    const checked = check(aRow({ purpose_of_transfer: 'FEES' }));
    expect(checked.valid).toHaveLength(1);
    expect(checked.warnings.map((warning) => warning.code)).toEqual(['purpose_deprecated']);
  });

  test('a funding country is required when the beneficiary or the bank is in Indonesia', () => {
    const inIndonesia = { buy_currency: 'IDR', beneficiary_country: 'ID', bank_country: 'ID', bank_iban: undefined };
    expect(found(check(aRow(inIndonesia)))).toEqual(['funding_country missing_value']);
    expect(found(check(aRow({ bank_country: 'ID', bank_iban: undefined })))).toEqual(['funding_country missing_value']);
    expect(check(aRow({ ...inIndonesia, funding_country: 'SG' })).problems).toEqual([]);
  });

  test('LOCAL is allowed only for the currencies and countries that the provider lists', () => {
    const local = { payment_channel: 'LOCAL' };
    expect(check(aRow(local)).problems).toEqual([]);
    const reference = aReference({ localCurrencies: new Set(['EUR-FR']) });
    expect(found(check(aRow(local), { reference }))).toEqual(['payment_channel local_unsupported']);
  });
});

describe('supporting files', () => {
  const [pdf, png, jpeg] = SUPPORTED_KINDS;
  const files = new Map<string, SupportingFile>([
    ['a.pdf', { sizeBytes: 10, kind: pdf }],
    ['b.PNG', { sizeBytes: MAX_FILE_BYTES, kind: png }],
    ['big.jpg', { sizeBytes: MAX_FILE_BYTES + 1, kind: jpeg }],
    ['empty.pdf', { sizeBytes: 0, kind: { description: 'empty', contentType: null } }],
    ['c.docx', { sizeBytes: 10, kind: { description: 'a Word, Excel or ZIP file', contentType: null } }],
  ]);

  test('several are separated by semicolons; one near the size limit gives a warning', () => {
    const checked = check(aRow({ supporting_files: 'a.pdf; b.PNG' }), { files });
    expect(checked.valid[0]?.supportingFiles).toEqual(['a.pdf', 'b.PNG']);
    expect(checked.warnings.map((warning) => warning.code)).toEqual(['file_near_size_limit']);
  });

  test.each([
    ['missing.pdf', 'file_missing'],
    ['big.jpg', 'file_too_large'],
    ['empty.pdf', 'file_empty'],
    ['c.docx', 'file_type'],
    ['../a.pdf', 'file_name'],
    ['a.pdf;a.pdf', 'duplicate_file'],
    [Array.from({ length: 21 }, () => 'a.pdf').join(';'), 'too_many_files'],
  ])('%s is refused', (cell, code) => {
    expect(found(check(aRow({ supporting_files: cell }), { files }))).toContain(`supporting_files ${code}`);
  });
});

describe('the list of problems', () => {
  test('has every error of every row, by line and then by column', () => {
    const checked = check([
      aRow({ row_ref: 'A', bank_iban: 'DE00370400440532013000', amount: '1,5', purpose_of_transfer: 'X' }, 2),
      aRow({ row_ref: 'B' }, 3),
      aRow({ row_ref: 'C', bank_name: undefined, bank_iban: 'DE1', beneficiary_postcode: '1067' }, 4),
    ]);
    expect(checked.problems.map((problem) => [problem.line, problem.rowRef, problem.column])).toEqual([
      [2, 'A', 'amount'],
      [2, 'A', 'purpose_of_transfer'],
      [2, 'A', 'bank_iban'],
      [4, 'C', 'beneficiary_postcode'],
      [4, 'C', 'bank_name'],
      [4, 'C', 'bank_iban'],
    ]);
    expect(checked.valid.map((instruction) => instruction.rowRef)).toEqual(['B']);
  });

  test('has every row that shares a row_ref, each with the line of another one', () => {
    const checked = check([aRow({}, 2), aRow({}, 3), aRow({ row_ref: 'inv-1' }, 4), aRow({ amount: '7.00' }, 7)]);
    expect(checked.problems.map(({ line, code, problem }) => [line, code, problem])).toEqual([
      [2, 'row_repeated', 'line 3 is the same invoice: the same row_ref, beneficiary, account and amount'],
      [3, 'row_repeated', 'line 2 is the same invoice: the same row_ref, beneficiary, account and amount'],
      [7, 'row_ref_repeated', 'line 2 has the same row_ref, and another beneficiary, account or amount'],
    ]);
  });

  test('shows the value shortened and with invisible characters escaped, and keeps it out of the texts', () => {
    const [problem] = check(aRow({ row_ref: `secret\u0007${'x'.repeat(200)}` })).problems;
    expect(problem?.value).toMatch(/^secret\\u0007x+…$/);
    expect(`${problem?.problem ?? ''}${problem?.fix ?? ''}`).not.toContain('secret');
  });

  test('suggests the code that was probably meant', () => {
    expect(check(aRow({ purpose_of_transfer: 'SUP' })).problems[0]?.fix).toContain('SUPP');
  });
});

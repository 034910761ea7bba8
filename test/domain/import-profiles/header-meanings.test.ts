import { describe, expect, it, test } from 'vitest';
import { EVERY_HEADER_WORDS, foldHeader, meaningsOfHeader } from '../../../domain/import-profiles/header-meanings.ts';
import { meaningOf } from '../../../domain/import-profiles/names-of-codes.ts';

describe('the words of headers', () => {
  it('are each of one meaning', () => {
    const seen = new Map<string, string>();
    const twice = EVERY_HEADER_WORDS.flatMap(({ column, also = [], words }) =>
      Object.values(words)
        .flatMap((list) => list.split(','))
        .map((word) => [foldHeader(word), `${column}+${also.join()}`] as const)
        .filter(([word, meaning]) => {
          const before = seen.get(word);
          seen.set(word, meaning);
          return before !== undefined && before !== meaning;
        }),
    );
    expect(twice).toEqual([]);
  });

  test.each([
    ['BIC/SWIFT', 'bank_bic_swift'],
    ['Zahlbetrag in EUR', 'amount'],
    ['Name der Bank', 'bank_name'],
    ['Supplier bank country', 'bank_country'],
    ['IBAN des Empfängers', 'bank_iban'],
    ['payment_reference', 'payment_reference'],
    ['Bank IBAN', 'bank_iban'],
    ['destination.holder.legalName', 'beneficiary_company_name'],
  ])('"%s"', (header, column) => {
    expect(meaningsOfHeader(header).map((meaning) => meaning.column)).toContain(column);
  });
});

test.each([
  ['bank_country', 'Germany', 'DE'],
  ['bank_country', 'deutschland', 'DE'],
  ['bank_country', 'Allemagne', 'DE'],
  ['bank_country', 'Wielka Brytania', 'GB'],
  ['bank_country', 'UK', 'GB'],
  ['bank_country', 'DE', 'DE'],
  ['bank_country', 'EU', null],
  ['bank_country', 'Nowhere', null],
  ['buy_currency', 'EUR €', 'EUR'],
  ['buy_currency', 'Euro', 'EUR'],
  ['buy_currency', 'US Dollar', 'USD'],
  ['buy_currency', '$', null],
  ['buy_currency', 'XYZ', null],
  ['purpose_of_transfer', 'Invoice', 'IVPT'],
  ['purpose_of_transfer', 'supplier payment', 'SUPP'],
  ['purpose_of_transfer', 'other', null],
  ['beneficiary_entity_type', 'PERSON', 'individual'],
  ['beneficiary_entity_type', 'Unternehmen', 'company'],
  ['beneficiary_city', 'Hamburg', null],
] as const)('%s: "%s" means %s', (column, text, code) => {
  expect(meaningOf(column, text)).toBe(code);
});

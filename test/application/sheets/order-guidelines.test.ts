import { describe, expect, test } from 'vitest';
import { exampleOrder, readOrder } from './read-order.ts';

/**
 * With parties that are made up, by what was published: Implementation Guidelines for the Netherlands 6.0 (Betaalvereniging), Anlage 3
 * 3.7 (Die Deutsche Kreditwirtschaft), Swiss Implementation Guidelines for Credit Transfers 1.10 (SIX).
 */
describe('a payment order by the rules of', () => {
  test('the Dutch association of payments has references of people, and those with an issuer', async () => {
    const { rows, notes } = await readOrder(exampleOrder('dutch.xml'));
    expect(rows).toMatchObject([
      {
        row_ref: 'Onze-ref_-2026/118',
        payment_reference: 'Factuur 2026/118 van 12 november',
        bank_name: 'RABONL2U',
        bank_country: 'NL',
        bank_iban: 'NL44RABO0123456789',
        pay_on: '2026-12-04',
      },
      {
        row_ref: 'BTW-2026-Q3',
        payment_reference: '5070803580480005',
        bank_country: 'BE',
        bank_iban: 'BE68539007547034',
      },
    ]);
    expect(rows[0]).not.toHaveProperty('sell_currency');
    expect(notes).toContain('debtor_not_used Dbtr');
  });

  test('the German banks has the day of a time, an address in parts, and no bank but the IBAN', async () => {
    const { rows, notes } = await readOrder(exampleOrder('german.xml'));
    expect(rows).toMatchObject([
      {
        row_ref: 'RE-4711',
        pay_on: '2026-12-03',
        purpose_of_transfer: 'SUPP',
        beneficiary_address: 'Hafenweg 12',
        beneficiary_city: 'Berlin',
        bank_bic_swift: 'BYLADEM1001',
      },
      { row_ref: 'Lieferanten-2', bank_iban: 'AT611904300234573201', bank_country: 'AT' },
    ]);
    expect(notes).toEqual(
      expect.arrayContaining([
        'not_carried_out UltmtCdtr',
        'not_carried_out PmtTpInf/LclInstrm/Cd',
        'not_carried_out ReqdExctnDt',
      ]),
    );
  });

  test('the Swiss banks until 2022 is of transfers, with an advice or without one', async () => {
    const { rows, notes } = await readOrder(exampleOrder('swiss-advice.xml'));
    expect(rows).toMatchObject([
      { row_ref: 'E-1', payment_reference: '210000000003139471430009017', bank_iban: 'CH4431999123000889012' },
      { row_ref: 'E-2', bank_code: '762', bank_account_number: '16-2385295-7', bank_country: 'CH' },
    ]);
    expect(notes).toContain('not_carried_out PmtMtd');
  });
});

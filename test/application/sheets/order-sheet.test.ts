import { describe, expect, test } from 'vitest';
import { UnreadableFile } from '../../../application/payment-file/file-problem.ts';
import { openSheet } from '../../../application/sheets/open-sheet.ts';
import { ChoiceNeeded, SHEET_LIMITS } from '../../../application/sheets/sheet.ts';
import { anOrder, aTransaction, type OrderOptions } from './an-order.ts';
import { exampleOrder, readOrder } from './read-order.ts';

async function problemOf(content: Uint8Array, limits = SHEET_LIMITS): Promise<unknown> {
  try {
    const sheet = await openSheet(content, {}, limits);
    for await (const batch of sheet.records()) if (batch.length === 0) break;
  } catch (error) {
    if (error instanceof UnreadableFile) return error.fileProblem;
    throw error;
  }
  return expect.unreachable('the order was read');
}

describe('a payment order as Swiss banks ask for it', () => {
  test('has a block with a transfer abroad and one to a sort code', async () => {
    const { rows } = await readOrder(exampleOrder('swiss.xml'), 'PMTINF-01');
    expect(rows).toEqual([
      {
        line: 1,
        row_ref: 'ENDTOENDID-001',
        amount: '1949.75',
        amount_side: 'buy',
        sell_currency: 'CHF',
        buy_currency: 'EUR',
        payment_reference: 'Rechnung 2026-0412 & 0413',
        pay_on: '2026-12-03',
        beneficiary_country: 'DE',
        beneficiary_company_name: 'Nordlicht Werkzeuge GmbH',
        beneficiary_address: 'Hafenstrasse 12',
        beneficiary_city: 'Hamburg',
        beneficiary_postcode: '20457',
        bank_country: 'DE',
        bank_name: 'Beispielbank',
        bank_account_holder_name: 'Nordlicht Werkzeuge GmbH',
        bank_iban: 'DE89370400440532013000',
        bank_bic_swift: 'COBADEFFXXX',
      },
      expect.objectContaining({
        line: 2,
        row_ref: 'PMTINF-01-2',
        payment_reference: 'RF18539007547034',
        purpose_of_transfer: 'SUPP',
        beneficiary_address: '1 Sample Lane, London',
        bank_account_number: '55779911',
        bank_sort_code: '200000',
        bank_country: 'GB',
      }),
    ]);
  });

  test('says what is not carried out, and which other block there is', async () => {
    const { notes, reading } = await readOrder(exampleOrder('swiss.xml'), 'PMTINF-01');
    expect(notes).toEqual([
      'not_carried_out ChrgBr',
      'not_carried_out RmtInf/Strd/CdtrRefInf/Tp/CdOrPrtry/Cd',
      'not_carried_out BtchBookg',
      'debtor_not_used Dbtr',
      'other_blocks "PMTINF-02"',
    ]);
    expect(reading.sheetName).toBe('PMTINF-01');
  });

  test('has numbers of transactions that count through all blocks, the day of a time, and a person', async () => {
    const { rows, notes } = await readOrder(exampleOrder('swiss.xml'), 'PMTINF-02');
    expect(rows).toMatchObject([
      { line: 3, pay_on: '2026-12-04', beneficiary_entity_type: 'individual', bank_name: 'COBADEFFXXX' },
    ]);
    expect(notes).toContain('not_carried_out ReqdExctnDt');
  });
});

test('a payment order as Nordic banks ask for it has its encoding, charges, clearing codes and amounts to be spent', async () => {
  const { rows, notes } = await readOrder(exampleOrder('nordic.xml'));
  expect(rows).toMatchObject([
    {
      beneficiary_company_name: 'Müller & Sons Inc.',
      payment_channel: 'SWIFT-OUR',
      payment_reference: 'Invoice 1 less credit note 2',
      beneficiary_entity_type: 'company',
      bank_aba: '021000021',
      bank_address: '1 Bank Street, New York',
      intermediary_bic_swift: 'IRVTUS3N',
    },
    {
      amount: '2500.5',
      amount_side: 'sell',
      sell_currency: 'DKK',
      buy_currency: 'CAD',
      payment_reference: '4711',
      bank_institution_no: '003',
      bank_branch_code: '12345',
      bank_account_holder_name: 'Maple Example Limited',
    },
  ]);
  expect(rows[1]).not.toHaveProperty('payment_channel');
  expect(notes).toEqual(expect.arrayContaining(['not_carried_out UltmtDbtr', 'not_carried_out PmtTpInf/SvcLvl/Cd']));
});

test('a payment order as American banks ask for it has prefixes, an intermediary and its account', async () => {
  const { rows, notes, reading } = await readOrder(exampleOrder('american.xml'));
  expect(rows).toMatchObject([
    {
      row_ref: 'PO-77',
      bank_ifsc_code: 'HDFC0000123',
      bank_country: 'IN',
      beneficiary_state_or_province: 'Karnataka',
      beneficiary_email: 'pay@sample.example',
      intermediary_bank_name: 'Harbour Bank',
      intermediary_address: 'New York, US',
      intermediary_account_number: '8900123',
    },
  ]);
  const parts = ['GrpHdr/Authstn/Cd', 'InstrForCdtrAgt', 'RgltryRptg'].map((part) => `not_carried_out ${part}`);
  expect(notes).toEqual(expect.arrayContaining(parts));
  // With one block there is no choice, and the next order has another name for it.
  expect(reading.sheetName).toBeNull();
});

describe('of an order with several blocks', () => {
  const order = anOrder({ blocks: [{ transactions: [aTransaction(), aTransaction({ ref: 'B' })] }, {}] });

  test('one is chosen', async () => {
    await expect(readOrder(order)).rejects.toThrow(ChoiceNeeded);
    expect(await problemOf(order)).toMatchObject({ code: 'block_not_chosen' });
    expect((await readOrder(order, 'BLOCK-2')).rows).toMatchObject([{ line: 3 }]);
    await expect(readOrder(order, 'BLOCK-3')).rejects.toThrow('no block of the name');
  });
});

describe('an order is refused', () => {
  const text = (change: (order: string) => string) => Buffer.from(change(anOrder().toString()));
  const withBlock = (block: NonNullable<OrderOptions['blocks']>[number]) => anOrder({ blocks: [block] });
  const cases: [string, Buffer, string][] = [
    ['whose count of transactions is another one', anOrder({ count: '2' }), 'order_sums'],
    ['whose control sum is another one', anOrder({ sum: '10.49' }), 'order_sums'],
    ['whose control sum is no number', anOrder({ sum: '1e1' }), 'order_sums'],
    ['with a block of another count', withBlock({ count: '2' }), 'order_sums'],
    ['with a block of another sum', withBlock({ sum: '10.51' }), 'order_sums'],
    ['with cheques', withBlock({ method: 'CHK' }), 'no_transfers'],
    [
      'with a cheque',
      withBlock({ transactions: [aTransaction({ before: '<ChqInstr><ChqTp>CCHQ</ChqTp></ChqInstr>' })] }),
      'no_transfers',
    ],
    [
      'with one identification for two blocks',
      anOrder({ blocks: [{ id: 'A' }, { id: 'B' }, { id: 'A' }] }),
      'unclear_order',
    ],
    [
      'with two names of a creditor',
      text((order) => order.replace('<Nm>Nordlicht', '<Nm>X</Nm><Nm>Nordlicht')),
      'unclear_order',
    ],
    [
      'with two amounts',
      text((order) =>
        order.replace('</Amt>', '<EqvtAmt><Amt Ccy="USD">1</Amt><CcyOfTrf>EUR</CcyOfTrf></EqvtAmt></Amt>'),
      ),
      'unclear_order',
    ],
    ['with an amount below zero', withBlock({ transactions: [aTransaction({ amount: '-1' })] }), 'unclear_order'],
    [
      'with parts of a block behind its transactions',
      text((order) => order.replace('</PmtInf>', '<ChrgBr>SHAR</ChrgBr></PmtInf>')),
      'unclear_order',
    ],
    ['with a text between its elements', text((order) => order.replace('</PmtInf>', 'x</PmtInf>')), 'unclear_order'],
    [
      'with elements of another namespace',
      text((order) => order.replace('<CdtTrfTxInf>', '<CdtTrfTxInf xmlns="urn:x">')),
      'unclear_order',
    ],
    [
      'with elements of an unknown prefix',
      text((order) => order.replaceAll('CdtTrfTxInf>', 'x:CdtTrfTxInf>')),
      'unclear_order',
    ],
    ['of another version', text((order) => order.replace('001.03', '001.12')), 'other_order'],
    ['of another message', text((order) => order.replaceAll('CstmrCdtTrfInitn', 'CstmrPmtRvsl')), 'other_order'],
    [
      'with a document type',
      text((order) => order.replace('?>', '?><!DOCTYPE Document [<!ENTITY a "b">]>')),
      'xml_entities',
    ],
    ['with an entity', text((order) => order.replace('Nordlicht', '&a;')), 'damaged_order'],
    ['that is cut off', text((order) => order.slice(0, -20)), 'damaged_order'],
    [
      'that is nested without end',
      text((order) => order.replace('<Nm>Nordlicht', `${'<a>'.repeat(200)}<Nm>Nordlicht`)),
      'damaged_order',
    ],
    ['with a text without end', text((order) => order.replace('Nordlicht', 'N'.repeat(2_000_000))), 'cell_too_long'],
    [
      'with parts without end',
      text((order) => order.replace('</Cdtr>', `${'<A>1</A>'.repeat(3_000)}</Cdtr>`)),
      'unclear_order',
    ],
    [
      'whose bytes are none of its encoding',
      Buffer.concat([anOrder().subarray(0, 500), Buffer.from([0xff]), anOrder().subarray(500)]),
      'damaged_order',
    ],
    ['of direct debits', text((order) => order.replace('pain.001.001.03', 'pain.008.001.02')), 'bank_file'],
  ];

  test.each(cases)('%s', async (_what, order, code) => {
    expect(await problemOf(order)).toMatchObject({ code });
  });

  test('with more transactions than a run has', async () => {
    const order = withBlock({ transactions: [aTransaction(), aTransaction({ ref: 'B' })] });
    expect(await problemOf(order, { ...SHEET_LIMITS, rows: 1 })).toMatchObject({ code: 'too_many_rows' });
  });
});

test('sums of orders are exact and do not ask for zeros at the end', async () => {
  const transactions = [aTransaction({ amount: '0.1' }), aTransaction({ ref: 'B', amount: '0.2' })];
  const { rows } = await readOrder(anOrder({ sum: '0.300', blocks: [{ transactions, sum: '0.3', count: '2' }] }));
  expect(rows).toHaveLength(2);
});

test('what other programs add to an order does not count as a part of it', async () => {
  const added = '<SplmtryData><Envlp><x:CdtTrfTxInf xmlns:x="urn:x">1</x:CdtTrfTxInf></Envlp></SplmtryData>';
  const { rows, notes } = await readOrder(
    anOrder({ version: '09', blocks: [{ transactions: [aTransaction({ after: added })] }] }),
  );
  expect([rows.length, notes]).toEqual([1, ['not_carried_out SplmtryData', 'debtor_not_used Dbtr']]);
});

import { describe, expect, test } from 'vitest';
import { proposeReading } from '../../application/payment-file/propose-reading.ts';
import { SHEET_LIMITS } from '../../application/sheets/sheet.ts';
import { type Profile, withColumns } from '../../domain/import-profiles/profile.ts';
import type { Cells } from '../../domain/payment-file/raw-row.ts';

/** What a person is asked about a sheet. */
export async function proposalOf(
  lines: readonly string[],
  profile: Profile | null = null,
  known: readonly Profile[] = [],
) {
  const file = Buffer.from(`${lines.join('\n')}\n`);
  const { proposal } = await proposeReading({ file, profile, known, wanted: {} }, SHEET_LIMITS);
  return proposal;
}

const SUPPLIERS = ['Supplier,Invoice,Amount EUR,IBAN', 'Nordlicht GmbH,R-1,12.50,DE89370400440532013000'];

async function missingWith(constants: Cells) {
  const { profile } = await proposalOf(SUPPLIERS);
  const columns = Object.fromEntries(Object.entries(constants).map(([column, constant]) => [column, { constant }]));
  const { missingColumns } = await proposalOf(SUPPLIERS, withColumns(profile, columns));
  return missingColumns;
}

describe('what rows need for what they say in others is asked at once', () => {
  test.each([
    ['the account that a bank transfer funds from', { funding_method: 'BANK_TRANSFER' }, 'funding_bank_account_number'],
    ['more about a purpose that says nothing', { purpose_of_transfer: 'OTHR' }, 'purpose_description'],
    ['the country that a payment to Indonesia is funded from', { beneficiary_country: 'ID' }, 'funding_country'],
  ])('%s', async (_, constants, column) => {
    expect(await missingWith({ funding_method: 'PAYNOW', purpose_of_transfer: 'SUPP' })).not.toContain(column);
    expect(await missingWith(constants)).toContain(column);
    expect(await missingWith({ ...constants, [column]: '123' })).not.toContain(column);
  });
});

test('a text for every row that says that something is missing is told before the sheet is submitted', async () => {
  const { profile } = await proposalOf(SUPPLIERS);
  const notesWith = async (text: string) => {
    const { notes } = await proposalOf(SUPPLIERS, withColumns(profile, { beneficiary_address: { constant: text } }));
    return notes.map(({ code, column, line }) => [code, column, line]);
  };
  expect(await notesWith('N/A')).toEqual([['placeholder', 'beneficiary_address', 0]]);
  expect(await notesWith('1 Harbor Way')).toEqual([]);
});

describe('the currency that is paid from', () => {
  const paidFrom = async (sellCurrency: string, lines: readonly string[]) => {
    const { profile: last } = await proposalOf(SUPPLIERS);
    const known = [withColumns(last, { sell_currency: { constant: sellCurrency } })];
    const { profile, columns } = await proposalOf(lines, null, known);
    const proposed = columns.find(({ column }) => column === 'sell_currency');
    const texts = proposed?.candidates.map(({ source, isSure }) => [source.constant, isSure]);
    return { texts, decided: profile.columns.sell_currency?.constant ?? null };
  };
  const usd = ['Vendor,Invoice #,Amount Due (USD),Account Number', 'Lakeside Tools LLC,A-1,12.50,1234567'];
  const usdCells = ['Vendor,Invoice #,Amount,Currency,Account Number', 'Lakeside Tools LLC,A-1,12.50,usd,1234567'];
  const two = [...usdCells, 'Nordlicht GmbH,A-2,12.50,EUR,1234568'];

  test('is as in the last approved run where nothing speaks against it', async () => {
    expect(await paidFrom('USD', usd)).toEqual({ texts: [['USD', false]], decided: 'USD' });
    expect(await paidFrom('EUR', two)).toEqual({ texts: [['EUR', false]], decided: 'EUR' });
  });

  test.each([
    ['header', usd],
    ['cells', usdCells],
  ])('is left to a person where the amounts have another one, by their %s', async (_, lines) => {
    expect(await paidFrom('EUR', lines)).toEqual({
      texts: [
        ['USD', false],
        ['EUR', false],
      ],
      decided: null,
    });
  });
});

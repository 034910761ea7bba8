import { describe, expect, it } from 'vitest';
import { openPaymentFile } from '../../application/payment-file/open-payment-file.ts';
import { UnreadableFile } from '../../application/payment-file/file-problem.ts';
import { proposeReading } from '../../application/payment-file/propose-reading.ts';
import { SHEET_LIMITS } from '../../application/sheets/sheet.ts';
import { exceptionsOf, rowsOf } from './payment-files.ts';
import { anOrder } from './sheets/an-order.ts';
import { readRows } from '../../application/payment-file/read-rows.ts';
import { type Profile, profileSchema, withColumns } from '../../domain/import-profiles/profile.ts';
import { aRow } from '../../fixtures/payment-rows.ts';
import { allOf } from './payment-files.ts';
import { workbookOf } from './sheets/make-workbook.ts';
import { germanProfile, germanRow, germanSheet, germanText } from '../helpers/german-sheet.ts';

const ROWS = [germanRow(aRow(1)), germanRow(aRow(2))];
const NAMES = ROWS.map((row) => row.beneficiary_company_name);
const PROFILE = germanProfile(aRow(1));
const TITLED = { ...PROFILE, reading: { ...PROFILE.reading, headerLine: 2 } };
/** Two lines that look like headers: the first one is proposed. */
const TITLES = 'Nr;Name;Konto;Summe\r\n';

async function namesOf(file: Uint8Array, known: Profile[]): Promise<(string | undefined)[]> {
  const opened = await openPaymentFile({ file, profile: null, known, rowNumbers: null });
  const batches = await allOf(readRows(opened));
  return batches.flat().map(({ cells }) => cells.beneficiary_company_name);
}

const problemOf = async (file: Uint8Array, known: Profile[]): Promise<string> => {
  const trouble = await namesOf(file, known).catch((error: unknown) => error);
  if (!(trouble instanceof UnreadableFile)) return expect.unreachable('it was read');
  return trouble.fileProblem.code;
};

const sheetData = (table: string[][]): string => {
  const cellOf = (cell: string) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
  return `<sheetData>${table.map((row) => `<row>${row.map(cellOf).join('')}</row>`).join('')}</sheetData>`;
};

/** As a person decides it: what an order does not have is the same for all of its rows. */
async function orderProfile(reading: { sheetName?: string }): Promise<Profile> {
  const { proposal } = await proposeReading({ file: anOrder(), profile: null, known: [], wanted: {} }, SHEET_LIMITS);
  const { profile } = proposal;
  const filled = withColumns(profile, {
    purpose_of_transfer: { from: ['purpose_of_transfer'], constant: 'SUPP' },
    payment_reference: { from: ['payment_reference'], constant: 'Invoice' },
    funding_source: { constant: 'COMPANY_BANK_ACCOUNT' },
    funding_method: { constant: 'PAYNOW' },
  });
  return profileSchema.parse({ ...filled, reading });
}

describe('a file without a profile, of which one for its headers is known', () => {
  it('is read by it, in the encoding that was chosen then', async () => {
    expect(await namesOf(germanSheet(ROWS), [germanProfile(aRow(1), 'Summe'), PROFILE])).toEqual(NAMES);
  });

  it('reads it in the encoding that it says itself', async () => {
    expect(await namesOf(Buffer.from(germanText(ROWS)), [PROFILE])).toEqual(NAMES);
    // Headers that are the same in every encoding do not tell.
    const plainly = (text: string) => text.replaceAll('Empfänger', 'Empfaenger');
    const titled = profileSchema.parse(JSON.parse(plainly(JSON.stringify(TITLED))));
    expect(await namesOf(Buffer.from(TITLES + plainly(germanText(ROWS))), [titled])).toEqual(NAMES);
  });

  it('is read below titles of any number', async () => {
    for (const titles of ['Lieferanten;;;\r\n\r\n', 'Lieferanten November;;;\r\n']) {
      const file = Buffer.concat([Buffer.from(titles), germanSheet(ROWS)]);
      expect(await namesOf(file, [{ ...PROFILE, reading: { ...PROFILE.reading, headerLine: null } }])).toEqual(NAMES);
    }
  });

  it('is no block of an order, of which a person chooses one each time', async () => {
    const profile = await orderProfile({ sheetName: 'BLOCK-1' });
    expect(await problemOf(anOrder({ blocks: [{}, {}] }), [profile])).toBe('block_not_chosen');
  });

  it('is an order of one block, however it is called, and what was not paid of it', async () => {
    const profile = await orderProfile({});
    const paid = ['Nordlicht Werkzeuge GmbH'];
    expect(await namesOf(anOrder({ blocks: [{ id: 'DECEMBER' }] }), [profile])).toEqual(paid);
    const { rows, header } = await rowsOf(anOrder(), { profile });
    expect(await namesOf(Buffer.from(await exceptionsOf({ rows, header })), [profile])).toEqual(paid);
  });

  it('is the sheet of a workbook that is known; of two known ones, a person chooses', async () => {
    const cells = germanText(ROWS)
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(';'));
    const summed = cells.map((row) => row.map((cell) => (cell === 'Betrag' ? 'Summe' : cell)));
    const file = workbookOf({ sheets: { Januar: sheetData(cells), Februar: sheetData(summed) } });
    const of = (sheetName: string, amounts: string): Profile => {
      const profile = germanProfile(aRow(1), amounts);
      return { ...profile, reading: { ...profile.reading, encoding: null, delimiter: null, sheetName } };
    };
    expect(await namesOf(file, [of('Januar', 'Betrag'), of('Februar', 'Betrag')])).toEqual(NAMES);
    expect(await problemOf(file, [])).toBe('sheet_not_chosen');
    expect(await problemOf(file, [of('Januar', 'Betrag'), of('Februar', 'Summe')])).toBe('sheet_not_chosen');
  });

  it('is refused where it has other headers, or an encoding that nobody chose', async () => {
    expect(await problemOf(germanSheet(ROWS, 'Summe'), [PROFILE])).toBe('unknown_header');
    const open = { ...PROFILE, reading: { ...PROFILE.reading, encoding: null } };
    expect(await problemOf(germanSheet(ROWS), [open])).toBe('unknown_header');
  });
});

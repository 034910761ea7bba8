import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Profile, profileSchema } from '../../domain/import-profiles/profile.ts';
import { aRun } from '../server/application-records.ts';
import { rowsOf, troubleOf } from '../application/payment-files.ts';
import { aCommandLine } from './cli-harness.ts';

/** As a German program exports it: titles, semicolons, windows-1252, a decimal comma and a sum. */
const SHEET = Buffer.from(
  [
    'Zahlungsliste November;;;;;',
    '',
    'Rechnungsnr.;Lieferant;IBAN;Betrag EUR;Fällig am;Notiz',
    'R-1001;Müller GmbH;DE89 3704 0044 0532 0130 00;1.250,00;03.12.2026;',
    'R-1002;Straßenbau AG;DE02 1203 0000 0000 2020 51;99,50;15.12.2026;eilt',
    'Summe;;;1.349,50;;',
    '',
  ].join('\r\n'),
  'latin1',
);

/** What the sheet does not say, and every row needs. */
const SAME_FOR_ALL = [
  ...['amount_side=buy', 'sell_currency=USD', 'purpose_of_transfer=SUPP', 'funding_source=COMPANY_BANK_ACCOUNT'],
  ...['funding_method=PAYNOW', 'bank_name=Hansebank'],
].flatMap((decision) => ['--set', decision]);

async function aPreparing() {
  const harness = await aCommandLine({});
  await writeFile(join(harness.folder, 'lieferanten.csv'), SHEET);
  const profile = async (): Promise<Profile> =>
    profileSchema.parse(JSON.parse(await readFile(join(harness.folder, 'lieferanten.profile.json'), 'utf8')));
  return { ...harness, profile };
}

describe('prepare', () => {
  it('shows how a sheet would be read and what is to be decided; nothing is submitted', async () => {
    const { application, run, profile } = await aPreparing();
    const { code, stdout, stderr } = await run(['prepare', 'lieferanten.csv']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const said of [
      'cells separated by semicolons, headers in line 3, 2 rows',
      'Line 1 is no payment: it is above the headers.',
      'Line 6 is no payment:',
      'amount                       "Betrag EUR"',
      'not read                     "Fällig am", "Notiz"',
      'Left empty, and may be filled:\n  --from "pay_on=Fällig am"',
      '--encoding windows-1252: Rechnungsnr.;Lieferant',
      'amount_side                  "buy" in every row',
      'sell_currency: nothing fills it',
    ]) {
      expect(stdout).toContain(said);
    }
    expect((await profile()).reading.encoding).toBeNull();
    expect(await troubleOf(SHEET, { profile: await profile() })).toMatchObject({ code: 'encoding_not_chosen' });
    expect(application.submissions).toEqual([]);
  });

  it('writes what was decided to a profile, by which the file is submitted', async () => {
    const { application, run, profile } = await aPreparing();
    const decisions = ['--encoding', 'windows-1252', ...SAME_FOR_ALL];
    const first = await run(['prepare', 'lieferanten.csv', ...decisions]);
    expect(first.stdout).toContain('To submit: payrun submit lieferanten.csv --profile lieferanten.profile.json');
    const { rows, notes } = await rowsOf(SHEET, { profile: await profile() });
    expect(rows.map(({ line, cells: { row_ref: ref, amount, bank_iban: iban } }) => [line, ref, amount, iban])).toEqual(
      [
        [4, 'R-1001', '1250.00', 'DE89370400440532013000'],
        [5, 'R-1002', '99.50', 'DE02120300000000202051'],
      ],
    );
    expect(rows[1]?.cells).toMatchObject({ beneficiary_company_name: 'Straßenbau AG', buy_currency: 'EUR' });
    expect(notes.listed).toMatchObject([1, 6].map((line) => ({ line, code: 'row_left_out' })));
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const { code } = await run(['submit', 'lieferanten.csv', '--profile', 'lieferanten.profile.json', '--no-wait']);
    expect(code).toBe(0);
    expect(application.submissions[0]?.submission.profile).toEqual(await profile());
  });

  it('does not say to submit a file whose rows have problems, which it names by the headers of the sheet as well', async () => {
    const { run, folder } = await aPreparing();
    const sheet = SHEET.toString('latin1').replace('1.250,00', '1.250,0O').replace('1.349,50', '');
    await writeFile(join(folder, 'lieferanten.csv'), Buffer.from(sheet, 'latin1'));
    const decisions = [
      '--encoding',
      'windows-1252',
      ...SAME_FOR_ALL,
      '--from',
      'amount=Betrag EUR',
      '--amounts',
      '1.234,56',
    ];
    const { stdout } = await run(['prepare', 'lieferanten.csv', ...decisions]);
    expect(stdout).toContain('line 4, column Betrag EUR (amount): "1.250,0O"');
    expect(stdout).toContain('Rows that are shown have problems, so that the file would be refused.');
    expect(stdout).not.toContain('To submit:');
  });

  it('keeps what was decided when another encoding changes the letters of the headers', async () => {
    const { run, profile } = await aPreparing();
    // As nobody has chosen the encoding yet, it is proposed.
    await run([
      'prepare',
      'lieferanten.csv',
      ...SAME_FOR_ALL,
      '--encoding',
      'windows-1250',
      '--from',
      'pay_on=Fällig am',
    ]);
    const again = await run([
      ...['prepare', 'lieferanten.csv', '--profile', 'lieferanten.profile.json', '--encoding', 'iso-8859-5'],
    ]);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    const { columns, headers, reading } = await profile();
    expect(columns.pay_on?.from).toEqual(['Fфllig am']);
    expect(columns.amount_side?.constant).toBe('buy');
    expect({ headers: headers[4], encoding: reading.encoding }).toEqual({
      headers: 'Fфllig am',
      encoding: 'iso-8859-5',
    });
  });

  it('says that the sheet was read alike before', async () => {
    const { application, run, profile } = await aPreparing();
    await run(['prepare', 'lieferanten.csv', '--encoding', 'windows-1252', ...SAME_FOR_ALL]);
    application.knownProfiles.push(await profile());
    const { code, stdout } = await run(['prepare', 'lieferanten.csv', '--account', 'default']);
    expect(code).toBe(0);
    expect(stdout).toContain('It was read like this before: "lieferanten".');
    expect(stdout).toContain('To submit: payrun submit lieferanten.csv');
  });

  it('changes a profile that is there by what is decided now', async () => {
    const { run, profile } = await aPreparing();
    await run(['prepare', 'lieferanten.csv', '--encoding', 'windows-1252', ...SAME_FOR_ALL]);
    const again = await run([
      ...['prepare', 'lieferanten.csv', '--profile', 'lieferanten.profile.json'],
      ...['--from', 'payment_reference=Notiz', '--dates', '31.12.2026', '--set', 'amount_side=sell'],
    ]);
    expect(again.code).toBe(0);
    const { columns, reading, dateForm, ignored } = await profile();
    expect(columns.payment_reference?.from).toEqual(['Notiz']);
    expect(columns.amount_side?.constant).toBe('sell');
    expect({ encoding: reading.encoding, order: dateForm?.order, ignored }).toEqual({
      encoding: 'windows-1252',
      order: 'dmy',
      ignored: ['Fällig am'],
    });
  });

  it.each([
    [['--set', 'ammount=1'], 'There is no column "ammount"'],
    [['--from', 'amount=Betragg'], 'the file has no header "Betragg"'],
    [['--amounts', '12'], 'Write 1234.56'],
    [['--dates', '12.31'], 'Write 31 December 2026'],
  ])('%j is wrong input', async (options, said) => {
    const { run } = await aPreparing();
    const { code, stderr } = await run(['prepare', 'lieferanten.csv', ...options]);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });
});

describe('template', () => {
  it('writes a file for a currency and a country, and never over another one', async () => {
    const { run, folder } = await aCommandLine({});
    const args = ['template', '-o', 'new.csv', '--to', 'EUR', '--country', 'DE'];
    const { code, stderr } = await run(args);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Wrote new.csv. Replace its example row: where it says "fill in", only you know.\n',
    });
    expect(await readFile(join(folder, 'new.csv'), 'utf8')).toBe(
      'row_ref,buy_currency,bank_country\r\nINV-1,EUR,DE\r\n',
    );
    expect((await run(args)).code).toBe(2);
  });
});

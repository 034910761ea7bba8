import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aBookAccount } from '../server/fake-beneficiaries.ts';
import { aCommandLine } from './cli-harness.ts';

const SHEET = [
  'Lieferantennr.;Lieferant;Land;Währung;IBAN;BIC;Bank',
  '70012;Bäckerei Grün GmbH;DE;EUR;DE89 3704 0044 0532 0130 00;COBADEFFXXX;Commerzbank',
].join('\r\n');
const ID = aBookAccount().id;
const CALL = ['--called', 'Ada Ledger', '--number', '+49 40 1234', '--number-from', 'contract of 2024'];

async function aBook(...accounts: ReturnType<typeof aBookAccount>[]) {
  const harness = await aCommandLine({});
  harness.application.book = [{ key: 'S-1', names: ['Nordlicht GmbH'], accounts }];
  return harness;
}

describe('beneficiaries', () => {
  it('list and show tell the accounts, their states, and all that decides where the money goes', async () => {
    const paid = {
      ...{ currency: 'EUR', payments: 3, usualAmount: '100.00', lastAmount: '120.00' },
      ...{ lastAt: '2026-04-01T08:00:00.000Z', lastRunId: 'r' },
    };
    const { run } = await aBook(aBookAccount({ paid: [paid] }));
    const listed = await run(['beneficiaries', 'list', '--proposed']);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    for (const text of ['S-1', 'Nordlicht GmbH', 'DE89370400440532013000', 'proposed', '120.00 EUR (usual 100.00)'])
      expect(listed.stdout).toContain(text);
    const shown = await run(['beneficiaries', 'show', 'S-1']);
    expect(shown.stdout).toContain('bank_account_holder_name: Nordlicht GmbH');
    expect(await run(['beneficiaries', 'show', 'S-2'])).toMatchObject({ code: 2, stdout: '' });
    const json = await run(['beneficiaries', 'show', 'S-1', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ account: 'default', beneficiaries: [{ key: 'S-1' }] });
  });

  it('import reads a list with headers of others, in the encoding that is said', async () => {
    const { application, run, folder } = await aBook();
    await writeFile(join(folder, 'lieferanten.csv'), Buffer.from(SHEET, 'latin1'));
    const { code, stdout } = await run(['beneficiaries', 'import', 'lieferanten.csv', '--encoding', 'windows-1252']);
    expect(code).toBe(0);
    expect(stdout).toContain('1 added, 0 known already');
    expect(application.addedLines).toMatchObject([{ key: '70012', details: { companyName: 'Bäckerei Grün GmbH' } }]);
    expect(application.bookCalls).toEqual([{ account: null, source: 'import' }]);
  });

  it('import refuses with each problem, and adds nothing', async () => {
    const { application, run, folder } = await aBook();
    await writeFile(join(folder, 'lieferanten.csv'), SHEET.replace('EUR', 'E?'));
    const { code, stderr } = await run(['beneficiaries', 'import', 'lieferanten.csv']);
    expect(code).toBe(2);
    expect(stderr).toContain('bank_currency is not a currency code');
    expect(application.addedLines).toEqual([]);
  });

  it('prepare --for-book decides what its headers leave open, and its profile imports the list', async () => {
    const { application, run, folder } = await aBook();
    await writeFile(join(folder, 'list.csv'), SHEET.replace('Lieferantennr.', 'Unser Zeichen'));
    expect((await run(['beneficiaries', 'import', 'list.csv'])).code).toBe(2);
    const prepared = await run(['prepare', 'list.csv', '--for-book', '--from', 'beneficiary_key=Unser Zeichen']);
    expect(prepared.stdout).toContain('To import: payrun beneficiaries import list.csv --profile list.profile.json');
    const { code } = await run(['beneficiaries', 'import', 'list.csv', '--profile', 'list.profile.json']);
    expect(code).toBe(0);
    expect(application.addedLines).toMatchObject([{ key: '70012' }]);
  });

  it('confirm sends what was seen with who was called; half a call, or another account, is refused', async () => {
    const { application, run } = await aBook(
      aBookAccount(),
      aBookAccount({ id: ID.replace('b1', 'b2'), state: 'ended' }),
    );
    const note = ['--note', 'read back'];
    expect((await run(['beneficiaries', 'confirm', 'S-1', ID, ...note, '--called', 'Ada'])).code).toBe(2);
    expect((await run(['beneficiaries', 'confirm', 'S-1', ID.replace('b1', 'b2'), ...note, ...CALL])).code).toBe(2);
    expect(application.bookCalls).toEqual([]);
    const { code, stdout } = await run(['beneficiaries', 'confirm', 'S-1', ID, ...note, ...CALL]);
    expect(code).toBe(0);
    expect(stdout).toContain('1 confirmed, 0 rows released');
    expect(application.bookCalls).toEqual([
      {
        account: null,
        accounts: [{ id: ID, hash: 'b'.repeat(64) }],
        called: { person: 'Ada Ledger', number: '+49 40 1234', numberFrom: 'contract of 2024' },
        note: 'read back',
      },
    ]);
  });

  it('end names the accounts and the reason; export writes a file, and replaces none', async () => {
    const { application, run, folder } = await aBook(aBookAccount());
    expect((await run(['beneficiaries', 'end', ID, '--reason', 'another bank'])).stdout).toContain('1 ended');
    expect(application.bookCalls).toEqual([{ account: null, ids: [ID], reason: 'another bank' }]);
    expect((await run(['beneficiaries', 'export', '-o', 'book.csv'])).code).toBe(0);
    expect(await readFile(join(folder, 'book.csv'), 'utf8')).toContain('beneficiary_key');
    expect((await run(['beneficiaries', 'export', '-o', 'book.csv'])).code).not.toBe(0);
  });
});

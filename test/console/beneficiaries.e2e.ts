import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleStack, seriousFindings, startConsoleStack } from './console-stack.ts';
import { chooseSuppliers } from './german-sheet.ts';
import { submitFile } from './submit-file.ts';

/** The book of beneficiaries in the console: a list is imported, a second person confirms, and a held row leads to its account and back. */

let stack: ConsoleStack;
let mia: Page;
let chris: Page;

beforeAll(async () => {
  stack = await startConsoleStack();
  [mia, chris] = await Promise.all([stack.personNamed('Mia'), stack.personNamed('Chris')]);
});
afterAll(() => stack.stop());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function confirmAs(page: Page, note: string): Promise<void> {
  await button(page, 'Confirm …').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Whom you called' }).fill('Ada Ledger');
  await dialog.getByRole('textbox', { name: 'At which number' }).fill('+49 40 1234');
  await dialog.getByRole('textbox', { name: 'Where the number was known from before' }).fill('the contract of 2024');
  await dialog.getByRole('textbox', { name: 'What was compared' }).fill(note);
  expect(await seriousFindings(page)).toEqual([]);
  await button(page, 'Confirm the account').click();
  await dialog.waitFor({ state: 'detached' });
}

const [header = '', first = ''] = readFileSync(join(import.meta.dirname, '../../examples/payroll.csv'), 'utf8').split(
  '\n',
);

/** What the first row of the example says of the beneficiary, with this key and account. */
function lineOfBook(key: string, iban: string, more: Record<string, string> = {}): Record<string, string | undefined> {
  const names = header.split(',');
  const cells = first.split(',');
  const known = names.flatMap((name, index) => (/^(?:beneficiary|bank)_/.test(name) ? [[name, cells[index]]] : []));
  const currency = cells[names.indexOf('buy_currency')];
  return {
    ...(Object.fromEntries(known) as Record<string, string>),
    beneficiary_key: key,
    bank_iban: iban,
    bank_currency: currency,
    ...more,
  };
}

describe('the book of beneficiaries', () => {
  test('a list of suppliers is imported as payrun reads its headers', async () => {
    await mia.goto('/beneficiaries');
    await mia.getByText('The book is empty').waitFor();
    await mia.getByRole('link', { name: 'Import' }).click();
    await chooseSuppliers(mia);
    expect(await seriousFindings(mia)).toEqual([]);
    await button(mia, 'Add 2 accounts').click();
    await mia.getByText('2 accounts added, 0 known already').waitFor();
    await mia.getByRole('link', { name: 'Those that wait for a confirmation' }).click();
    await mia.getByRole('link', { name: '70012' }).click();
    await mia.getByRole('heading', { name: 'Bäckerei Grün GmbH' }).waitFor();
    expect(await button(mia, 'Confirm …').count()).toBe(0);
  });

  test('a second person finds it in the inbox, and confirms it with whom they called', async () => {
    await chris.goto('/inbox');
    await chris.getByRole('link', { name: '70012' }).click();
    await confirmAs(chris, 'read back the IBAN');
    await chris.getByText('Ada Ledger was called at +49 40 1234, known from the contract of 2024.').waitFor();
    expect(await seriousFindings(chris)).toEqual([]);
  });

  test('another account is confirmed beside the one that was known, and not without a call', async () => {
    await mia.reload();
    await mia.getByRole('link', { name: 'Add another account' }).click();
    await mia.getByRole('textbox', { name: 'IBAN' }).fill('DE12 5001 0517 0648 4898 90');
    await mia.getByRole('textbox', { name: 'Account holder' }).fill('Bäckerei Grün GmbH');
    await mia.getByRole('textbox', { name: 'Bank', exact: true }).fill('ING-DiBa');
    await mia.getByRole('textbox', { name: 'Currency' }).fill('EUR');
    await mia.getByRole('textbox', { name: 'Country of the bank' }).fill('D');
    await button(mia, 'Add it').click();
    await mia.getByText('Nothing was added').waitFor();
    await mia.getByRole('textbox', { name: 'Country of the bank' }).fill('DE');
    expect(await seriousFindings(mia)).toEqual([]);
    await button(mia, 'Add it').click();
    await mia.getByRole('region', { name: 'EUR DE12500105170648489890' }).waitFor();

    await chris.reload();
    await button(chris, 'Confirm …').click();
    const dialog = chris.getByRole('dialog');
    await dialog.getByText('This beneficiary had another account').waitFor();
    expect(await dialog.getByRole('checkbox').count()).toBe(0);
    expect(await dialog.getByRole('table').innerText()).toContain('DE89370400440532013000');
    await button(chris, 'Back').click();
    await button(chris, 'Reject …').click();
    await button(chris, 'Reject it').click();
    await chris.getByText('1 account that ended or were rejected').waitFor();
  });

  test('a held row leads to where its account is added, and its confirmation releases it', async () => {
    const buffer = Buffer.from(`${header}\n${first}\n`);
    const book = [lineOfBook('E-1', 'DE89370400440532013000')];
    await mia.goto('/beneficiaries/import');
    await mia
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'book.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(book)) });
    await button(mia, 'Add 1 account').click();
    await mia.getByText('1 account added, 0 known already').waitFor();
    await chris.goto('/inbox');
    await chris.getByRole('link', { name: 'E-1' }).click();
    await confirmAs(chris, 'the contract');

    await submitFile(mia, { name: 'held.csv', mimeType: 'text/csv', buffer });
    await mia.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
    const run = new URL(mia.url()).pathname;
    await mia
      .getByText(/unconfirmed/i)
      .first()
      .waitFor();
    await mia.goto(`${run}/rows?row=2`);
    await mia.getByRole('link', { name: 'Who has this name or account in the book' }).waitFor();
    expect(await seriousFindings(mia)).toEqual([]);
    await mia.getByRole('link', { name: 'Add this account to the book' }).click();
    await mia.getByRole('textbox', { name: 'Key, such as your supplier number' }).fill('E-1');
    await button(mia, 'Add it').click();
    await mia.getByRole('link', { name: 'held.csv, line 2' }).waitFor();

    await chris.goto(new URL(mia.url()).pathname + new URL(mia.url()).search);
    await confirmAs(chris, 'the payslip');
    await chris.getByRole('link', { name: 'held.csv, line 2' }).waitFor({ state: 'detached' });
    await mia.goto(`${run}/rows?row=2`);
    await mia.getByRole('dialog').getByText('Ready', { exact: true }).first().waitFor();
  });

  test('first accounts of several beneficiaries are confirmed in one act, those that are chosen', async () => {
    const ibans = {
      Hofer: 'DE12500105170648489890',
      Lindqvist: 'DE02120300000000202051',
      Okafor: 'DE02500105170137075030',
    };
    const list = Object.entries(ibans).map(([name, iban], index) =>
      lineOfBook(`L-${index}`, iban, { beneficiary_last_name: name, bank_account_holder_name: `Anneke ${name}` }),
    );
    const buffer = Buffer.from(JSON.stringify(list));
    await mia.goto('/beneficiaries/import');
    await mia
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'list.json', mimeType: 'application/json', buffer });
    await button(mia, 'Add 3 accounts').click();
    await mia.getByText('3 accounts added, 0 known already').waitFor();
    await mia.goto('/beneficiaries?state=proposed');
    await mia.getByRole('link', { name: 'L-0' }).waitFor();
    expect(await button(mia, 'Confirm several …').count()).toBe(0);

    await chris.goto('/beneficiaries?state=proposed&q=L-');
    await button(chris, 'Confirm several …').click();
    const dialog = chris.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'What was compared' }).fill('the signed list of suppliers');
    expect(await button(chris, 'Confirm them').isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'All 3' }).check();
    await dialog.getByRole('checkbox', { name: /L-1/ }).uncheck();
    expect(await seriousFindings(chris)).toEqual([]);
    await stack.picture(chris, 'confirm-several');
    await button(chris, 'Confirm 2 accounts').click();
    await dialog.waitFor({ state: 'detached' });
    await chris.getByRole('link', { name: 'L-0' }).waitFor({ state: 'detached' });
    expect(await chris.getByRole('link', { name: /^L-/ }).allInnerTexts()).toEqual(['L-1']);
    await chris.getByRole('link', { name: 'L-1' }).click();
    await confirmAs(chris, 'the signed list');
  });

  test('the browser had nothing to complain about', () => {
    expect(stack.complaints).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { seriousFindings } from './console-stack.ts';
import { chooseGermanSheet } from './german-sheet.ts';
import { submitFile } from './submit-file.ts';

const BROKEN = join(import.meta.dirname, '..', '..', 'examples', 'broken-payments.csv');
const TWO_SHEETS = join(import.meta.dirname, '..', 'application', 'sheets', 'files', 'two-sheets.xlsx');

async function useProfile(page: Page, profile: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Use a profile' }).click();
  await (await choosing).setFiles({
    name: 'lieferanten.profile.json',
    mimeType: 'application/json',
    buffer: Buffer.from(profile),
  });
}

/** A sheet that was not made for payrun, from the file to the run, without leaving the page. */
export function describeReadingASheet(people: () => { mia: Page }): void {
  let profile = '';

  describe('a German sheet of suppliers', () => {
    test('is read as payrun proposes, and what is not decided is named', async () => {
      const { mia } = people();
      await mia.goto('/runs/new');
      await chooseGermanSheet(mia);
      await mia.getByText('Line 8: its "Betrag EUR" is the sum of those above it').waitFor();
      const bar = mia.locator('.sticky-actions');
      expect(await bar.innerText()).toContain('Left to decide: the encoding of the file, amount_side');
      await expect(bar.getByRole('button', { name: 'Check and submit' }).isDisabled()).resolves.toBe(true);
      expect(await seriousFindings(mia)).toEqual([]);
      await mia.getByRole('radio', { name: 'windows-1252' }).click();
      await mia.getByRole('heading', { name: 'What fills each column' }).waitFor();
      for (const colorScheme of ['dark', 'light'] as const) {
        await mia.emulateMedia({ colorScheme });
        expect(await seriousFindings(mia)).toEqual([]);
      }
    });

    test('shows each decision in its first rows, until nothing is left to decide', async () => {
      const { mia } = people();
      for (const choice of ['amount_side is buy', 'purpose_of_transfer is SUPP', 'funding_method is PAYNOW']) {
        await mia.getByRole('button', { name: `${choice} in every row` }).click();
      }
      await mia.getByRole('button', { name: 'funding_source is COMPANY_BANK_ACCOUNT in every row' }).click();
      await mia.getByRole('radio', { name: '31.12.2026' }).click();
      // It counts without being left.
      await mia.getByRole('textbox', { name: 'Text of sell_currency for every row' }).fill('USD');
      await mia.getByText('Nothing is left to decide').waitFor();
      const line = await mia.getByRole('article', { name: 'Line 5' }).innerText();
      for (const text of ['1250.00', '2030-02-01', 'DE89370400440532013000']) expect(line).toContain(text);
    });

    test('reads a column from another header, and takes it back', async () => {
      const { mia } = people();
      await mia.getByRole('combobox', { name: 'Headers that fill payment_reference' }).click();
      await mia.getByRole('option', { name: 'Lieferant' }).click();
      const line = mia.getByRole('article', { name: 'Line 5' });
      await line.getByText('RE-2026/101 Bäckerei Grün GmbH').waitFor();
      await mia.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => line.innerText()).not.toContain('RE-2026/101 Bäckerei');
    });

    test('has a text before a reference, cells that are joined, and what its words mean', async () => {
      const { mia } = people();
      const line = mia.getByRole('article', { name: 'Line 5' });
      const rowOf = (name: string) => mia.getByRole('row').filter({ has: mia.getByText(name, { exact: true }) });
      const steps = rowOf('payment_reference').locator('summary');
      await mia.getByRole('combobox', { name: 'Headers that fill payment_reference' }).click();
      await mia.getByRole('option', { name: 'Lieferant' }).click();
      await line.getByText('RE-2026/101 Bäckerei Grün GmbH').waitFor();
      await mia.keyboard.press('Escape');
      await steps.press('Enter');
      await mia.getByRole('textbox', { name: 'Text between the cells of payment_reference' }).fill(' / ');
      await mia.keyboard.press('Enter');
      await line.getByText('RE-2026/101 / Bäckerei Grün GmbH').waitFor();
      await mia.getByRole('textbox', { name: 'Text before payment_reference' }).fill('Invoice ');
      await mia.keyboard.press('Enter');
      await line.getByText('Invoice RE-2026/101 / Bäckerei Grün GmbH').waitFor();
      await rowOf('bank_country').locator('summary').press('Enter');
      await mia.getByRole('textbox', { name: 'Text of the sheet for bank_country' }).fill('DE');
      await mia.getByRole('textbox', { name: 'What that text means as bank_country' }).fill('AT');
      await mia.getByRole('button', { name: 'Add a translation of bank_country' }).click();
      await mia.getByRole('textbox', { name: 'What “DE” means as bank_country' }).waitFor();
      await line.getByText('AT', { exact: true }).waitFor();
      expect(await seriousFindings(mia)).toEqual([]);
      for (let undone = 0; undone < 4; undone++) await mia.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => line.innerText()).not.toContain('Invoice');
    });

    test('is submitted as it was shown, and its profile is kept as a file', async () => {
      const { mia } = people();
      const downloading = mia.waitForEvent('download');
      await mia.getByRole('button', { name: 'Download this profile' }).click();
      const download = await downloading;
      profile = readFileSync(await download.path(), 'utf8');
      expect(download.suggestedFilename()).toBe('lieferanten.profile.json');
      await mia.getByRole('textbox', { name: 'Text before payment_reference' }).fill('Bill ');
      // The button takes what is in the field, although nobody has left it before.
      await mia.getByRole('button', { name: 'Check and submit' }).click();
      await mia.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
      await mia.getByRole('heading', { name: 'lieferanten.csv' }).waitFor();
      await mia.goto(`${new URL(mia.url()).pathname}/rows`);
      await mia.getByRole('row').filter({ hasText: 'RE-2026/101' }).first().click();
      await mia.getByRole('dialog').getByText('Bill RE-2026/101').first().waitFor();
    });

    test('is read at once with that profile the next time, and can be corrected here', async () => {
      const { mia } = people();
      await mia.goto('/runs/new');
      await chooseGermanSheet(mia);
      await useProfile(mia, profile);
      await mia.getByText('Nothing is left to decide').waitFor();
      await mia.getByRole('button', { name: 'Correct it here' }).click();
      await mia.waitForURL(/\/drafts\//);
      await mia.getByRole('heading', { name: 'lieferanten.csv' }).waitFor();
    });
  });

  test('a refusal is shown, and gone once another file is chosen', async () => {
    const { mia } = people();
    await submitFile(mia, BROKEN);
    await mia.getByText(/problems: nothing was submitted/).waitFor();
    await mia.locator('input[type=file]').first().setInputFiles(TWO_SHEETS);
    await mia.getByRole('button', { name: 'Zahlungen' }).waitFor();
    expect(await mia.getByText(/nothing was submitted/).count()).toBe(0);
  });

  test('of a workbook one sheet is chosen; a profile for other headers says that it does not fit', async () => {
    const { mia } = people();
    await mia.goto('/runs/new');
    await mia.locator('input[type=file]').first().setInputFiles(TWO_SHEETS);
    await mia.getByRole('button', { name: 'Zahlungen' }).click();
    await mia.getByRole('article', { name: 'Line 2' }).waitFor();
    await useProfile(mia, profile);
    await mia.getByRole('heading', { name: 'lieferanten.profile.json does not fit this sheet' }).waitFor();
    await mia.getByRole('button', { name: 'Undo the last choice' }).click();
    await mia.getByRole('article', { name: 'Line 2' }).waitFor();
  });
}

import type { Page } from 'playwright-core';

/** As a German program exports it: title rows, semicolons, decimal commas, days that may be months, a row with the sum. */
const SHEET = [
  'Müller & Söhne GmbH;;;;;;;',
  'Zahlungsvorschlag Lieferanten;;;;;;;',
  '',
  'Rechnungsnr.;Lieferant;Land;IBAN;BIC;Bank;Betrag EUR;Zahltag',
  'RE-2026/101;Bäckerei Grün GmbH;DE;DE89 3704 0044 0532 0130 00;COBADEFFXXX;Commerzbank;1.250,00;01.02.2030',
  'RE-2026/102;Würth Möbel KG;DE;DE75 5121 0800 1245 1261 99;SOGEDEFFXXX;Société Générale;980,50;04.02.2030',
  'RE-2026/103;Käserei Jäger AG;DE;DE12 5001 0517 0648 4898 90;INGDDEFFXXX;ING-DiBa;12.400,75;05.02.2030',
  ';;;;;Summe;14.631,25;',
  '',
].join('\r\n');

const GERMAN_SHEET = {
  name: 'lieferanten.csv',
  mimeType: 'text/csv',
  // Of these letters, windows-1252 and Latin-1 are the same.
  buffer: Buffer.from(SHEET, 'latin1'),
};

/** Chooses it on the page of a new run, which proposes how it is read. */
export async function chooseGermanSheet(page: Page): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles(GERMAN_SHEET);
  await page.getByRole('heading', { name: 'How this sheet is read' }).waitFor();
}

/** As another one exports its suppliers, in UTF-8. */
const SUPPLIERS = [
  'Lieferantennr.;Lieferant;Land;Währung;IBAN;BIC;Bank',
  '70012;Bäckerei Grün GmbH;DE;EUR;DE89 3704 0044 0532 0130 00;COBADEFFXXX;Commerzbank',
  '70013;Würth Möbel KG;DE;EUR;DE75 5121 0800 1245 1261 99;SOGEDEFFXXX;Société Générale',
].join('\r\n');

/** Chooses it on the page that imports beneficiaries. */
export async function chooseSuppliers(page: Page): Promise<void> {
  const file = { name: 'lieferanten.csv', mimeType: 'text/csv', buffer: Buffer.from(SUPPLIERS) };
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.getByText('Nothing is left to decide').waitFor();
}

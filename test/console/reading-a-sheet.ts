import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { seriousFindings } from './console-stack.ts';

/** As a German program exports it: title rows, semicolons, decimal commas, days that may be months, a row with the sum. */
const SHEET = [
  'Müller & Söhne GmbH;;;;;;;',
  'Zahlungsvorschlag Lieferanten;;;;;;;',
  '',
  'Rechnungsnr.;Lieferant;Land;IBAN;BIC;Bank;Betrag EUR;Kostenstelle',
  'RE-2026/101;Bäckerei Grün GmbH;DE;DE89 3704 0044 0532 0130 00;COBADEFFXXX;Commerzbank;1.250,00;4100',
  'RE-2026/102;Würth Möbel KG;DE;DE75 5121 0800 1245 1261 99;SOGEDEFFXXX;Société Générale;980,50;4200',
  'RE-2026/103;Käserei Jäger AG;DE;DE12 5001 0517 0648 4898 90;INGDDEFFXXX;ING-DiBa;12.400,75;4100',
  ';;;;;Summe;14.631,25;',
  '',
].join('\r\n');

export const GERMAN_SHEET = {
  name: 'lieferanten.csv',
  mimeType: 'text/csv',
  // Of these letters, windows-1252 and Latin-1 are the same.
  buffer: Buffer.from(SHEET, 'latin1'),
};

/** A sheet that was not made for payrun, from the file to the run, without leaving the page. */
export function describeReadingASheet(people: () => { mia: Page }): void {
  describe('a German sheet of suppliers', () => {
    test('is read as payrun proposes, with what it says of the file', async () => {
      const { mia } = people();
      await mia.goto('/runs/new');
      await mia.locator('input[type=file]').first().setInputFiles(GERMAN_SHEET);
      await mia.getByRole('heading', { name: 'How this sheet is read' }).waitFor();
      await mia.pause();
    });
  });
}

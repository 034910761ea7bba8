import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

/** Sheets that were not made for payrun, by somebody who sees the page for the first time. Choosing the file and submitting count. */
const MOST_STEPS = 6;

/** With the addresses that the provider requires of companies in the United States. */
const US_PAYABLES = [
  'Vendor,Address,City,State,ZIP,Invoice #,Invoice Date,Due Date,Routing Number,Account Number,Amount Due (USD)',
  'Acme Tools Inc,1 Main Street,Austin,TX,73301,10045,11/03/2026,12/15/2030,021000021,000123456789,"1,250.00"',
  '"Blue River Supply, LLC",2 Oak Road,Denver,CO,80014,BR-2291,11/05/2026,12/18/2030,011401533,4455667788,980.50',
  'Canyon Freight Co,3 Elm Way,Reno,NV,89433,77-1203,11/09/2026,12/20/2030,026009593,998877665544,"12,400.75"',
];

/** Its day is a Saturday. */
const PAYROLL = [
  'Employee;IBAN;Net pay;Currency;Pay date',
  'Anna Berger;DE89 3704 0044 0532 0130 00;2.450,10;EUR;30.11.2030',
  'Jan de Vries;NL91 ABNA 0417 1643 00;3.120,00;EUR;30.11.2030',
];

export function describeFirstSheets(people: () => { mia: Page }): void {
  describe('a sheet that is brought in for the first time', () => {
    test.each([
      ['us-payables.csv', US_PAYABLES, ['bank_name'], ['10045', 'US', 'USD', 'SUPP', 'Acme Tools Inc']],
      ['payroll.csv', PAYROLL, ['payment_reference', 'bank_name'], ['30.11.2030-Anna-Berger', 'DE', 'PAYR', 'Berger']],
    ])('%s is submitted in at most six steps', async (name, lines, asked, shown) => {
      const { mia } = people();
      await mia.goto('/runs/new');
      let steps = 2;
      const buffer = Buffer.from(`${lines.join('\n')}\n`);
      await mia.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'text/csv', buffer });
      const bar = mia.locator('.sticky-actions');
      await bar.getByText('Left to decide').waitFor();
      const open = await mia.locator('tr[data-open=must] code').allInnerTexts();
      expect(open.toSorted()).toEqual(['funding_method', 'sell_currency', ...asked].toSorted());
      await mia.getByRole('button', { name: 'funding_method is PAYNOW in every row' }).click();
      steps += 1;
      const texts = { sell_currency: 'USD', payment_reference: 'Salary November 2030', bank_name: 'House bank' };
      for (const [column, text] of Object.entries(texts)) {
        if (column !== 'sell_currency' && !asked.includes(column)) continue;
        await mia.getByRole('textbox', { name: `Text of ${column} for every row` }).fill(text);
        steps += 1;
      }
      await mia.keyboard.press('Enter');
      await mia.getByText('Nothing is left to decide').waitFor();
      const first = await mia.getByRole('article', { name: 'Line 2' }).innerText();
      for (const text of shown) expect(first).toContain(text);
      expect(steps).toBeLessThanOrEqual(MOST_STEPS);
      await mia.getByRole('button', { name: 'Check and submit' }).click();
      await mia.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
      await mia.getByRole('heading', { name }).waitFor();
    });
  });
}

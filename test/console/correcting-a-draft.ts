import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type ConsoleStack, seriousFindings } from './console-stack.ts';
import { submitFile } from './submit-file.ts';

const PAYROLL = join(import.meta.dirname, '..', '..', 'examples', 'payroll.csv');

/** Two copies of one invoice in rows 3 and 5, another amount under the reference of row 2, and a credit memo in row 7. */
function sheetWithCopies(): Buffer {
  const [header = '', ...rows] = readFileSync(PAYROLL, 'utf8').trim().split('\n');
  const [one = '', two = '', three = '', four = ''] = rows.map((row) => row.replace('2026-04', '2031-08'));
  const withAmount = (row: string, amount: string): string => row.split(',').with(1, amount).join(',');
  const lines = [header, one, two, three, two, withAmount(one, '99.00'), withAmount(four, '-15.00'), ''];
  return Buffer.from(lines.join('\n'));
}

/** What a finance team corrects most: the same invoice twice, and what is no payment. */
export function describeCorrectingADraft(people: () => { mia: Page; stack: ConsoleStack }): void {
  describe('a draft', () => {
    test('says which rows are the same invoice, and offers to keep the first', async () => {
      const { mia, stack } = people();
      await submitFile(mia, { name: 'copies.csv', mimeType: 'text/csv', buffer: sheetWithCopies() });
      await mia.getByRole('button', { name: 'Correct it here' }).click();
      await mia.getByText('Rows 3 and 5', { exact: true }).waitFor();
      await mia.getByText('Rows 2 and 6', { exact: true }).first().waitFor();
      await mia
        .getByText(/is the same invoice: the same row_ref, beneficiary, account and amount/)
        .first()
        .waitFor();
      expect(await seriousFindings(mia)).toEqual([]);
      await stack.picture(mia, 'draft-copies');
    });

    test('offers to leave a credit memo out, and no value for it', async () => {
      const { mia } = people();
      expect(await mia.getByRole('button', { name: 'Set for it' }).count()).toBe(0);
      await mia.getByRole('button', { name: 'Leave out row 7' }).click();
      await mia.getByText('1 row removed, not saved').waitFor();
      await mia.getByRole('button', { name: 'Undo' }).click();
    });

    test('says that no copy is paid where all rows with problems are left out', async () => {
      const { mia } = people();
      await mia.getByRole('button', { name: 'Submit without 5 rows …' }).click();
      await mia.getByText('Rows 2, 3, 5 and 6 share their row_ref with another row').waitFor();
      await mia.getByRole('button', { name: 'Close' }).click();
    });

    test('keeps the first of each, once somebody chose so', async () => {
      const { mia } = people();
      await mia.getByRole('button', { name: 'Keep the first, leave out row 5' }).click();
      await mia.getByRole('button', { name: 'Keep the first, leave out row 6' }).first().click();
      await mia.getByRole('button', { name: 'Leave out row 7' }).click();
      await mia.getByRole('button', { name: 'Save and check' }).click();
      await mia.getByText('No problems are left').waitFor();
      await mia.getByText('Not submitted with the others: rows 5, 6 and 7.').waitFor();
      await mia.getByRole('button', { name: 'Submit the run …' }).click();
      await mia.getByRole('button', { name: 'Submit 3 rows' }).click();
      await mia.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
    });
  });
}

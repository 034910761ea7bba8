import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type ConsoleStack, seriousFindings } from './console-stack.ts';
import { submitFile } from './submit-file.ts';

const PAYROLL = join(import.meta.dirname, '..', '..', 'examples', 'payroll.csv');
const SECTIONS = [
  'Differences',
  'When rows are due',
  'What it is expected to cost',
  'Balances that it is paid from',
] as const;

/** The next payroll, after the one of the example was paid: more for everybody, and one of them is left out. */
function nextPayroll(change: (row: string, index: number) => string = (row) => row, more = ''): Buffer {
  const [header = '', ...rows] = readFileSync(PAYROLL, 'utf8').trim().split('\n');
  const changed = rows.slice(0, -1).map((row, index) => {
    const [ref = '', amount = '', ...rest] = row.split(',');
    return change([ref.replace('2026-04', '2027-01'), (Number(amount) * 1.5).toFixed(2), ...rest].join(','), index);
  });
  return Buffer.from([header + more, ...changed, ''].join('\n').replaceAll('April', 'July'));
}

/** What a checker is shown of a run before they decide: on the screen, on a telephone, on paper. */
export function describeReadingAProposal(people: () => { mia: Page; chris: Page; stack: ConsoleStack }): void {
  describe('a proposal', () => {
    let path = '';

    test('has its costs, its dates, its funds and the differences from the last paid run', async () => {
      const { mia, chris, stack } = people();
      await submitFile(mia, { name: 'payroll-july.csv', mimeType: 'text/csv', buffer: nextPayroll() });
      await mia.getByText('It waits for approval').waitFor();
      path = `${new URL(mia.url()).pathname}/decide`;
      await chris.goto(path);
      for (const name of SECTIONS) await chris.getByRole('table', { name, exact: true }).waitFor();
      const textOf = (name: string) => chris.getByRole('table', { name, exact: true }).innerText();
      expect(await textOf('Differences')).toContain('Anneke Vogt');
      expect(await textOf('When rows are due')).toContain('as soon as it is approved');
      expect(await textOf('What it is expected to cost')).toMatch(/USD to EUR/);
      expect(await textOf('Balances that it is paid from')).toMatch(/USD/);
      await chris.getByText(/the provider lately answered within \d+ ms/).waitFor();
      expect(await seriousFindings(chris)).toEqual([]);
      await stack.picture(chris, 'proposal');
    });

    test('is the same on a telephone', async () => {
      const { chris, stack } = people();
      const size = chris.viewportSize();
      await chris.setViewportSize({ width: 390, height: 844 });
      for (const name of SECTIONS) await chris.getByRole('table', { name, exact: true }).waitFor();
      expect(await chris.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      expect(await seriousFindings(chris)).toEqual([]);
      await stack.picture(chris, 'proposal-phone');
      if (size !== null) await chris.setViewportSize(size);
    });

    test('is printed without what one presses, as tables under their headers', async () => {
      const { chris, stack } = people();
      await chris.getByRole('button', { name: 'Print' }).waitFor();
      await chris.emulateMedia({ media: 'print' });
      for (const name of SECTIONS) await chris.getByRole('table', { name, exact: true }).waitFor();
      for (const away of ['button.mantine-Button-root', '.rail', '.top-bar', '.sticky-actions']) {
        for (const each of await chris.locator(away).all()) expect(await each.isVisible()).toBe(false);
      }
      // As wide as A4.
      const size = chris.viewportSize();
      await chris.setViewportSize({ width: 700, height: 1000 });
      await chris.getByRole('columnheader', { name: 'Of it fees' }).waitFor();
      expect(await chris.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(700);
      await stack.picture(chris, 'proposal-print');
      await chris.emulateMedia({ media: null });
      if (size !== null) await chris.setViewportSize(size);
    });

    test('says on which days banks are closed', async () => {
      const { mia, chris, stack } = people();
      const buffer = nextPayroll((row, index) => {
        const [ref = '', amount = '', ...rest] = row.split(',');
        // Other amounts, so that no row repeats one of the run that waits.
        const cells = [ref.replace('2027-01', '2027-02'), (Number(amount) + 7).toFixed(2), ...rest];
        return [...cells, index < 2 ? '2028-01-01' : '2028-01-04'].join(',');
      }, ',pay_on');
      await submitFile(mia, { name: 'payroll-later.csv', mimeType: 'text/csv', buffer });
      await mia.getByText('It waits for approval').waitFor();
      await chris.goto(new URL(mia.url()).pathname);
      const dates = chris.getByRole('table', { name: 'When rows are due' });
      await dates.getByText(/^Saturday, /).waitFor();
      await dates.getByText(/^closed: .*EUR.*, USD$/).waitFor();
      await stack.picture(chris, 'proposal-dates');
    });
  });
}

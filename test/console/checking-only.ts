import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { seriousFindings } from './console-stack.ts';

const PAYROLL = join(import.meta.dirname, '..', '..', 'examples', 'payroll.csv');

/** A file that is checked only, from its maker to a checker. */
export function describeCheckingOnly(people: () => { mia: Page; chris: Page }): void {
  describe('a file that is checked only', () => {
    test('is shown to its maker as for a decision, and to nobody in the inbox to decide on', async () => {
      const { mia, chris } = people();
      const [header = '', row = ''] = readFileSync(PAYROLL, 'utf8').trim().split('\n');
      const buffer = Buffer.from(`${header}\n${row.replace('PAY-2026-04', 'PAY-2026-09')}\n`);
      await mia.goto('/runs/new');
      await mia
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'checked-only.csv', mimeType: 'text/csv', buffer });
      await mia.getByRole('button', { name: 'Check only' }).click();
      await mia.locator('.page-head').getByText('Checked', { exact: true }).waitFor();
      await mia.getByRole('heading', { name: 'What it does' }).waitFor();
      expect(await seriousFindings(mia)).toEqual([]);
      const path = new URL(mia.url()).pathname;
      await mia.getByRole('link', { name: 'See what a decision is made on' }).click();
      await mia.getByRole('heading', { name: 'What stands out' }).waitFor();
      await chris.goto(path);
      await chris.locator('.page-head').getByText('Checked', { exact: true }).waitFor();
      for (const name of ['Decide', 'Send for approval …']) {
        await expect(chris.getByRole('button', { name }).count()).resolves.toBe(0);
      }
    });

    test('is in the inbox of its maker, who sends it for approval', async () => {
      const { mia, chris } = people();
      await mia.goto('/inbox');
      await mia.getByRole('heading', { name: 'Your runs that were checked, and not sent' }).waitFor();
      await mia.getByRole('link', { name: 'checked-only.csv' }).click();
      await mia.getByRole('button', { name: 'Send for approval …' }).click();
      await mia.getByRole('dialog').getByRole('button', { name: 'Send for approval' }).click();
      await mia.getByText('It waits for approval').waitFor();
      await chris.goto('/inbox');
      await chris.getByRole('link', { name: 'checked-only.csv' }).waitFor();
    });
  });
}

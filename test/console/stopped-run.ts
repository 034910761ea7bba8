import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { submitFile } from './submit-file.ts';

const PAYROLL = join(import.meta.dirname, '..', '..', 'examples', 'payroll.csv');

/** The example again: other references, and other amounts, so that no row is taken for one that was paid. */
function nextPayroll(): Buffer {
  const [header = '', ...lines] = readFileSync(PAYROLL, 'utf8').trim().split('\n');
  const rows = lines.map((line) => {
    const cells = line.replace('PAY-2026-04', 'PAY-2026-07').split(',');
    return cells.with(1, (Number(cells[1]) + 5).toFixed(2)).join(',');
  });
  return Buffer.from([header, ...rows, ''].join('\n'));
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

export function describeStoppedRun(people: () => { mia: Page; chris: Page }): void {
  let path = '';

  describe('what is decided without a network', () => {
    test('is refused at once, and not sent once there is one again', async () => {
      const { mia } = people();
      await submitFile(mia, { name: 'stopped.csv', mimeType: 'text/csv', buffer: nextPayroll() });
      await mia.getByText('It waits for approval').waitFor();
      path = new URL(mia.url()).pathname;
      const posted: string[] = [];
      mia.on('request', (request) => request.method() === 'POST' && posted.push(request.url()));
      await button(mia, 'More').click();
      await mia.getByRole('menuitem', { name: 'Withdraw the run' }).click();
      await mia.context().setOffline(true);
      await button(mia, 'Withdraw the run').click();
      await mia.getByText('No answer came').waitFor();
      await button(mia, 'Back').click();
      posted.length = 0;
      await mia.context().setOffline(false);
      await expect.poll(() => mia.evaluate('navigator.onLine')).toBe(true);
      await button(mia, 'More').click();
      await mia.getByRole('menuitem', { name: 'Withdraw the run' }).waitFor();
      await mia.keyboard.press('Escape');
      expect(posted).toEqual([]);
    });
  });

  describe('a run that is stopped', () => {
    test('goes on when two people have said so, and each of them was asked first', async () => {
      const { mia, chris } = people();
      await chris.goto(`${path}/decide`);
      await button(chris, 'Approve …').click();
      await button(chris, 'Approve 10 rows').click();
      await button(mia, 'Stop').click();
      await mia.getByRole('dialog').getByText('Nothing more is sent from now on.').waitFor();
      await button(mia, 'Stop the run').click();
      await mia
        .getByRole('dialog')
        .getByText(/^\d+ rows? will not be paid while the run is stopped\.$/)
        .waitFor();
      await button(mia, 'I have read it').click();
      await mia.getByText('This run is stopped').waitFor();
      await button(mia, 'Stop').waitFor({ state: 'detached' });

      await button(mia, 'Ask to lift the stop …').click();
      await button(mia, 'Ask to lift the stop').click();
      await mia.getByText('has asked to lift it').waitFor();
      await chris.goto(path);
      // Somebody who does not want it lifted takes the request back, and it is asked for again.
      await button(chris, 'Keep it stopped').click();
      await chris.getByRole('dialog').getByRole('button', { name: 'Keep it stopped' }).click();
      await button(mia, 'Ask to lift the stop …').click();
      await button(mia, 'Ask to lift the stop').click();
      await mia.getByText('has asked to lift it').waitFor();
      await button(chris, 'Lift the stop …').click();
      // Nothing goes on before the second person has answered the question.
      await chris.getByText('This run is stopped').waitFor();
      await button(chris, 'Lift the stop').click();
      await mia.getByText('This run is stopped').waitFor({ state: 'detached' });
      await mia.locator('.page-head').getByText('Paid', { exact: true }).waitFor();
    });
  });
}

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
  describe('a run that is stopped', () => {
    test('goes on when two people have said so, and each of them was asked first', async () => {
      const { mia, chris } = people();
      await submitFile(mia, { name: 'stopped.csv', mimeType: 'text/csv', buffer: nextPayroll() });
      await mia.getByText('It waits for approval').waitFor();
      const path = new URL(mia.url()).pathname;
      await chris.goto(`${path}/decide`);
      await button(chris, 'Approve …').click();
      await button(chris, 'Approve 10 rows').click();
      const asked: string[] = [];
      mia.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
      await button(mia, 'Stop').click();
      // Without a network it is said at once, and what was taken back is not sent once there is one again.
      await mia.context().setOffline(true);
      await button(mia, 'Stop the run').click();
      await mia.getByText('No answer came').waitFor();
      await button(mia, 'Back').click();
      const reconnected = mia.waitForRequest('**/api/v1/**');
      asked.length = 0;
      await mia.context().setOffline(false);
      await reconnected;
      await mia.goto(path);
      await button(mia, 'Stop').waitFor();
      expect(asked.filter((request) => request.startsWith('POST'))).toEqual([]);
      await button(mia, 'Stop').click();
      await button(mia, 'Stop the run').click();
      await mia.getByText('This run is stopped').waitFor();
      await button(mia, 'Stop').waitFor({ state: 'detached' });

      await button(mia, 'Ask to lift the stop …').click();
      await button(mia, 'Ask to lift the stop').click();
      await mia.getByText('has asked to lift it').waitFor();
      await chris.goto(path);
      // Somebody who does not want it lifted takes the request back, and it is asked for again.
      await button(chris, 'Keep it stopped').click();
      await button(chris, 'Keep it stopped').last().click();
      await button(mia, 'Ask to lift the stop …').click();
      await button(mia, 'Ask to lift the stop').click();
      await mia.getByText('has asked to lift it').waitFor();
      await button(chris, 'Lift the stop …').click();
      // Nothing goes on before the second person has answered the question.
      await chris.getByText('This run is stopped').waitFor();
      await button(chris, 'Lift the stop').click();
      await mia.getByText('This run is stopped').waitFor({ state: 'detached' });
      await mia.locator('.page-head').getByText('Paid', { exact: true }).waitFor({ timeout: 120_000 });
    });
  });
}

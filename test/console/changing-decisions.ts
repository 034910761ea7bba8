import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { comeBackLater } from './changing-answers.ts';
import { submitFile } from './submit-file.ts';

/** What a checker sees when that changes which they are about to decide on. The example payroll was paid before. */

const PAYROLL = join(import.meta.dirname, '..', '..', 'examples', 'payroll.csv');

/** Two payments to accounts that were never paid, and one that was made already. */
function changedPayroll(): Buffer {
  const [header = '', ...lines] = readFileSync(PAYROLL, 'utf8').trim().split('\n');
  const [again = '', , grace = '', rhys = ''] = lines;
  const rows = [
    grace.replace('33441122', '33441123').replace('2760.00', '2761.00'),
    rhys.replace('09087761', '09087762').replace('2415.75', '2416.75'),
    again,
  ].map((row) => row.replace('PAY-2026-04', 'PAY-2026-06'));
  return Buffer.from([header, ...rows, ''].join('\n'));
}

const LINE_OF_DUPLICATE = 4;

export function describeChangingDecisions(people: () => { mia: Page; chris: Page }): void {
  describe('a decision is about what was read', () => {
    let path = '';

    test('the answer to a warning that is gone is not the answer to another one', async () => {
      const { mia, chris } = people();
      await submitFile(mia, { name: 'changed.csv', mimeType: 'text/csv', buffer: changedPayroll() });
      await mia.getByText('It waits for approval').waitFor();
      path = new URL(mia.url()).pathname;
      await chris.goto(`${path}/decide`);
      await answerOne(chris, 'called the first one');
      await chris.getByText('1 warning to answer first').waitFor();
      await lookAtFirstRow(chris);
      await chris.getByText('Answered: “called the first one”').waitFor();
      await withoutFirstWarning(chris);
      await comeBackLater(chris);
      await chris.getByText('What stands out in the run has changed while you looked at it').waitFor();
      await chris.getByRole('button', { name: 'Show what it is now' }).click();
      await chris.getByText('1 warning to answer first').waitFor();
      expect(await chris.getByText('called the first one').count()).toBe(0);
      expect(await chris.getByRole('button', { name: 'Approve …' }).isDisabled()).toBe(true);
      await chris.unroute('**/review');
    });

    test('a run that changes under the dialog of its approval takes it away, and says so', async () => {
      const { chris } = people();
      await chris.goto(`${path}/decide`);
      for (const answer of ['called Grace', 'called Rhys']) await answerOne(chris, answer);
      await chris.getByRole('button', { name: 'Change', exact: true }).first().click();
      await answerOne(chris, 'called Grace again');
      await chris.getByRole('button', { name: 'Approve …' }).click();
      await chris.getByRole('button', { name: 'Approve 2 rows' }).waitFor();
      await chris.getByRole('dialog').getByText('called Grace again (1)').waitFor();
      await release(await chris.context().newPage(), `${path}/rows?row=${LINE_OF_DUPLICATE}`);
      await chris.getByText('The run has changed while you looked at it').waitFor();
      await chris.getByRole('dialog').waitFor({ state: 'detached' });
      await chris.getByRole('button', { name: 'Show what it is now' }).click();
      // The reason of the release is the answer to its warning; the others are as they were, and so are the answers.
      await chris.getByText('Answered: “called Grace again”').waitFor();
      await chris.getByText('Answered: “called Rhys”').waitFor();
    });
  });
}

async function answerOne(page: Page, answer: string): Promise<void> {
  await page.getByPlaceholder('How it was checked').first().fill(answer);
  await page.getByRole('button', { name: 'Save answer' }).first().click();
  await page.getByText(`Answered: “${answer}”`).waitFor();
}

/** Follows the link to the row of the first warning, which shows that row alone, and comes back. */
async function lookAtFirstRow(page: Page): Promise<void> {
  const link = page.locator('.finding a').first();
  const reference = await link.innerText();
  await link.click();
  await page.getByRole('row').filter({ hasText: reference }).waitFor();
  await page.getByText('1 row', { exact: true }).waitFor();
  await page.goBack();
}

/** What the server says once another run has paid the account that the first warning is about. */
async function withoutFirstWarning(page: Page): Promise<void> {
  await page.route('**/review', async (route) => {
    const response = await route.fetch();
    const review = (await response.json()) as { findings: { kind: string }[] };
    const first = review.findings.findIndex(({ kind }) => kind === 'account_changed');
    await route.fulfill({ response, json: { ...review, findings: review.findings.toSpliced(first, 1) } });
  });
}

async function release(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('button', { name: 'Release: it is to be paid all the same …' }).click();
  await page.getByLabel('Why they are to be paid all the same').fill('a bonus of the same amount');
  await page.getByRole('button', { name: 'Release 1 row' }).click();
  await page.getByRole('button', { name: 'Release 1 row' }).waitFor({ state: 'detached' });
  await page.close();
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeChangesOfUsers } from './changes-of-users.ts';
import { describeChangingCase } from './changing-case.ts';
import { describeChangingDay } from './changing-day.ts';
import { describeChangingDecisions } from './changing-decisions.ts';
import { describeCorrectingADraft } from './correcting-a-draft.ts';
import { describeEndingSessions } from './ending-sessions.ts';
import { describeCheckingOnly } from './checking-only.ts';
import { describeReadingAProposal } from './reading-a-proposal.ts';
import { describeReadingASheet } from './reading-a-sheet.ts';
import { describeStoppedRun } from './stopped-run.ts';
import { submitFile } from './submit-file.ts';
import { type ConsoleStack, seriousFindings, startConsoleStack } from './console-stack.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');
const PAYROLL_ROWS = 10;

let stack: ConsoleStack;
let mia: Page;
let chris: Page;
let ada: Page;

beforeAll(async () => {
  stack = await startConsoleStack();
  [mia, chris, ada] = await Promise.all([
    stack.personNamed('Mia'),
    stack.personNamed('Chris'),
    stack.personNamed('Ada'),
  ]);
});
afterAll(() => stack.stop());

describe('the console', () => {
  let runPath = '';

  test('a maker submits a file, and sees that it waits for approval', async () => {
    await submitFile(mia, join(EXAMPLES, 'payroll.csv'));
    await mia.getByText('It waits for approval').waitFor();
    runPath = new URL(mia.url()).pathname;
    expect(runPath).toMatch(/^\/runs\/[0-9a-f-]{36}$/);
    await expect(mia.getByRole('button', { name: 'Decide' }).count()).resolves.toBe(0);
  });

  test('the maker cannot approve: the page says why', async () => {
    await mia.goto(`${runPath}/decide`);
    await mia.getByRole('region', { name: 'Decision' }).waitFor();
    await expect(mia.getByRole('button', { name: 'Approve …' }).count()).resolves.toBe(0);
  });

  test('a checker finds it in the inbox, and approves exactly what they saw', async () => {
    await chris.goto('/inbox');
    await chris.getByRole('link', { name: 'payroll.csv' }).click();
    await chris.getByRole('heading', { name: 'What stands out' }).waitFor();
    await chris.getByRole('button', { name: 'Approve …' }).click();
    await chris.getByRole('button', { name: `Approve ${PAYROLL_ROWS} rows` }).click();
    await chris.getByText(/Approved: recorded/).waitFor();
    await expect.poll(() => chris.locator('.page-head').innerText()).not.toContain('Waits for approval');
    expect(await chris.getByRole('alert').allInnerTexts()).toEqual([]);
  });

  test('the maker sees it being paid without doing anything, and downloads the results', async () => {
    await mia.goto(runPath);
    await mia.getByText('Approved by Chris Checker').first().waitFor();
    await mia.locator('.page-head').getByText('Paid', { exact: true }).waitFor();
    await expect(mia.getByRole('button', { name: 'Stop' }).count()).resolves.toBe(0);
    await mia.getByRole('button', { name: 'Download' }).click();
    const downloading = mia.waitForEvent('download');
    await mia.getByRole('menuitem', { name: /Results/ }).click();
    const content = readFileSync(await (await downloading).path(), 'utf8');
    expect(content.trim().split('\n')).toHaveLength(PAYROLL_ROWS + 1);
  });

  test('every row is there, and opens with what became of it', async () => {
    await mia.goto(`${runPath}/rows`);
    await mia.getByRole('row').filter({ hasText: 'PAY-2026-04-03' }).click();
    const panel = mia.getByRole('dialog');
    await panel.getByText('Fund took effect').waitFor();
    expect(new URL(mia.url()).searchParams.get('row')).toBe('4');
  });

  test('a broken file is shown by cause, corrected in its cells, and submitted', async () => {
    const [header = '', ...rows] = readFileSync(join(EXAMPLES, 'payroll.csv'), 'utf8').trim().split('\n');
    const wrong = rows.slice(0, 3).map((row, index) => {
      const cells = row.replace(/^PAY-2026-04/, 'PAY-2026-05').split(',');
      return cells.with(1, index === 0 ? '1 250' : (cells[1] ?? '')).join(',');
    });
    const buffer = Buffer.from([header, ...wrong, ''].join('\n'));
    await submitFile(mia, { name: 'broken.csv', mimeType: 'text/csv', buffer });
    await mia.getByText(/problem.*nothing was submitted/).waitFor();
    await mia.getByRole('button', { name: 'Correct it here' }).click();
    const cell = mia.getByRole('textbox', { name: 'amount of row 2' });
    await cell.fill('1250.00');
    await cell.blur();
    await mia.getByRole('button', { name: 'Save and check' }).click();
    await mia.getByText('No problems are left').waitFor();
  });

  test('what was typed outlasts a removed row, and is submitted only once it is saved', async () => {
    await mia.getByText('All rows', { exact: true }).click();
    await mia.getByRole('textbox', { name: 'amount of row 2' }).fill('1250.01');
    await mia.getByRole('textbox', { name: 'amount of row 4' }).fill('1250.03');
    await mia.getByRole('button', { name: 'Save 2 changes first' }).waitFor();
    expect(await mia.getByRole('button', { name: 'Save 2 changes first' }).isDisabled()).toBe(true);
    await mia.getByRole('button', { name: 'Remove row 3' }).click();
    await mia.getByRole('button', { name: 'Put row 3 back' }).waitFor();
    await mia.getByRole('link', { name: 'Inbox' }).first().click();
    await mia.getByRole('button', { name: 'Stay' }).click();
    expect(await mia.getByRole('textbox', { name: 'amount of row 4' }).inputValue()).toBe('1250.03');
    await mia.getByRole('button', { name: 'Save and check' }).click();
    await mia.getByText('1 row removed').waitFor();
    await mia.getByRole('button', { name: 'Submit the run …' }).click();
    await mia.getByText(/in no run: row 3/).waitFor();
    await mia.getByRole('button', { name: 'Submit 2 rows' }).click();
    await mia.getByRole('heading', { name: 'broken.csv' }).waitFor();
    await mia.waitForURL(/\/runs\//);
  });

  test('a checker rejects with a reason, and the maker reads it', async () => {
    await mia.getByText('It waits for approval').waitFor();
    const path = new URL(mia.url()).pathname;
    await chris.goto(`${path}/decide`);
    const largest = chris.getByRole('table', { name: /largest/i });
    for (const amount of ['1,250.01', '1,250.03']) await largest.getByText(amount).first().waitFor();
    await chris.getByRole('button', { name: 'Reject …' }).click();
    await chris.getByRole('button', { name: 'Wrong file' }).click();
    await chris.getByRole('button', { name: 'Reject the run' }).click();
    await mia.getByText('Rejected by Chris Checker').first().waitFor();
    await mia.getByText('“Wrong file”').waitFor();
  });
});

describeReadingAProposal(() => ({ mia, chris, stack }));
describeCheckingOnly(() => ({ mia, chris }));
describeReadingASheet(() => ({ mia }));
describeCorrectingADraft(() => ({ mia, stack }));
describeChangesOfUsers(() => ({ mia, ada }));
describeChangingCase(() => ({ chris }));
describeChangingDay(() => ({ chris }));
describeStoppedRun(() => ({ mia, chris }));
describeChangingDecisions(() => ({ mia, chris }));
describeEndingSessions(() => ({ mia, chris, ada }));

/** A few of them, in the state that the tests before have left: pages.long.ts has every page. */
const PAGES: readonly { of: () => Page; paths: readonly string[] }[] = [
  {
    of: () => chris,
    paths: ['/inbox', '/runs', '/reconciliation', '/operations/stops'],
  },
  { of: () => mia, paths: ['/runs/new'] },
  {
    of: () => ada,
    paths: ['/admin', '/operations/endpoints'],
  },
];

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  const cases = PAGES.flatMap(({ of, paths }) => paths.map((path) => [path, of] as const));
  test.each(cases)('nothing serious is wrong with %s', async (path, of) => {
    const page = of();
    await page.emulateMedia({ colorScheme });
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // A function that waits in the page would be evaluated there, which the policy forbids.
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
  });
});

test('no policy was violated, and no script failed', () => {
  expect(stack.complaints).toEqual([]);
});

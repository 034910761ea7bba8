import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleAddress } from '../../domain/users/sign-in-link.ts';
import { type ConsoleBrowser, openConsoleBrowser } from '../../fixtures/console/console-browser.ts';
import { submitBrokenFile } from './broken-file.ts';
import { seriousFindings } from './console-stack.ts';
import { type ExampleStack, startExampleStack } from './example-stack.ts';
import { type PageView, pageViews } from './page-views.ts';
import { consoleRoutes } from './routes.ts';

/** Every page of the router, with what the demo plays: what each must be in both widths and colours. */

const PHONE = { width: 390, height: 844 };
const LAPTOP = { width: 1440, height: 900 };
const LOGINS = ['mia', 'chris', 'tina', 'olivia', 'ada'];

let stack: ExampleStack;
let browser: ConsoleBrowser;
let views: PageView[];
const pages = new Map<string | null, Page>();

beforeAll(async () => {
  stack = await startExampleStack(() => undefined);
  browser = await openConsoleBrowser();
  for (const login of LOGINS) pages.set(login, await browser.signedIn(await stack.linkOf(login)));
  pages.set(null, await (await browser.newContext(consoleAddress(stack.url))).newPage());
  await submitBrokenFile(pageOf('mia'));
  views = await pageViews(consoleRoutes(), stack);
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

function pageOf(login: string | null): Page {
  const page = pages.get(login);
  if (page === undefined) throw new Error(`${login ?? 'nobody'} has no page`);
  return page;
}

async function open({ login, path, act }: PageView): Promise<Page> {
  const page = pageOf(login);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  // A function that waits in the page would be evaluated there, which the policy forbids.
  await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
  await act?.(page);
  return page;
}

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  test.each([
    ['a laptop', LAPTOP],
    ['a phone', PHONE],
  ])('nothing serious is wrong with any page on %s, and none scrolls sideways', async (_what, size) => {
    const wrong: string[] = [];
    for (const view of views) {
      const page = pageOf(view.login);
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      await open(view);
      for (const finding of await seriousFindings(page)) wrong.push(`${view.name}: ${finding}`);
      const excess = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      if (excess > 0) wrong.push(`${view.name}: scrolls sideways by ${excess} px`);
    }
    expect(wrong).toEqual([]);
  });
});

test('with the colours of the system, buttons have borders and states their words', async () => {
  const page = pageOf('chris');
  await page.setViewportSize(LAPTOP);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`/runs/${stack.runs.waiting}/decide`);
  const button = page.getByRole('button', { name: 'Approve …' });
  await button.waitFor();
  const border = await button.evaluate(
    (element) => (globalThis as unknown as StyledWindow).getComputedStyle(element).borderTopStyle,
  );
  expect(border).toBe('solid');
  await page.locator('.page-head').getByText('Waits for approval').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.emulateMedia({ forcedColors: 'none' });
});

test('the proposal is printed without menus and buttons', async () => {
  const page = pageOf('chris');
  await page.goto(`/runs/${stack.runs.waiting}/decide`);
  await page.getByRole('button', { name: 'Approve …' }).waitFor();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation').first().isVisible()).resolves.toBe(false);
  await expect(page.getByRole('button', { name: 'Approve …' }).isVisible()).resolves.toBe(false);
  await expect(page.getByRole('heading', { level: 1 }).isVisible()).resolves.toBe(true);
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  await page.emulateMedia({ media: null });
});

/** Of the browser, whose types this project does not have. */
interface StyledWindow {
  getComputedStyle: (element: unknown) => { borderTopStyle: string };
}

const MOST_TABS = 120;

/** Moves the focus by the Tab key alone. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let pressed = 0; pressed < MOST_TABS; pressed += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(
      `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''`,
    );
    if (focused.trim() === name) return;
  }
  throw new Error(`the Tab key does not reach "${name}"`);
}

test('a run is approved by the keyboard alone', async () => {
  const page = pageOf('chris');
  await page.goto(`/runs/${stack.runs.waiting}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Waits for approval').first().waitFor();
  await tabTo(page, 'Decide');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Approve …' }).waitFor();
  await tabTo(page, 'Approve …');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await tabTo(page, 'Approve 10 rows');
  await page.keyboard.press('Enter');
  await page.getByText(/Approved: recorded/).waitFor();
});

test('no policy was violated, and no script failed', () => {
  expect(browser.complaints).toEqual([]);
});

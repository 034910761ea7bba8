import { mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { type ConsoleBrowser, openConsoleBrowser } from '../../fixtures/console/console-browser.ts';
import { consoleAddress } from '../../domain/users/sign-in-link.ts';
import { submitBrokenFile } from './broken-file.ts';
import { type ExampleStack, startExampleStack } from './example-stack.ts';
import { type PageView, pageViews } from './page-views.ts';
import { consoleRoutes } from './routes.ts';

/** `npm run screenshots -- --out FOLDER`: pictures of every page of the console, and those that README shows. */

const WIDTHS = { 1440: 900, 390: 844 } as const;
const COLOURS = ['light', 'dark'] as const;
const README_PICTURES = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
/** View by the name of its picture, in light colours at 1440. */
const CHOSEN: Readonly<Record<string, string>> = {
  'runs-run-decide': 'decide',
  'runs-run': 'run',
  treasury: 'treasury',
  'onboarding-case': 'onboarding',
};
const MOST_BYTES = 150_000;

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'pictures' },
    only: { type: 'string' },
    readme: { type: 'boolean', default: false },
  },
});
const report = (line: string): void => void process.stderr.write(`${line}\n`);
const out = resolve(values.out);
mkdirSync(out, { recursive: true });
const stack = await startExampleStack(report);
const browser = await openConsoleBrowser();
try {
  const pages = await signInAll(stack, browser);
  await submitBrokenFile(pages.get('mia') as Page);
  const views = await pageViews(consoleRoutes(), stack);
  const wanted = views.filter(({ name }) => values.only === undefined || name.includes(values.only));
  for (const view of wanted) await takeView(view, pages);
  report(`${wanted.length} views, each in two widths and colours, are in ${out}`);
  for (const complaint of browser.complaints) report(`the browser complained: ${complaint}`);
  process.exitCode = browser.complaints.length === 0 ? 0 : 1;
} finally {
  await browser.close();
  await stack.stop();
}

async function signInAll(example: ExampleStack, { signedIn, newContext }: ConsoleBrowser): Promise<Map<string, Page>> {
  const found = new Map<string, Page>();
  const options = { locale: 'en-GB', reducedMotion: 'reduce' } as const;
  for (const login of ['mia', 'chris', 'tina', 'olivia', 'ada']) {
    found.set(login, await signedIn(await example.linkOf(login), options));
  }
  const nobody = await newContext(consoleAddress(example.url), options);
  found.set('', await nobody.newPage());
  return found;
}

async function takeView(view: PageView, pages: ReadonlyMap<string, Page>): Promise<void> {
  const page = pages.get(view.login ?? '');
  if (page === undefined) throw new Error(`nobody is signed in as ${view.login ?? 'nobody'}`);
  for (const [width, height] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width: Number(width), height });
    for (const colorScheme of COLOURS) {
      await page.emulateMedia({ colorScheme });
      await page.goto(view.path);
      await shown(page);
      await view.act?.(page);
      await sleep(300);
      const file = join(out, `${view.name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path: file, fullPage: true });
      if (values.readme && width === '1440' && colorScheme === 'light') await keepForReadme(view, page);
    }
  }
  report(view.name);
}

/** Nothing is being loaded. */
async function shown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const until = performance.now() + 30_000;
  while ((await page.locator('.skeleton, .grid-blank').count()) > 0 && performance.now() < until) await sleep(50);
}

async function keepForReadme({ name }: PageView, page: Page): Promise<void> {
  const chosen = CHOSEN[name];
  if (chosen === undefined) return;
  mkdirSync(README_PICTURES, { recursive: true });
  const path = join(README_PICTURES, `${chosen}.jpg`);
  await page.screenshot({ path, type: 'jpeg', quality: 72 });
  const { size } = statSync(path);
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MOST_BYTES}`);
}

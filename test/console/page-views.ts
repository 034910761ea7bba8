import type { Page } from 'playwright-core';
import type { ExampleStack } from './example-stack.ts';
import { chooseGermanSheet, chooseSuppliers } from './german-sheet.ts';

/** One view of the console: a page as somebody sees it. */
export interface PageView {
  /** In file names. */
  name: string;
  /** A login of an example user; null: nobody is signed in. */
  login: string | null;
  path: string;
  /** What is opened on the page. */
  act?: (page: Page) => Promise<void>;
}

/** Who sees the pages below a path; the first that fits. */
const READERS: readonly (readonly [path: string, login: string])[] = [
  ['/admin', 'ada'],
  ['/operations', 'ada'],
  ['/runs/new', 'mia'],
  ['/drafts', 'mia'],
  ['/beneficiaries/new', 'mia'],
  ['/beneficiaries/import', 'mia'],
  ['/treasury', 'tina'],
  ['/onboarding', 'olivia'],
  ['/', 'chris'],
];

/**
 * Every page of the router, with the examples that are there: a new page without parameters is taken up by itself, one with
 * a parameter if a table has the parameter as its key. @throws Error that names a page of which there is no example
 */
export async function pageViews(routes: readonly string[], stack: ExampleStack): Promise<PageView[]> {
  const views: PageView[] = [];
  for (const route of routes) {
    const login = READERS.find(([path]) => route.startsWith(path))?.[1] ?? null;
    views.push({ name: nameOf(route), login, path: await exampleOf(route, stack) });
  }
  return [...views, ...stateViews(stack)];
}

/** What the routes do not name: states of their pages. */
function stateViews({ runs }: ExampleStack): PageView[] {
  return [
    { name: 'sign-in', login: null, path: '/' },
    { name: 'no-such-page', login: 'chris', path: '/nowhere' },
    { name: 'no-such-run', login: 'chris', path: '/runs/00000000-0000-7000-8000-000000000000' },
    { name: 'runs-none-fit', login: 'chris', path: '/runs?q=nothing-has-this-name' },
    { name: 'run-waiting', login: 'chris', path: `/runs/${runs.waiting}` },
    { name: 'run-waiting-maker', login: 'mia', path: `/runs/${runs.waiting}` },
    { name: 'decide-payroll', login: 'chris', path: `/runs/${runs.waiting}/decide` },
    { name: 'rows-row-open', login: 'chris', path: `/runs/${runs.paying}/rows?row=11` },
    { name: 'rows-none-fit', login: 'chris', path: `/runs/${runs.paying}/rows?q=nothing` },
    { name: 'runs-new-encoding', login: 'mia', path: '/runs/new', act: chooseGermanSheet },
    {
      name: 'runs-new-reading',
      login: 'mia',
      path: '/runs/new',
      act: async (page) => {
        await chooseGermanSheet(page);
        await page.getByRole('radio', { name: 'windows-1252' }).click();
        await page.getByRole('heading', { name: 'The first rows' }).waitFor();
      },
    },
    {
      name: 'beneficiaries-confirm',
      login: 'chris',
      path: '/beneficiaries/of/S-1042?account=default',
      act: async (page) => {
        await page.getByRole('button', { name: 'Confirm …' }).click();
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'beneficiaries-import-reading',
      login: 'mia',
      path: '/beneficiaries/import',
      act: chooseSuppliers,
    },
    { name: 'inbox-maker', login: 'mia', path: '/inbox' },
    { name: 'inbox-treasurer', login: 'tina', path: '/inbox' },
    { name: 'inbox-onboarder', login: 'olivia', path: '/inbox' },
    { name: 'inbox-administrator', login: 'ada', path: '/inbox' },
    {
      name: 'decide-approve-dialog',
      login: 'chris',
      path: `/runs/${runs.waiting}/decide`,
      act: async (page) => {
        await page.getByRole('button', { name: 'Approve …' }).click();
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'search-dialog',
      login: 'chris',
      path: '/inbox',
      act: async (page) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').waitFor();
        await page.keyboard.type('payroll');
      },
    },
  ];
}

function nameOf(route: string): string {
  return route
    .slice(1)
    .replaceAll(/\$(\w+?)(Id)?(?=\/|$)/g, '$1')
    .replaceAll('/', '-');
}

async function exampleOf(route: string, stack: ExampleStack): Promise<string> {
  const [, parameter] = /\$(\w+)/.exec(route) ?? [];
  if (parameter === undefined) return route;
  if (parameter === 'day') return route.replace('$day', `${await firstDay(stack)}?account=default`);
  if (parameter === 'key') return `${route.replace('$key', 'S-1042')}?account=default`;
  if (parameter === 'runId') {
    return route.replace('$runId', route.endsWith('/decide') ? stack.runs.alarming : stack.runs.paying);
  }
  return route.replace(`$${parameter}`, await newestKey(route, parameter, stack));
}

async function firstDay({ database }: ExampleStack): Promise<string> {
  const { rows } = await database.query<{ day: string }>('select day::text as day from book_days order by day limit 1');
  if (rows[0] === undefined) throw new Error('no day of the books is there');
  return rows[0].day;
}

/** Of the table that has the parameter as its key: `$orderId` is `order_id`. */
async function newestKey(route: string, parameter: string, { database }: ExampleStack): Promise<string> {
  const column = parameter.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const { rows: tables } = await database.query<{ name: string }>(
    `select conrelid::regclass::text as name from pg_constraint
     join pg_attribute on attrelid = conrelid and conkey = array[attnum] where contype = 'p' and attname = $1`,
    [column],
  );
  for (const { name } of tables) {
    const { rows } = await database.query<{ key: string }>(
      `select ${column}::text as key from ${name} order by 1 desc limit 1`,
    );
    if (rows[0] !== undefined) return encodeURIComponent(rows[0].key);
  }
  throw new Error(
    `the page ${route} has no example: add its data to example-stack.ts, or its address to page-views.ts`,
  );
}

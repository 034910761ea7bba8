import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { openConsoleBrowser } from '../fixtures/console/console-browser.ts';
import { exampleLinks } from '../local/sign-in-links.ts';
import { type Benchmark, type Measurements, wholeNumber } from './benchmark.ts';
import { type BenchStack, openStackDatabase, startBenchStack } from './harness/bench-stack.ts';
import { fillLargeRun, NAME_NUMBER } from './harness/large-run.ts';
import { RowsPage, type ShownRow, watchFirstRows } from './harness/rows-page.ts';
import { measureWatchers } from './harness/run-watchers.ts';
import { heldByPage, tabMemoryMiB } from './harness/tab-memory.ts';
import { machine, watchProcessorPressure } from './machine.ts';

const REQUESTS_PER_SECOND = 5;
const OPENINGS = 5;
const JUMPS = 50;
const SCROLLING_SECONDS = 5;
const PAUSE_MS = 1_000;

/** Whether the console is quick with a run of a million rows, and what people who watch a run cost. */
export const consoleBenchmark: Benchmark = {
  summary: 'The page with the rows of a very large run in a browser, and what those who watch a run cost the server.',
  usage: '[--rows 1000000] [--minutes 10] [--watchers 20] [--watch-seconds 60]',
  run: async (args, report) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rows: { type: 'string', default: '1000000' },
        minutes: { type: 'string', default: '10' },
        watchers: { type: 'string', default: '20' },
        'watch-seconds': { type: 'string', default: '60' },
      },
    });
    const rows = wholeNumber('rows', values.rows, 1_000);
    const minutes = wholeNumber('minutes', values.minutes, 0);
    const watchers = wholeNumber('watchers', values.watchers, 0);
    const seconds = wholeNumber('watch-seconds', values['watch-seconds'], 5);
    const stack = await startBenchStack({ requestsPerSecond: REQUESTS_PER_SECOND, sandboxFlags: [], report });
    try {
      const processorPressure = watchProcessorPressure();
      const watching = await measureWatchers(stack, { watchers, seconds, requestsPerSecond: REQUESTS_PER_SECOND });
      report(`console: ${JSON.stringify(watching)}`);
      // After it: a worker would pay this run.
      const { runId, secondsToFill } = await fillLargeRun(stack, rows, report);
      const page = await measurePage(stack, { runId, rows, minutes }, report);
      return { rows, secondsToFill, ...page, watching, processorPressure: processorPressure(), machine: machine() };
    } finally {
      await stack.stop();
    }
  },
};

interface Size {
  runId: string;
  rows: number;
  minutes: number;
}

async function measurePage(stack: BenchStack, size: Size, report: (line: string) => void): Promise<Measurements> {
  const links = await exampleLinks(stack.ownerUrl, stack.serverUrl, Date.now);
  const link = links.find(({ login }) => login === 'chris')?.url ?? '';
  const opened = await openConsoleBrowser();
  const database = openStackDatabase(stack);
  try {
    const page = await opened.signedIn(link, { viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    await watchFirstRows(page);
    const rowsPage = new RowsPage(page, size.runId);
    const openingMs: number[] = [];
    for (let time = 0; time < OPENINGS; time += 1) openingMs.push(Math.round(await rowsPage.open()));
    const end = await rowsPage.pressEnd(size.rows - 1);
    report(`console: usable after ${openingMs.join(', ')} ms; the last row is ${end.row.rowRef}`);
    const jumps = await jump(rowsPage, database, size);
    report(`console: ${JSON.stringify(jumps)}`);
    const framesPerSecond = Math.round(await rowsPage.framesWhileScrolling(SCROLLING_SECONDS));
    const views = await openViews(rowsPage, database, size.runId);
    report(`console: ${framesPerSecond} frames a second; ${JSON.stringify(views)}`);
    await rowsPage.open();
    const memoryAtFirstMiB = await tabMemoryMiB(opened.browser);
    const heldAtFirst = await heldByPage(page);
    await use(rowsPage, size);
    return {
      openingMs,
      end: { isLastRow: end.row.line === size.rows + 1, ms: Math.round(end.ms) },
      jumps,
      framesPerSecond,
      views,
      minutes: size.minutes,
      memoryAtFirstMiB,
      heldAtFirst,
      // In this order: what is held is counted after a collection of garbage.
      memoryMiB: await tabMemoryMiB(opened.browser),
      held: await heldByPage(page),
      memoryCollectedMiB: await tabMemoryMiB(opened.browser),
      complaints: opened.complaints,
    };
  } finally {
    await opened.close();
    await database.end();
  }
}

const ROW_BY_SQL = 'select line, row_ref as "rowRef", amount::text as amount, state from payments where run_id = $1';

/** To rows that a fixed sequence chooses, so that two runs of the benchmark can be compared. */
async function jump(rowsPage: RowsPage, database: Pool, { runId, rows }: Size): Promise<Measurements> {
  const times: number[] = [];
  const wrong: string[] = [];
  for (let number = 1; number <= JUMPS; number += 1) {
    const position = Math.floor((number * 0.618_033_988_75 * rows) % rows);
    const { row, ms } = await rowsPage.jumpTo(position);
    times.push(ms);
    const stored = await database.query<ShownRow>(`${ROW_BY_SQL} and row_number = $2`, [runId, position + 1]);
    if (!isSame(row, stored.rows[0])) wrong.push(`${JSON.stringify(row)} is not ${JSON.stringify(stored.rows[0])}`);
  }
  return { count: JUMPS, equalToSql: JUMPS - wrong.length, wrong, ...spread(times) };
}

function isSame(shown: ShownRow, stored: ShownRow | undefined): boolean {
  return (['line', 'rowRef', 'amount', 'state'] as const).every((field) => shown[field] === stored?.[field]);
}

/** Amounts of several currencies have no order. */
const IN_DOLLARS = `amount_currency = 'USD'`;

/** Each by its address, and whether its first row is that of SQL. */
const VIEWS: Readonly<Record<string, { query: string; where: string; order: string }>> = {
  largestAmount: {
    query: '?sort=amount&order=desc&currency=USD',
    where: IN_DOLLARS,
    order: 'payments.amount desc, row_number desc',
  },
  smallestAmount: {
    query: '?sort=amount&order=asc&currency=USD',
    where: IN_DOLLARS,
    order: 'payments.amount, row_number',
  },
  byState: { query: '?sort=state', where: 'true', order: 'payments.state collate "C", row_number' },
  failed: { query: '?state=failed', where: `state = 'failed'`, order: 'row_number' },
  paid: { query: '?state=paid', where: `state = 'paid'`, order: 'row_number' },
  paidByAmount: {
    query: '?state=paid&sort=amount&order=desc&currency=USD',
    where: `state = 'paid' and ${IN_DOLLARS}`,
    order: 'payments.amount desc, row_number desc',
  },
  searchedName: { query: '?q=Supplier%20777', where: `${NAME_NUMBER} = 777`, order: 'row_number' },
  searchedReference: { query: '?q=LARGE-777', where: `row_ref = 'LARGE-777'`, order: 'row_number' },
  searchedAmount: { query: '?q=777.77', where: 'amount = 777.77', order: 'row_number' },
};

async function openViews(rowsPage: RowsPage, database: Pool, runId: string): Promise<Measurements> {
  const measurements: Record<string, Measurements> = {};
  for (const [name, { query, where, order }] of Object.entries(VIEWS)) {
    const { rows } = await database.query<ShownRow>(`${ROW_BY_SQL} and ${where} order by ${order} limit 1`, [runId]);
    if (rows[0] === undefined) continue;
    const ms = Math.round(await rowsPage.open(query));
    const { row } = await rowsPage.rowAt(0);
    measurements[name] = { ms, equalToSql: isSame(row, rows[0]) };
  }
  return measurements;
}

/** As a person would for some minutes: jumps and scrolling, row after row. */
async function use(rowsPage: RowsPage, { rows, minutes }: Size): Promise<void> {
  const endMs = performance.now() + minutes * 60_000;
  for (let number = 1; performance.now() < endMs; number += 1) {
    await rowsPage.jumpTo(Math.floor((number * 0.754_877_666 * rows) % rows));
    await rowsPage.framesWhileScrolling(1);
    await sleep(PAUSE_MS);
  }
}

function spread(times: readonly number[]): { medianMs: number; worstMs: number } {
  const sorted = times.toSorted((a, b) => a - b);
  return { medianMs: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0), worstMs: Math.round(sorted.at(-1) ?? 0) };
}

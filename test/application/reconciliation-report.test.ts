import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { ReconciliationReport } from '../../application/reconciliation/reconciliation-report.ts';
import { writeBreaksCsv, writeDaysCsv, writeEntriesCsv } from '../../application/reconciliation/write-report-csv.ts';
import { writeReportHtml } from '../../application/reconciliation/write-report-html.ts';
import { addAmounts, canonicalAmount } from '../../domain/money.ts';
import { computeDay, daysOfBooks, proveOpening } from '../../domain/reconciliation/compute-day.ts';
import type { Reconciliation } from '../../domain/reconciliation/reconciliation.ts';
import { classLines } from '../../domain/reconciliation/entry-class.ts';
import { DayGenerator } from '../../fixtures/reconciliation/day-generator.ts';
import { PlantedDayGenerator } from '../../fixtures/reconciliation/planted-day.ts';
import { reconcileDay } from '../reconciliation/reconcile-day.ts';

const DAY = Date.UTC(2026, 2, 2);

function aReport(generator: DayGenerator): ReconciliationReport & { reconciliation: Reconciliation } {
  const reconciliation = reconcileDay(generator.generate(5_000));
  const lines = classLines(reconciliation);
  const matches = new Map(reconciliation.matched.flatMap((match) => match.movements.map((entry) => [entry, match])));
  const books = reconciliation.chains
    .filter(({ isComplete }) => isComplete)
    .flatMap(({ currency, history }) =>
      daysOfBooks(history, currency, '2026-03-02').map((day) => computeDay('main', day, lines)),
    )
    .map((day) => ({ ...day, entryCount: day.entries.length, isComplete: true, state: 'matched' }));
  return {
    account: 'main',
    fromDay: '2026-03-02',
    toDay: '2026-03-02',
    madeAt: new Date(DAY),
    books,
    matched: reconciliation.matched.length,
    breaks: reconciliation.breaks,
    lines: lines.map((line) => {
      const { form = null, isInterchangeable = false } = matches.get(line.movement) ?? {};
      return { ...line, form, isInterchangeable };
    }),
    openFacts: reconciliation.openFacts,
    openEntries: reconciliation.openEntries,
    reconciliation,
  };
}

async function read(pieces: AsyncIterable<string>): Promise<Record<string, string>[]> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return parse(text, { columns: true });
}

test('days.csv: the opening and the classes of a day are its closing', async () => {
  const report = aReport(new DayGenerator(5, DAY));
  const rows = await read(writeDaysCsv(report));
  for (const currency of ['EUR', 'JPY', 'KWD', 'USD']) {
    const own = rows.filter((row) => row['currency'] === currency && row['line']?.startsWith('of which') !== true);
    const amounts = own.map(({ line, amount }) => ({ line, amount: amount ?? '' }));
    const classes = amounts.filter(({ line }) => line !== 'closing').map(({ amount }) => amount);
    expect(canonicalAmount(classes.reduce(addAmounts))).toBe(amounts.at(-1)?.amount);
    expect(own.map(({ line }) => line)).not.toContain('unexplained');
  }
  expect(report.books).toHaveLength(4);
});

test('a day with a class too few is not closed', () => {
  const { reconciliation, lines } = aReport(new DayGenerator(6, DAY));
  const [chain] = reconciliation.chains;
  const [books] = chain === undefined ? [] : daysOfBooks(chain.history, chain.currency, '2026-03-02');
  if (books === undefined) throw new Error('the day has no books');
  expect(() => computeDay('main', books, lines.slice(1))).toThrow(
    `${books.currency} on 2026-03-02: opening and classes are`,
  );
});

test('entries.csv has each entry once, or with its fee, and names the breaks', async () => {
  const report = aReport(new PlantedDayGenerator(5, DAY));
  const rows = await read(writeEntriesCsv(report));
  expect(rows).toHaveLength(report.lines.length);
  const entries = report.reconciliation.chains.flatMap(({ history }) => history.entries);
  expect(new Set(rows.map((row) => `${row['currency'] ?? ''} ${row['entry_id'] ?? ''}`)).size).toBe(entries.length);
  expect(rows.filter((row) => row['breaks']?.includes('wrong_amount'))).not.toEqual([]);
});

test('breaks.csv has a line for each break, with an explanation', async () => {
  const report = aReport(new PlantedDayGenerator(5, DAY));
  const rows = await read(writeBreaksCsv(report));
  expect(rows.map(({ type }) => type)).toEqual(report.reconciliation.breaks.map(({ type }) => type));
  expect(rows.filter(({ reason }) => reason === '')).toEqual([]);
});

test('the page names every break, needs nothing else, and escapes what others wrote', () => {
  const report = aReport(new PlantedDayGenerator(5, DAY));
  const page = writeReportHtml({ ...report, account: '<script>alert("1")</script>' });
  expect(page).not.toMatch(/<script|https?:|<img|@import|url\(/);
  expect(page).toContain('&#60;script&#62;alert(&#34;1&#34;)');
  for (const { reason } of report.reconciliation.breaks) expect(page).toContain(reason.replaceAll("'", '&#39;'));
});

test('the opening is proved by a history from zero, or by a signed figure', () => {
  const { reconciliation } = aReport(new DayGenerator(7, DAY));
  const [{ history }] = reconciliation.chains as [(typeof reconciliation.chains)[number]];
  const before = history.entries[0]?.amountBefore ?? '';
  expect(proveOpening(history, null)).toMatchObject({ by: null });
  expect(proveOpening(history, '1')).toMatchObject({ by: null });
  expect(proveOpening(history, before)).toMatchObject({ by: 'signed_figure', opening: canonicalAmount(before) });
  const entry = { entryId: 'e', date: DAY, currency: 'USD', amountBefore: '0.00', amountAfter: '5', type: '' };
  expect(proveOpening({ ...history, entries: [entry] }, null)).toEqual({ by: 'history_from_zero', opening: '0' });
});

import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { ReconciliationReport } from '../../application/reconciliation/reconciliation-report.ts';
import { writeBreaksCsv, writeDaysCsv, writeEntriesCsv } from '../../application/reconciliation/write-report-csv.ts';
import { writeExchangeCsv, writeFeesCsv } from '../../application/reconciliation/write-journals-csv.ts';
import { writeReportHtml } from '../../application/reconciliation/write-report-html.ts';
import { addAmounts, canonicalAmount } from '../../domain/money.ts';
import { computeDay } from '../../domain/reconciliation/compute-day.ts';
import { daysOfBooks } from '../reconciliation/days-of-history.ts';
import type { Reconciliation } from '../../domain/reconciliation/reconciliation.ts';
import { classLines } from '../../domain/reconciliation/entry-class.ts';
import { DayGenerator } from '../../fixtures/reconciliation/day-generator.ts';
import { PlantedDayGenerator } from '../../fixtures/reconciliation/planted-day.ts';
import { reconcileDay } from '../reconciliation/reconcile-day.ts';

const DAY = Date.UTC(2026, 2, 2);

function aReport(generator: DayGenerator): ReconciliationReport & { reconciliation: Reconciliation } {
  const reconciliation = reconcileDay(generator.generate(1_000));
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
      const { form = null, isAmbiguous = false } = matches.get(line.movement) ?? {};
      return { ...line, form, isAmbiguous };
    }),
    openFacts: reconciliation.openFacts,
    openEntries: reconciliation.openEntries,
    reconciliation,
  };
}

/** Made once, for several tests. */
function once<T>(make: () => T): () => T {
  let made: { is: T } | null = null;
  return () => (made ??= { is: make() }).is;
}

const cleanDay = once(() => aReport(new DayGenerator(5, DAY)));
const plantedDay = once(() => aReport(new PlantedDayGenerator(5, DAY)));

async function read(pieces: AsyncIterable<string>): Promise<Record<string, string>[]> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return parse(text, { columns: true });
}

test('days.csv: the opening and the classes of a day are its closing', async () => {
  const report = cleanDay();
  const rows = await read(writeDaysCsv(report));
  for (const currency of ['EUR', 'JPY', 'KWD', 'USD']) {
    const own = rows.filter((row) => row['currency'] === currency && row['class']?.startsWith('of which') !== true);
    const amounts = own.map(({ class: entryClass, amount }) => ({ entryClass, amount: amount ?? '' }));
    const classes = amounts.filter(({ entryClass }) => entryClass !== 'closing').map(({ amount }) => amount);
    expect(canonicalAmount(classes.reduce(addAmounts))).toBe(amounts.at(-1)?.amount);
    expect(own.map((row) => row['class'])).not.toContain('unexplained');
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
  const report = plantedDay();
  const rows = await read(writeEntriesCsv(report));
  expect(rows).toHaveLength(report.lines.length);
  const entries = report.reconciliation.chains.flatMap(({ history }) => history.entries);
  expect(new Set(rows.map((row) => `${row['currency'] ?? ''} ${row['entry_id'] ?? ''}`)).size).toBe(entries.length);
  expect(rows.filter((row) => row['breaks']?.includes('wrong_amount'))).not.toEqual([]);
});

test('breaks.csv has a line for each break, with an explanation', async () => {
  const report = plantedDay();
  const rows = await read(writeBreaksCsv(report));
  expect(rows.map(({ type }) => type)).toEqual(report.reconciliation.breaks.map(({ type }) => type));
  expect(rows.filter(({ reason }) => reason === '')).toEqual([]);
});

test('fees.csv: its sums are those of the fees in days.csv', async () => {
  const report = cleanDay();
  const fees = await read(writeFeesCsv(report));
  const days = (await read(writeDaysCsv(report))).filter((row) => row['class']?.endsWith('_fee'));
  expect(days.length).toBeGreaterThan(3);
  for (const { currency, class: entryClass, amount } of days) {
    const own = fees.filter((fee) => fee['currency'] === currency && fee['class'] === entryClass);
    expect(canonicalAmount(own.map((fee) => fee['amount'] ?? '').reduce(addAmounts))).toBe(amount);
  }
  const wrong = fees.filter((fee) => fee['amount']?.startsWith('-') === (fee['class'] === 'refund_fee'));
  expect(wrong).toEqual([]);
});

test('exchange.csv: every conversion with what its facts say, and an empty difference without a rate', async () => {
  const report = cleanDay();
  const rows = await read(writeExchangeCsv(report, []));
  const facts = report.reconciliation.matched.map(({ leg }) => leg.fact).filter(({ kind }) => kind === 'conversion');
  expect(new Set(rows.map(({ conversion }) => conversion))).toEqual(new Set(facts.map(({ factId }) => factId)));
  expect(rows.length).toBeGreaterThan(3);
  expect(
    rows.every(({ reference_rate, exchange_difference }) => reference_rate === '' && exchange_difference === ''),
  ).toBe(true);
});

test('exchange.csv: the difference is what the bought money is worth at the reference rate, less what was sold', async () => {
  const movement = (currency: string, amountAfter: string) => ({
    ...{ entryId: currency, transactionId: '1', date: DAY, currency, amountBefore: '0.00', amountAfter, type: '' },
  });
  const line = { factId: 'listed/conversion/1', form: null, isAmbiguous: false };
  const lines = [
    { ...line, movement: movement('USD', '-1003.00'), entryClass: 'conversion_sold' as const, amount: '-1000' },
    { ...line, movement: movement('USD', '-1003.00'), entryClass: 'conversion_fee' as const, amount: '-3' },
    { ...line, movement: movement('EUR', '900.00'), entryClass: 'conversion_bought' as const, amount: '900' },
    {
      ...line,
      movement: movement('EUR', '5.00'),
      entryClass: 'conversion_bought' as const,
      amount: '5',
      factId: 'alone',
    },
  ];
  const report = { ...cleanDay(), lines };
  const rates = { source: 'ECB', date: '2026-03-01', base: 'EUR', rates: { USD: '1.1000' } };
  expect(await read(writeExchangeCsv(report, [{ ...rates, date: '2026-03-03', rates: { USD: '9' } }, rates]))).toEqual([
    {
      ...{ conversion: 'listed/conversion/1', sold_on: '2026-03-02', sold_currency: 'USD', sold: '1000' },
      ...{ bought_on: '2026-03-02', bought_currency: 'EUR', bought: '900', rate: '0.90000000' },
      // 900 EUR at 1.10 are 990 USD.
      ...{ reference_rate: '0.90909091', reference_source: 'ECB', exchange_difference: '-10.00' },
    },
  ]);
});

test('the page names every break, needs nothing else, and escapes what others wrote', () => {
  const report = plantedDay();
  const page = writeReportHtml({ ...report, account: '<script>alert("1")</script>' });
  expect(page).not.toMatch(/<script|https?:|<img|@import|url\(/);
  expect(page).toContain('&#60;script&#62;alert(&#34;1&#34;)');
  for (const { reason } of report.reconciliation.breaks) expect(page).toContain(reason.replaceAll("'", '&#39;'));
});

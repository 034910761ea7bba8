import { REPORTED_BREAK_STATES } from '../../domain/reconciliation/break-state.ts';
import type { ReportFile, ReportQuery } from '../../api/reconciliation/book-day.ts';
import { daysBetween } from '../../domain/calendar-date.ts';
import { BREAK_TYPES } from '../../domain/reconciliation/break.ts';
import type { ClassLine } from '../../domain/reconciliation/entry-class.ts';
import type { Form } from '../../domain/reconciliation/leg.ts';
import type { Queryable } from '../../store/database/database.ts';
import { listBreaks } from '../../store/reconciliation/breaks.ts';
import {
  type BookDayView,
  type BookedEntryView,
  listBookDays,
  listBookedEntries,
  readLeftOpen,
} from '../../store/reconciliation/day-views.ts';
import { listReferenceRates } from '../../store/rates/reference-rates.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { mayUse, type SignedIn } from '../users/signed-in.ts';
import type { ReconciliationReport, ReportedBooks, ReportedLine } from './reconciliation-report.ts';
import { writeExchangeCsv, writeFeesCsv } from './write-journals-csv.ts';
import { writeBreaksCsv, writeDaysCsv, writeEntriesCsv } from './write-report-csv.ts';
import { writeReportHtml } from './write-report-html.ts';
import { writeStatement } from './write-statement.ts';

const MAX_DAYS = 31;
const MAX_BREAKS = 100_000;

/**
 * A file of the report of some days, from the books as they are kept.
 * @throws ApplicationError `not_found` for days that were not reconciled, `invalid_input` for too many of them
 */
export async function reconciliationReport(
  { database, now }: ApplicationDependencies,
  user: SignedIn,
  file: ReportFile,
  query: ReportQuery,
): Promise<AsyncIterable<string>> {
  const days = await daysOf(database, user, query);
  const madeAt = new Date(now());
  if (file === 'statement.xml') return piecesOf(await statementOf(database, query, days, madeAt));
  const report = await reportOf(database, query, days, madeAt);
  switch (file) {
    case 'report.html':
      return piecesOf(writeReportHtml(report));
    case 'breaks.csv':
      return writeBreaksCsv(report);
    case 'entries.csv':
      return writeEntriesCsv(report);
    case 'days.csv':
      return writeDaysCsv(report);
    case 'fees.csv':
      return writeFeesCsv(report);
    case 'exchange.csv':
      return writeExchangeCsv(report, await listReferenceRates(database, report.fromDay, report.toDay));
  }
}

async function* piecesOf(text: string): AsyncGenerator<string, void, undefined> {
  yield await Promise.resolve(text);
}

async function daysOf(database: Queryable, user: SignedIn, { account, from, to }: ReportQuery): Promise<BookDayView[]> {
  const last = to ?? from;
  if (daysBetween(from, last) >= MAX_DAYS) {
    throw new ApplicationError('invalid_input', `a report has at most ${MAX_DAYS} days: give a shorter time`);
  }
  const filter = {
    accounts: mayUse(user, account) ? [account] : [],
    fromDay: from,
    toDay: last,
    isOpen: false,
    limit: MAX_DAYS,
  };
  const days = await listBookDays(database, filter);
  if (days.length === 0) {
    throw new ApplicationError('not_found', `the account "${account}" was not reconciled for ${from} yet`);
  }
  return days;
}

async function reportOf(
  database: Queryable,
  { account, from, to }: ReportQuery,
  days: readonly BookDayView[],
  madeAt: Date,
): Promise<ReconciliationReport> {
  const last = to ?? from;
  const filter = {
    accounts: [account],
    states: REPORTED_BREAK_STATES,
    breakId: null,
    limit: MAX_BREAKS,
  };
  const breaks = await listBreaks(database, { ...filter, fromDay: from, toDay: last });
  const lines: ReportedLine[] = [];
  for (const { day } of days) {
    for (const entry of await listBookedEntries(database, { account, day })) lines.push(...linesOf(entry));
  }
  const open = await readLeftOpen(database, { account, day: days.at(-1)?.day ?? last });
  return {
    account,
    fromDay: from,
    toDay: last,
    madeAt,
    books: days.flatMap(booksOf),
    matched: days.reduce((sum, { matched }) => sum + matched, 0),
    breaks: breaks.sort((a, b) => BREAK_TYPES.indexOf(a.type) - BREAK_TYPES.indexOf(b.type)),
    lines,
    openFacts: open.facts,
    openEntries: open.entries,
  };
}

function booksOf({ account, day, state, books }: BookDayView): ReportedBooks[] {
  return books.map((book) => ({ ...book, account, day, state }));
}

function linesOf({ lines, ...movement }: BookedEntryView): ReportedLine[] {
  return lines.map(([entryClass, amount, factId, form, isAmbiguous]) => ({
    ...{ movement, entryClass, amount, factId, isAmbiguous },
    form: form as Form | null,
  }));
}

async function statementOf(
  database: Queryable,
  { account, from, currency }: ReportQuery,
  [day]: readonly BookDayView[],
  madeAt: Date,
): Promise<string> {
  const book = day?.books.find((one) => one.currency === currency);
  if (day === undefined || book === undefined) {
    const known = day?.books.map((one) => one.currency).join(', ') ?? '';
    throw new ApplicationError('not_found', `a statement is of one currency: give one of ${known}`);
  }
  const entries = (await listBookedEntries(database, { account, day: from })).filter(
    (one) => one.currency === currency,
  );
  const lines: ClassLine[] = entries.flatMap(linesOf);
  return writeStatement({ account, books: { ...book, day: day.day, entries }, lines, madeAt });
}

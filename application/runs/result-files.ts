import { setImmediate } from 'node:timers/promises';
import { PAYMENT_STATE_TABLE, type PaymentState } from '../../domain/payments/payment-state.ts';
import { runHasEnded } from '../../domain/runs/run-state.ts';
import type { PayeeData } from '../../store/personal-data/payee-data.ts';
import { openContent } from '../../store/runs/row-content.ts';
import { listResults, type ResultRow } from '../../store/runs/result-rows.ts';
import { listRows, type StoredRow } from '../../store/runs/run-rows.ts';
import { type RunRecord, readRun } from '../../store/runs/runs.ts';
import type { ApplicationDependencies, ReviewingDependencies } from '../application-dependencies.ts';
import { payeesOf } from '../data-keys.ts';
import { ApplicationError, orNotFound } from '../application-error.ts';
import { iso } from '../iso-time.ts';
import { listedRow, openedRow } from './opened-row.ts';
import { rowSummaryOf } from './row-summary.ts';
import { type ExceptionLine, writeExceptions } from './write-exceptions.ts';
import { writeProposal } from './write-proposal.ts';
import { type ResultLine, writeResults } from './write-results.ts';
import { writeSheet } from './write-sheet.ts';

const ALL_ROWS = { first: 1, last: 999_999_999 };
const ERASED = 'the data of this run was erased';
const CAME_BACK = 'it was paid and came back';

/** Read and written in a few milliseconds, so that other requests are not delayed. */
const ROWS_PER_READ = 250;

/** results.csv: a line for every input row, in input order, at any time of the run. */
export async function* results(
  dependencies: ApplicationDependencies,
  runId: string,
): AsyncGenerator<string, void, undefined> {
  await existingRun(dependencies, runId);
  const payees = await payeesOf(dependencies);
  const pages = pagesOf((page) => listResults(dependencies.database, runId, page));
  yield* writeResults(
    mapRows(
      pages,
      () => true,
      (row) => resultLineOf(payees, row),
    ),
  );
}

/** proposal.csv: a line for every row, with what a checker can know of it before the money leaves. */
export async function* proposal(
  dependencies: ReviewingDependencies,
  runId: string,
): AsyncGenerator<string, void, undefined> {
  await existingRun(dependencies, runId);
  const payees = await payeesOf(dependencies);
  const marks = await dependencies.reviews.marksOf(runId, ALL_ROWS);
  const pages = storedRows(dependencies, runId);
  yield* writeProposal(
    mapRows(
      pages,
      () => true,
      (row) => rowSummaryOf(listedRow(payees, row), marks.get(row.rowNumber) ?? []),
    ),
  );
}

/** exceptions.csv: the rows that are known not to be paid. Those that may be paid are not offered to be submitted again. */
export async function* exceptions(
  dependencies: ApplicationDependencies,
  runId: string,
): AsyncGenerator<string, void, undefined> {
  const run = await existingRun(dependencies, runId);
  if (run.erasedAt !== null) throw new ApplicationError('conflict', `${ERASED}: its rows cannot be submitted again`);
  const payees = await payeesOf(dependencies);
  const hasEnded = runHasEnded(run.state);
  const isException = ({ state }: StoredRow): boolean => isKnownUnpaid(state, hasEnded);
  const pages = storedRows(dependencies, runId);
  yield* writeExceptions(
    run.header,
    mapRows(pages, isException, (row) => exceptionLineOf(payees, row)),
  );
}

/** sheet.csv: every row as it was submitted. */
export async function* sheet(
  dependencies: ApplicationDependencies,
  runId: string,
): AsyncGenerator<string, void, undefined> {
  const run = await existingRun(dependencies, runId);
  if (run.erasedAt !== null) throw new ApplicationError('conflict', ERASED);
  const payees = await payeesOf(dependencies);
  const pages = storedRows(dependencies, runId);
  yield* writeSheet(
    run.header,
    mapRows(
      pages,
      () => true,
      (row) => ({ line: row.line, cells: openedRow(payees, row).cells }),
    ),
  );
}

function isKnownUnpaid(state: PaymentState, runHasEnded: boolean): boolean {
  const { counts, stage } = PAYMENT_STATE_TABLE[state];
  // What is not sent when a run ends is never sent.
  return counts.asUnpaid || (stage === 'uncreated' && runHasEnded);
}

async function existingRun({ database }: ApplicationDependencies, runId: string): Promise<RunRecord> {
  return orNotFound(await readRun(database, runId), 'there is no such run');
}

interface Page {
  afterLine: number;
  limit: number;
}

/** All rows, page by page: the next one is read while this one is written and sent. */
async function* pagesOf<Row extends { line: number }>(
  read: (page: Page) => Promise<Row[]>,
): AsyncGenerator<Row[], void, undefined> {
  let reading = read({ afterLine: 0, limit: ROWS_PER_READ });
  for (;;) {
    const rows = await reading;
    const last = rows.at(-1);
    if (last === undefined) return;
    reading = read({ afterLine: last.line, limit: ROWS_PER_READ });
    // Its failure is thrown when it is awaited; a page that is never awaited may fail.
    reading.catch(() => undefined);
    yield rows;
    // Lets other requests run when the next page is here already.
    await setImmediate();
  }
}

function storedRows(
  { database }: ApplicationDependencies,
  runId: string,
): AsyncGenerator<StoredRow[], void, undefined> {
  return pagesOf((page) => listRows(database, runId, { ...page, state: null }));
}

async function* mapRows<Row, Line>(
  pages: AsyncIterable<Row[]>,
  isWanted: (row: Row) => boolean,
  toLine: (row: Row) => Line,
): AsyncGenerator<Line, void, undefined> {
  for await (const rows of pages) for (const row of rows) if (isWanted(row)) yield toLine(row);
}

function resultLineOf(payees: PayeeData, row: ResultRow): ResultLine {
  const content = openContent(payees, row);
  const { line, rowRef, state, attempt, amount, amountSide, sellCurrency, sellAmount, buyCurrency, buyAmount } = row;
  const { rate, fee, totalAmount, errorCode, returnedAmount, providerPaymentId } = row;
  return {
    ...{ line, rowRef, amount, amountSide, sellCurrency, sellAmount, buyCurrency, buyAmount },
    ...{ rate, fee, totalAmount, errorCode, returnedAmount },
    errorMessage: content === null ? ERASED : (row.errorMessage ?? content.problems),
    echo: content?.instruction?.echo ?? null,
    status: state,
    providerId: providerPaymentId,
    attempt: providerPaymentId === null ? null : attempt,
    quotedAt: iso(row.quotedAt),
    createdAt: iso(row.createdAt),
    fundedAt: iso(row.fundedAt),
    endedAt: iso(row.endedAt),
    returnedAt: iso(row.returnedAt),
  };
}

function exceptionLineOf(payees: PayeeData, row: StoredRow): ExceptionLine {
  const { cells, errorMessage } = openedRow(payees, row);
  return {
    cells,
    status: row.state,
    reason: errorMessage ?? (row.state === 'returned' ? CAME_BACK : ''),
  };
}

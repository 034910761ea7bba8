import { ENDED_PAYMENT_STATES, type PaymentState } from '../../domain/payment-state.ts';
import { runHasEnded } from '../../domain/run-state.ts';
import { listRows, type StoredRow } from '../../store/run-rows.ts';
import { type RunRecord, readRun } from '../../store/runs.ts';
import type { EngineDependencies } from './engine-dependencies.ts';
import { EngineError } from './engine-error.ts';
import { iso } from './run-views.ts';
import { type ExceptionLine, writeExceptions } from './write-exceptions.ts';
import { type ResultLine, writeResults } from './write-results.ts';

const ROWS_PER_READ = 1_000;

/** results.csv: a line for every input row, in input order, at any time of the run. */
export async function* results(
  dependencies: EngineDependencies,
  runId: string,
): AsyncGenerator<string, void, undefined> {
  await existingRun(dependencies, runId);
  yield* writeResults(mapRows(allRows(dependencies, runId), resultLineOf));
}

/** exceptions.csv: while the run goes on, the rows that are known not to be paid; after its end, all that were not. */
export async function* exceptions(
  dependencies: EngineDependencies,
  runId: string,
): AsyncGenerator<string, void, undefined> {
  const run = await existingRun(dependencies, runId);
  const isException = ({ state }: StoredRow): boolean =>
    state !== 'paid' && (runHasEnded(run.state) || isNotPaidForNow(state));
  yield* writeExceptions(run.header, mapRows(filterRows(allRows(dependencies, runId), isException), exceptionLineOf));
}

function isNotPaidForNow(state: PaymentState): boolean {
  return (
    (ENDED_PAYMENT_STATES as readonly PaymentState[]).includes(state) ||
    state === 'held' ||
    state === 'duplicate_suspect'
  );
}

async function existingRun({ database }: EngineDependencies, runId: string): Promise<RunRecord> {
  const run = await readRun(database, runId);
  if (run === null) throw new EngineError('not_found', 'there is no such run');
  return run;
}

async function* allRows({ database }: EngineDependencies, runId: string): AsyncGenerator<StoredRow, void, undefined> {
  let afterLine = 0;
  for (;;) {
    const rows = await listRows(database, runId, { afterLine, limit: ROWS_PER_READ, state: null });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    afterLine = last.line;
  }
}

async function* mapRows<T>(
  rows: AsyncIterable<StoredRow>,
  toLine: (row: StoredRow) => T,
): AsyncGenerator<T, void, undefined> {
  for await (const row of rows) yield toLine(row);
}

async function* filterRows(
  rows: AsyncIterable<StoredRow>,
  isWanted: (row: StoredRow) => boolean,
): AsyncGenerator<StoredRow, void, undefined> {
  for await (const row of rows) if (isWanted(row)) yield row;
}

function resultLineOf(row: StoredRow): ResultLine {
  const { instruction } = row;
  return {
    line: row.line,
    rowRef: row.rowRef,
    status: row.state,
    providerId: row.providerPaymentId,
    attempt: row.providerPaymentId === null ? null : row.attempt,
    amount: row.amount,
    amountSide: instruction?.amountSide ?? null,
    sellCurrency: instruction?.sellCurrency ?? null,
    sellAmount: row.sellAmount,
    buyCurrency: instruction?.buyCurrency ?? null,
    buyAmount: row.buyAmount,
    rate: row.rate,
    fee: row.fee,
    totalAmount: row.totalAmount,
    errorCode: row.errorCode,
    errorMessage: row.errorMessage,
    quotedAt: iso(row.quotedAt),
    createdAt: iso(row.createdAt),
    fundedAt: iso(row.fundedAt),
    settledAt: iso(row.settledAt),
    echo: instruction?.echo ?? null,
  };
}

function exceptionLineOf(row: StoredRow): ExceptionLine {
  return { cells: row.cells, status: row.state, reason: row.errorMessage ?? '' };
}

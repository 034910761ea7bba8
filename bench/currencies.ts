import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import type { Benchmark, Findings } from './benchmark.ts';
import { approveRun } from './engine/approve-run.ts';
import { type BenchRow, benchRows } from './engine/bench-rows.ts';
import { type BenchStack, startBenchStack } from './engine/bench-stack.ts';
import { openRecord } from './engine/open-record.ts';
import { proposeRun } from './engine/pay-run.ts';
import { until } from './engine/until.ts';
import { wholeNumber } from './flags.ts';
import { machine } from './machine.ts';

const REQUESTS_PER_SECOND = 5;
const FUNDED = ['USD', 'EUR'] as const;
const EMPTY = 'SGD';
/** Events that speak of the money, one after the other. */
const EVENTS = 20;
const HOUR_MS = 3_600_000;

/** What a currency without money costs the others, and how its own rows end. */
export const currenciesBenchmark: Benchmark = {
  summary:
    'A run over three currencies of which one has no money: beside the other two alone, until money comes, and never.',
  usage: '[--payments 300] [--funding-window 180]',
  run: async (args, report) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        payments: { type: 'string', default: '300' },
        'funding-window': { type: 'string', default: '180' },
      },
    });
    const each = Math.floor(wholeNumber('payments', values.payments, 3) / 3);
    const windowMs = wholeNumber('funding-window', values['funding-window'], 1) * 1_000;
    return {
      ...(await untilMoneyComes(each, report)),
      whenNoneComes: await whenNoneComes(each, windowMs, report),
      paymentsOfEach: each,
      machine: machine(),
    };
  },
};

const start = (report: (line: string) => void, ...flags: string[]): Promise<BenchStack> =>
  startBenchStack({
    requestsPerSecond: REQUESTS_PER_SECOND,
    sandboxFlags: ['--balance', 'EUR=900000000000.00', '--balance', `${EMPTY}=0.00`, ...flags],
    report,
  });

async function untilMoneyComes(each: number, report: (line: string) => void): Promise<Findings> {
  const stack = await start(report);
  const database = openRecord(stack);
  try {
    await stack.startWorker();
    report('currencies: a run of two currencies');
    const alone = await runOf(stack, each, 'alone', 1_000, FUNDED);
    await until(
      async () => (await notPaid(database, alone.runId, FUNDED)) === 0,
      patience('two currencies are not paid'),
    );
    report('currencies: a run of three, of which one has no money');
    const beside = await runOf(stack, each, 'beside', 50_000, [...FUNDED, EMPTY]);
    await until(
      async () => (await notPaid(database, beside.runId, FUNDED)) === 0,
      patience('two currencies are not paid'),
    );
    const states = await statesOf(database, beside.runId);
    const before = (await stack.sandbox.ledger()).requests.byOperation;
    report(`currencies: ${EVENTS} events of money`);
    for (let event = 0; event < EVENTS; event += 1) await stack.sandbox.bringMoney(EMPTY, '9000000.00');
    const cameMs = Date.now();
    await until(
      async () => (await notPaid(database, beside.runId, [EMPTY])) === 0,
      patience('the third currency is not paid'),
    );
    const after = (await stack.sandbox.ledger()).requests.byOperation;
    return {
      secondsToFundTwoAlone: await secondsToFund(database, alone),
      secondsToFundTwoBesideTheThird: await secondsToFund(database, beside),
      statesBeforeMoney: states,
      afterMoney: {
        events: EVENTS,
        balanceReads: (after['balance-find'] ?? 0) - (before['balance-find'] ?? 0),
        fundings: (after['simple-payment-fund'] ?? 0) - (before['simple-payment-fund'] ?? 0),
        seconds: rounded((Date.now() - cameMs) / 1_000),
      },
      states: await statesOf(database, beside.runId),
    };
  } finally {
    await database.end();
    await stack.stop();
  }
}

async function whenNoneComes(each: number, windowMs: number, report: (line: string) => void): Promise<Findings> {
  const stack = await start(report, '--funding-window-ms', String(windowMs));
  const database = openRecord(stack);
  try {
    await stack.startWorker();
    report('currencies: money that never comes');
    const { runId } = await runOf(stack, each, 'never', 1_000, [...FUNDED, EMPTY]);
    await until(async () => (await stack.maker.getRun(runId)).finishedAt !== null, patience('the run has not ended'));
    const { rows } = await database.query<{ state: string; code: string | null; n: number; worst: number | null }>(
      `select state, error_code as code, count(*)::int as n,
         max(extract(epoch from ended_at - funding_cutoff_at))::float8 as worst
       from payments where run_id = $1 and sell_currency = $2 group by 1, 2 order by 1, 2`,
      [runId, EMPTY],
    );
    const { state, rows: counts } = await stack.maker.getRun(runId);
    return {
      run: { state, rows: { ...counts } },
      rowsWithoutMoney: rows.map(({ state: end, code, n, worst }) => ({
        ...{ state: end, code, rows: n },
        worstSecondsAfterCutOff: worst === null ? null : rounded(worst),
      })),
    };
  } finally {
    await database.end();
    await stack.stop();
  }
}

interface ApprovedRun {
  runId: string;
  approvedAtMs: number;
}

/** Rows of the currencies by turns, as they lie in a file. */
async function runOf(
  stack: BenchStack,
  each: number,
  name: string,
  leastAmount: number,
  currencies: readonly string[],
): Promise<ApprovedRun> {
  const rows: BenchRow[] = benchRows(each * currencies.length, name, leastAmount).map((row, index) => ({
    ...row,
    sell_currency: currencies[index % currencies.length] ?? row.sell_currency,
  }));
  const runId = await proposeRun(stack, rows);
  await approveRun(stack.checker, runId);
  return { runId, approvedAtMs: Date.now() };
}

const patience = (otherwise: string) => ({ everyMs: 250, withinMs: HOUR_MS, otherwise });

async function notPaid(database: Pool, runId: string, currencies: readonly string[]): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*)::int as n from payments where run_id = $1 and sell_currency = any($2) and state <> 'paid'`,
    [runId, currencies],
  );
  return rows[0]?.n ?? 0;
}

async function secondsToFund(database: Pool, { runId, approvedAtMs }: ApprovedRun): Promise<number> {
  const { rows } = await database.query<{ lastMs: number }>(
    `select extract(epoch from max(funded_at))::float8 * 1000 as "lastMs" from payments
     where run_id = $1 and sell_currency = any($2)`,
    [runId, FUNDED],
  );
  return rounded(((rows[0]?.lastMs ?? Number.NaN) - approvedAtMs) / 1_000);
}

async function statesOf(database: Pool, runId: string): Promise<Findings> {
  const { rows } = await database.query<{ currency: string; state: string; n: number }>(
    `select sell_currency as currency, state, count(*)::int as n from payments where run_id = $1 group by 1, 2 order by 1, 2`,
    [runId],
  );
  return Object.fromEntries(rows.map(({ currency, state, n }) => [`${currency} ${state}`, n]));
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { type Benchmark, type Measurements, wholeNumber } from './benchmark.ts';
import type { PaymentRow } from '../fixtures/payment-rows.ts';
import { benchRows } from './harness/bench-rows.ts';
import { type BenchStack, openStackDatabase, startBenchStack } from './harness/bench-stack.ts';
import { approveRun, proposeRun } from './harness/pay-run.ts';
import { until } from './harness/until.ts';
import { machine } from './machine.ts';

const REQUESTS_PER_SECOND = 5;
const FUNDED = ['USD', 'EUR'] as const;
const EMPTY = 'SGD';
/** Deposits into the empty balance, one after the other. */
const DEPOSITS = 20;
const HOUR_MS = 3_600_000;

/** How much a currency without money delays the others, and how its own rows end. */
export const currenciesBenchmark: Benchmark = {
  summary:
    'A run in three currencies, one of which has no money until deposits arrive, or never; and the other two alone.',
  usage: '[--payments 300] [--funding-deadline 180]',
  run: async (args, report) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        payments: { type: 'string', default: '300' },
        'funding-deadline': { type: 'string', default: '180' },
      },
    });
    const each = Math.floor(wholeNumber('payments', values.payments, 3) / 3);
    const deadlineMs = wholeNumber('funding-deadline', values['funding-deadline'], 1) * 1_000;
    return {
      ...(await untilMoneyArrives(each, report)),
      whenNoneComes: await whenNoneArrives(each, deadlineMs, report),
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

async function untilMoneyArrives(each: number, report: (line: string) => void): Promise<Measurements> {
  const stack = await start(report);
  const database = openStackDatabase(stack);
  try {
    await stack.startWorker();
    report('currencies: a run in two currencies');
    const alone = await approvedRun(stack, each, 'alone', 1_000, FUNDED);
    await until(
      async () => (await notPaid(database, alone.runId, FUNDED)) === 0,
      waitLimit('two currencies are not paid'),
    );
    report('currencies: a run in three currencies, one of them without money');
    const beside = await approvedRun(stack, each, 'beside', 50_000, [...FUNDED, EMPTY]);
    await until(
      async () => (await notPaid(database, beside.runId, FUNDED)) === 0,
      waitLimit('two currencies are not paid'),
    );
    const states = await statesOf(database, beside.runId);
    const before = (await stack.sandbox.ledger()).requests.byOperation;
    report(`currencies: ${DEPOSITS} deposits`);
    for (let deposit = 0; deposit < DEPOSITS; deposit += 1) await stack.sandbox.deposit(EMPTY, '9000000.00');
    const depositedMs = Date.now();
    await until(
      async () => (await notPaid(database, beside.runId, [EMPTY])) === 0,
      waitLimit('the third currency is not paid'),
    );
    const after = (await stack.sandbox.ledger()).requests.byOperation;
    return {
      secondsToFundTwoAlone: await secondsToFund(database, alone),
      secondsToFundTwoBesideTheThird: await secondsToFund(database, beside),
      statesBeforeMoney: states,
      afterMoney: {
        events: DEPOSITS,
        balanceReads: (after['balance-find'] ?? 0) - (before['balance-find'] ?? 0),
        fundings: (after['simple-payment-fund'] ?? 0) - (before['simple-payment-fund'] ?? 0),
        seconds: rounded((Date.now() - depositedMs) / 1_000),
      },
      states: await statesOf(database, beside.runId),
    };
  } finally {
    await database.end();
    await stack.stop();
  }
}

async function whenNoneArrives(
  each: number,
  deadlineMs: number,
  report: (line: string) => void,
): Promise<Measurements> {
  const stack = await start(report, '--funding-deadline-ms', String(deadlineMs));
  const database = openStackDatabase(stack);
  try {
    await stack.startWorker();
    report('currencies: the money never arrives');
    const { runId } = await approvedRun(stack, each, 'never', 1_000, [...FUNDED, EMPTY]);
    await until(
      async () => (await stack.maker.getRun({ runId })).finishedAt !== null,
      waitLimit('the run has not ended'),
    );
    const { rows } = await database.query<{ state: string; code: string | null; n: number; worst: number | null }>(
      `select state, error_code as code, count(*)::int as n,
         max(extract(epoch from ended_at - funding_cutoff_at))::float8 as worst
       from payments where run_id = $1 and sell_currency = $2 group by 1, 2 order by 1, 2`,
      [runId, EMPTY],
    );
    const { state, rows: counts } = await stack.maker.getRun({ runId });
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

/** A run whose rows alternate between the currencies, approved. */
async function approvedRun(
  stack: BenchStack,
  each: number,
  name: string,
  minAmount: number,
  currencies: readonly string[],
): Promise<ApprovedRun> {
  const rows: PaymentRow[] = benchRows(each * currencies.length, name, minAmount).map((row, index) => ({
    ...row,
    sell_currency: currencies[index % currencies.length] ?? row.sell_currency,
  }));
  const runId = await proposeRun(stack, rows);
  await approveRun(stack.checker, runId);
  return { runId, approvedAtMs: Date.now() };
}

const waitLimit = (otherwise: string) => ({ everyMs: 250, withinMs: HOUR_MS, otherwise });

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

async function statesOf(database: Pool, runId: string): Promise<Measurements> {
  const { rows } = await database.query<{ currency: string; state: string; n: number }>(
    `select sell_currency as currency, state, count(*)::int as n from payments where run_id = $1 group by 1, 2 order by 1, 2`,
    [runId],
  );
  return Object.fromEntries(rows.map(({ currency, state, n }) => [`${currency} ${state}`, n]));
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { liftOf } from '../api/approvals/lift-of-stop.ts';
import { type Benchmark, type Measurements, wholeNumber } from './benchmark.ts';
import { benchRows } from './harness/bench-rows.ts';
import { type BenchStack, startBenchStack } from './harness/bench-stack.ts';
import { approveRun, proposeRun } from './harness/pay-run.ts';
import { until } from './harness/until.ts';
import { machine, watchProcessorPressure } from './machine.ts';

const PAYRUN = fileURLToPath(new URL('../bin/payrun', import.meta.url));
/** Requests that move money. */
const SENDING = ['simple-payment-create', 'simple-payment-fund'];
/** And those that prepare them. */
const PREPARING = [...SENDING, 'simple-payment-quote', 'beneficiary-create'];
/** After this many of them, the run has reached its full rate again. */
const SENT_BETWEEN_STOPS = 5;
/** For this long after the stop, requests are still looked for. */
const OBSERVED_MS = 3_000;
const POLL_MS = 25;
const WAIT_LIMIT = { withinMs: 60_000, otherwise: 'nothing happened' };

interface Scenario {
  readonly requestsPerSecond: number;
  readonly rowsPerStop: number;
  /** The server is killed as soon as the stop is recorded. */
  readonly isServerKilled: boolean;
}

const AT_THE_LIMIT = { requestsPerSecond: 5, rowsPerStop: 10 };
const AT_A_HUNDRED = { requestsPerSecond: 100, rowsPerStop: 150 };

const scenarios: Readonly<Record<string, Scenario>> = {
  fiveASecond: { ...AT_THE_LIMIT, isServerKilled: false },
  fiveASecondServerKilled: { ...AT_THE_LIMIT, isServerKilled: true },
  hundredASecond: { ...AT_A_HUNDRED, isServerKilled: false },
  hundredASecondServerKilled: { ...AT_A_HUNDRED, isServerKilled: true },
};

/** How long a run still sends requests after `payrun stop` was started. */
export const stopBenchmark: Benchmark = {
  summary: 'Seconds from the start of the command `payrun stop` to the last request that is sent, repeated many times.',
  usage: '[--times 50] [--only fiveASecond,fiveASecondServerKilled,hundredASecond,hundredASecondServerKilled]',
  run: async (args, report) => {
    const { values } = parseArgs({
      args: [...args],
      options: { times: { type: 'string', default: '50' }, only: { type: 'string' } },
    });
    const times = wholeNumber('times', values.times, 1);
    const measurements: Record<string, Measurements> = {};
    for (const name of values.only?.split(',') ?? Object.keys(scenarios)) {
      const scenario = scenarios[name];
      if (!scenario) throw new Error(`--only: takes ${Object.keys(scenarios).join(', ')}, not "${name}"`);
      report(`stop: ${name}, ${times} times`);
      measurements[name] = await measure(scenario, times, report);
      report(`stop: ${name}: ${JSON.stringify(measurements[name])}`);
    }
    return { ...measurements, times, machine: machine() };
  },
};

interface Stop {
  /** Seconds from the start of the command; 0 when no such request was sent after it. */
  readonly toRecord: number;
  readonly toLastSent: number;
  readonly toLastPrepared: number;
  /** Seconds from the moment when the stop was recorded. */
  readonly fromRecordToLastSent: number;
  /** Requests in the second before the command. */
  readonly inSecondBefore: number;
  readonly exitCode: number | null;
}

async function measure(scenario: Scenario, times: number, report: (line: string) => void): Promise<Measurements> {
  const { requestsPerSecond, rowsPerStop } = scenario;
  const stack = await startBenchStack({ requestsPerSecond, sandboxFlags: [], report });
  const database = new pg.Pool({ connectionString: stack.databaseUrl, max: 1 });
  try {
    await stack.startWorker();
    const { token } = await stack.checker.issueToken({ label: 'bench', scopes: ['decide'] });
    const runId = await proposeRun(stack, benchRows((times + 1) * rowsPerStop, 'stop'));
    await approveRun(stack.checker, runId);
    const stops: Stop[] = [];
    const processorPressure = watchProcessorPressure();
    while (stops.length < times) {
      await untilSending(stack);
      stops.push(await stopOnce({ stack, database, runId, token, scenario }));
      await lift(stack);
    }
    return { ...summaryOf(stops), processorPressure: processorPressure(), ...(await ledgerOf(stack)) };
  } finally {
    await database.end();
    await stack.stop();
  }
}

interface StopInput {
  readonly stack: BenchStack;
  readonly database: pg.Pool;
  readonly runId: string;
  readonly token: string;
  readonly scenario: Scenario;
}

async function stopOnce({ stack, database, runId, token, scenario }: StopInput): Promise<Stop> {
  const before = await stopsIn(database);
  const startedMs = Date.now();
  const command = spawn(process.execPath, [PAYRUN, 'stop', runId], {
    env: { PATH: process.env['PATH'], PAYRUN_URL: stack.serverUrl, PAYRUN_TOKEN: token },
    stdio: 'ignore',
  });
  const exited = new Promise<number | null>((resolve) => command.once('exit', resolve));
  const recordedMs = await untilRecorded(database, before);
  if (scenario.isServerKilled) await stack.killServer();
  const exitCode = await exited;
  await sleep(OBSERVED_MS);
  if (scenario.isServerKilled) await stack.restartServer();
  const requests = (await stack.sandbox.requests()).map(({ at, operation }) => ({ atMs: Date.parse(at), operation }));
  const last = (operations: readonly string[]): number =>
    Math.max(...requests.filter(({ operation }) => operations.includes(operation)).map(({ atMs }) => atMs));
  const seconds = (fromMs: number, toMs: number): number => Math.max(0, toMs - fromMs) / 1000;
  return {
    toRecord: seconds(startedMs, recordedMs),
    toLastSent: seconds(startedMs, last(SENDING)),
    toLastPrepared: seconds(startedMs, last(PREPARING)),
    fromRecordToLastSent: seconds(recordedMs, last(SENDING)),
    inSecondBefore: requests.filter(({ atMs }) => atMs > startedMs - 1_000 && atMs <= startedMs).length,
    exitCode,
  };
}

async function stopsIn(database: pg.Pool): Promise<number> {
  const { rows } = await database.query<{ count: number }>('select count(*)::int as count from stops');
  return rows[0]?.count ?? 0;
}

async function untilRecorded(database: pg.Pool, before: number): Promise<number> {
  await until(async () => (await stopsIn(database)) > before, { ...WAIT_LIMIT, everyMs: POLL_MS });
  return Date.now();
}

async function untilSending({ sandbox }: BenchStack): Promise<void> {
  const sent = async (): Promise<number> => {
    const { byOperation } = (await sandbox.ledger()).requests;
    return SENDING.reduce((sum, operation) => sum + (byOperation[operation] ?? 0), 0);
  };
  const before = await sent();
  await until(async () => (await sent()) >= before + SENT_BETWEEN_STOPS, { ...WAIT_LIMIT, everyMs: 2 * POLL_MS });
  // By then every workflow that waited has been notified that the stop was lifted.
  await sleep(1_000);
}

async function lift({ maker, checker }: BenchStack): Promise<void> {
  const [stop] = (await maker.listStops()).stops;
  if (stop === undefined) throw new Error('there is no stop to lift');
  await maker.liftStop(liftOf(stop));
  const [asked = stop] = (await checker.listStops()).stops;
  const { state } = await checker.liftStop(liftOf(asked));
  if (state !== 'lifted') throw new Error('the stop was not lifted');
}

function summaryOf(stops: readonly Stop[]): Measurements {
  const of = (name: keyof Stop): Measurements => {
    const sorted = stops.map((stop) => Number(stop[name])).sort((a, b) => a - b);
    return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, worst: sorted.at(-1) ?? 0 };
  };
  return {
    stops: stops.length,
    secondsToLastSent: of('toLastSent'),
    secondsToLastPrepared: of('toLastPrepared'),
    secondsToRecord: of('toRecord'),
    secondsFromRecordToLastSent: of('fromRecordToLastSent'),
    requestsInTheSecondBefore: of('inSecondBefore'),
    answered: stops.filter(({ exitCode }) => exitCode === 0).length,
  };
}

async function ledgerOf({ sandbox }: BenchStack): Promise<Measurements> {
  const { createdMoreThanOnce, fundedMoreThanOnce, rejectedByLimit } = await sandbox.ledger();
  return {
    createdMoreThanOnce: createdMoreThanOnce.length,
    fundedMoreThanOnce: fundedMoreThanOnce.length,
    rejected: rejectedByLimit,
  };
}

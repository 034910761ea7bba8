import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { Benchmark, Findings } from './benchmark.ts';
import { approveRun } from './engine/approve-run.ts';
import { benchRows } from './engine/bench-rows.ts';
import { type BenchStack, startBenchStack } from './engine/bench-stack.ts';
import { proposeRun } from './engine/pay-run.ts';
import { watchProcessorPressure } from './engine/processor-pressure.ts';
import { until } from './engine/until.ts';
import { wholeNumber } from './flags.ts';
import { machine } from './machine.ts';

const PAYRUN = fileURLToPath(new URL('../bin/payrun', import.meta.url));
/** What sends money on its way. */
const SENDING = ['simple-payment-create', 'simple-payment-fund'];
/** And what leads to it. */
const PREPARING = [...SENDING, 'simple-payment-quote', 'beneficiary-create'];
/** The run is in its stride again after so many of them. */
const SENT_BETWEEN_STOPS = 5;
/** So long it is watched that nothing more leaves. */
const WATCHED_MS = 3_000;
const POLL_MS = 25;
const PATIENCE = { withinMs: 60_000, otherwise: 'nothing happened' };

interface Scenario {
  readonly requestsPerSecond: number;
  readonly rowsPerStop: number;
  /** The server is killed as soon as the stop is in the record. */
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

/** How long after `payrun stop` was typed a run still sends something. */
export const stopBenchmark: Benchmark = {
  summary: 'Seconds from the start of the command `payrun stop` to the last request that leaves, many times.',
  usage: '[--times 50] [--only fiveASecond,fiveASecondServerKilled,hundredASecond,hundredASecondServerKilled]',
  run: async (args, report) => {
    const { values } = parseArgs({
      args: [...args],
      options: { times: { type: 'string', default: '50' }, only: { type: 'string' } },
    });
    const times = wholeNumber('times', values.times, 1);
    const findings: Record<string, Findings> = {};
    for (const name of values.only?.split(',') ?? Object.keys(scenarios)) {
      const scenario = scenarios[name];
      if (!scenario) throw new Error(`--only: takes ${Object.keys(scenarios).join(', ')}, not "${name}"`);
      report(`stop: ${name}, ${times} times`);
      findings[name] = await measure(scenario, times, report);
      report(`stop: ${name}: ${JSON.stringify(findings[name])}`);
    }
    return { ...findings, times, machine: machine() };
  },
};

interface Stop {
  /** Seconds from the start of the command. The last requests: 0 when none left after it. */
  readonly toRecord: number;
  readonly toLastSent: number;
  readonly toLastPrepared: number;
  /** From the moment when it was in the record. */
  readonly fromRecordToLastSent: number;
  /** Requests in the second before the command. */
  readonly inSecondBefore: number;
  readonly exitCode: number | null;
}

async function measure(scenario: Scenario, times: number, report: (line: string) => void): Promise<Findings> {
  const { requestsPerSecond, rowsPerStop } = scenario;
  const stack = await startBenchStack({ requestsPerSecond, sandboxFlags: [], report });
  const record = new pg.Pool({ connectionString: stack.databaseUrl, max: 1 });
  try {
    await stack.startWorker();
    const { token } = await stack.checker.tokens.create({ label: 'bench' });
    const runId = await proposeRun(stack, benchRows((times + 1) * rowsPerStop, 'stop'));
    await approveRun(stack.checker, runId);
    const stops: Stop[] = [];
    const processorPressure = watchProcessorPressure();
    while (stops.length < times) {
      await untilSending(stack);
      stops.push(await stopOnce({ stack, record, runId, token, scenario }));
      await lift(stack);
    }
    return { ...summaryOf(stops), processorPressure: processorPressure(), ...(await ledgerOf(stack)) };
  } finally {
    await record.end();
    await stack.stop();
  }
}

interface Trial {
  readonly stack: BenchStack;
  readonly record: pg.Pool;
  readonly runId: string;
  readonly token: string;
  readonly scenario: Scenario;
}

async function stopOnce({ stack, record, runId, token, scenario }: Trial): Promise<Stop> {
  const before = await stopsIn(record);
  const beganMs = Date.now();
  const command = spawn(process.execPath, [PAYRUN, 'stop', runId], {
    env: { PATH: process.env['PATH'], PAYRUN_URL: stack.serverUrl, PAYRUN_TOKEN: token },
    stdio: 'ignore',
  });
  const exited = new Promise<number | null>((resolve) => command.once('exit', resolve));
  const recordedMs = await untilRecorded(record, before);
  if (scenario.isServerKilled) await stack.killServer();
  const exitCode = await exited;
  await sleep(WATCHED_MS);
  if (scenario.isServerKilled) await stack.startServerAgain();
  const requests = (await stack.sandbox.requests()).map(({ at, operation }) => ({ atMs: Date.parse(at), operation }));
  const last = (operations: readonly string[]): number =>
    Math.max(...requests.filter(({ operation }) => operations.includes(operation)).map(({ atMs }) => atMs));
  const seconds = (fromMs: number, toMs: number): number => Math.max(0, toMs - fromMs) / 1000;
  return {
    toRecord: seconds(beganMs, recordedMs),
    toLastSent: seconds(beganMs, last(SENDING)),
    toLastPrepared: seconds(beganMs, last(PREPARING)),
    fromRecordToLastSent: seconds(recordedMs, last(SENDING)),
    inSecondBefore: requests.filter(({ atMs }) => atMs > beganMs - 1_000 && atMs <= beganMs).length,
    exitCode,
  };
}

async function stopsIn(record: pg.Pool): Promise<number> {
  const { rows } = await record.query<{ count: number }>('select count(*)::int as count from stops');
  return rows[0]?.count ?? 0;
}

async function untilRecorded(record: pg.Pool, before: number): Promise<number> {
  await until(async () => (await stopsIn(record)) > before, { ...PATIENCE, everyMs: POLL_MS });
  return Date.now();
}

async function untilSending({ sandbox }: BenchStack): Promise<void> {
  const sent = async (): Promise<number> => {
    const { byOperation } = (await sandbox.ledger()).requests;
    return SENDING.reduce((sum, operation) => sum + (byOperation[operation] ?? 0), 0);
  };
  const before = await sent();
  await until(async () => (await sent()) >= before + SENT_BETWEEN_STOPS, { ...PATIENCE, everyMs: 2 * POLL_MS });
  // Whatever waits for the stop to be lifted has been told by then.
  await sleep(1_000);
}

async function lift({ maker, checker }: BenchStack): Promise<void> {
  const [stop] = await maker.stops.list();
  if (stop === undefined) throw new Error('no stop holds');
  await maker.stops.lift(stop.stopId);
  const { state } = await checker.stops.lift(stop.stopId);
  if (state !== 'lifted') throw new Error('the stop was not lifted');
}

function summaryOf(stops: readonly Stop[]): Findings {
  const of = (figure: keyof Stop): Findings => {
    const sorted = stops.map((stop) => Number(stop[figure])).sort((a, b) => a - b);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { median: at(0.5), worst: at(1) };
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

async function ledgerOf({ sandbox }: BenchStack): Promise<Findings> {
  const { createdMoreThanOnce, fundedMoreThanOnce, rejectedByLimit } = await sandbox.ledger();
  return {
    createdMoreThanOnce: createdMoreThanOnce.length,
    fundedMoreThanOnce: fundedMoreThanOnce.length,
    rejected: rejectedByLimit,
  };
}

import { parseArgs } from 'node:util';
import type { ServiceProcess } from '../local/embedded/service-process.ts';
import { type Benchmark, type Measurements, wholeNumber } from './benchmark.ts';
import { benchRows } from './harness/bench-rows.ts';
import { type BenchStack, startBenchStack } from './harness/bench-stack.ts';
import { approveRun, proposeRun, untilPaid } from './harness/pay-run.ts';
import { until } from './harness/until.ts';
import { machine, processorTimeMs, watchProcessorPressure } from './machine.ts';

const REQUESTS_PER_SECOND = 5;
/** Between two kills the run sends this many requests, so that it has reached its full rate again. */
const REQUESTS_BETWEEN_KILLS = 40;
const PAYMENTS_PER_KILL = 25;
const WAIT_LIMIT = { everyMs: 50, withinMs: 120_000, otherwise: 'the provider received no request' };

/** How long the provider receives nothing after a worker was killed and started again. */
export const recoveryBenchmark: Benchmark = {
  summary: 'Seconds from the start of a new worker, after a kill -9 in the middle of a run, to its next request.',
  usage: '[--kills 5]',
  run: async (args, report) => {
    const { values } = parseArgs({ args: [...args], options: { kills: { type: 'string', default: '5' } } });
    const kills = wholeNumber('kills', values.kills, 1);
    const stack = await startBenchStack({ requestsPerSecond: REQUESTS_PER_SECOND, sandboxFlags: [], report });
    try {
      return { ...(await measure(stack, kills, report)), machine: machine() };
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, kills: number, report: (line: string) => void): Promise<Measurements> {
  let worker = await stack.startWorker();
  // Enough payments that some are still unsent at the last kill.
  const runId = await proposeRun(stack, benchRows((kills + 1) * PAYMENTS_PER_KILL, 'recovery'));
  await approveRun(stack.checker, runId);
  const found: Recovery[] = [];
  const processorPressure = watchProcessorPressure();
  while (found.length < kills) {
    const { requests } = await stack.sandbox.ledger();
    await untilRequests(stack, requests.total + REQUESTS_BETWEEN_KILLS);
    const recovery = await killAndRestart(stack, worker);
    worker = recovery.worker;
    found.push(recovery);
    report(`recovery: ${recovery.toNextRequest} s to the next request, ready after ${recovery.toReady} s`);
  }
  await untilPaid(stack, runId);
  const ledger = await stack.sandbox.ledger();
  const seconds = found.map(({ toNextRequest }) => toNextRequest).sort((a, b) => a - b);
  return {
    secondsToNextRequest: found.map(({ toNextRequest }) => toNextRequest),
    secondsToReady: found.map(({ toReady }) => toReady),
    processorSecondsToReady: found.map(({ processorTime }) => processorTime),
    medianSeconds: seconds[Math.floor(seconds.length / 2)] ?? Number.NaN,
    worstSeconds: seconds.at(-1) ?? Number.NaN,
    processorPressure: processorPressure(),
    rejected: ledger.rejectedByLimit,
    mostInAnySecond: ledger.mostInAnySecond,
    createdMoreThanOnce: ledger.createdMoreThanOnce.length,
    fundedMoreThanOnce: ledger.fundedMoreThanOnce.length,
  };
}

interface Recovery {
  readonly worker: ServiceProcess;
  /** Seconds from the start of the new process. */
  readonly toReady: number;
  readonly toNextRequest: number;
  /** Seconds of processor time that the new process had used when it was ready. */
  readonly processorTime: number | null;
}

/** The workflow bundle is already on disk; the new worker's workflow cache is empty. */
async function killAndRestart(stack: BenchStack, worker: ServiceProcess): Promise<Recovery> {
  process.kill(worker.pid, 'SIGKILL');
  await worker.exited;
  const { requests: before } = await stack.sandbox.ledger();
  const startedMs = Date.now();
  const starting = stack.startWorker().then((started) => {
    return { started, readyMs: Date.now(), usedMs: processorTimeMs(started.pid) };
  });
  await untilRequests(stack, before.total + 1);
  const next = (await stack.sandbox.requests()).find(({ at }) => Date.parse(at) >= startedMs);
  const { started, readyMs, usedMs } = await starting;
  if (!next) throw new Error("the sandbox's log does not show the request that its ledger counts");
  return {
    worker: started,
    processorTime: usedMs === null ? null : usedMs / 1000,
    toReady: (readyMs - startedMs) / 1000,
    toNextRequest: (Date.parse(next.at) - startedMs) / 1000,
  };
}

async function untilRequests({ sandbox }: BenchStack, count: number): Promise<void> {
  await until(async () => (await sandbox.ledger()).requests.total >= count, WAIT_LIMIT);
}

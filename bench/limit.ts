import { parseArgs } from 'node:util';
import type { ServiceProcess } from '../local/embedded/service-process.ts';
import { type Benchmark, type Measurements, wholeNumber } from './benchmark.ts';
import { benchRows } from './harness/bench-rows.ts';
import { type BenchStack, startBenchStack } from './harness/bench-stack.ts';
import { startDelayingRelay } from './harness/delaying-relay.ts';
import { addNetworkNamespace, type NetworkNamespace } from './harness/network-namespace.ts';
import { approveRun, proposeRun, untilPaid } from './harness/pay-run.ts';
import { increaseOf, type ProviderLedger, REQUESTS_KEPT } from './harness/sandbox-view.ts';
import { fundingsIn, steadyStateOf } from './harness/steady-state.ts';
import { type Relay, startTcpRelay } from './harness/tcp-relay.ts';
import { machine, watchProcessorPressure } from './machine.ts';

const REQUESTS_PER_SECOND = 5;
/** Quote, create and fund: all other requests lower the share of the limit. */
const MIN_REQUESTS = 3;
/** The sandbox's log of requests must hold the whole run. */
const MAX_PAYMENTS = Math.floor(REQUESTS_KEPT / 3.3);

/** Adds the workers of a scenario to the stack. `remarks` describes them in the result. */
type WorkerSetup = (stack: BenchStack) => Promise<{ remarks: Measurements; tearDown: () => Promise<void> }>;

const scenarios: Readonly<Record<string, WorkerSetup>> = { oneWorker, twoWorkers, jitter };

/** How much of the provider's limit a run uses, and whether it ever exceeds it. */
export const limitBenchmark: Benchmark = {
  summary:
    'How much of the limit of 5 requests a second a run uses: one worker, two workers, and round trips that vary.',
  usage: '[--payments 300] [--only oneWorker,twoWorkers,jitter]',
  run: async (args, report) => {
    const { values } = parseArgs({
      args: [...args],
      options: { payments: { type: 'string', default: '300' }, only: { type: 'string' } },
    });
    const payments = wholeNumber('payments', values.payments, 30);
    if (payments > MAX_PAYMENTS)
      throw new Error(`--payments: takes at most ${MAX_PAYMENTS}, because the sandbox's request log holds no more`);
    const names = values.only?.split(',') ?? Object.keys(scenarios);
    const measurements: Record<string, Measurements> = {};
    for (const name of names) {
      const setUp = scenarios[name];
      if (!setUp) throw new Error(`--only: takes ${Object.keys(scenarios).join(', ')}, not "${name}"`);
      report(`limit: ${name}, ${payments} payments`);
      measurements[name] = await measure(setUp, payments, report);
      report(`limit: ${name}: ${JSON.stringify(measurements[name])}`);
    }
    return { ...measurements, payments, machine: machine() };
  },
};

async function measure(setUp: WorkerSetup, payments: number, report: (line: string) => void): Promise<Measurements> {
  const stack = await startBenchStack({ requestsPerSecond: REQUESTS_PER_SECOND, sandboxFlags: [], report });
  try {
    const { remarks, tearDown } = await setUp(stack);
    try {
      const runId = await proposeRun(stack, benchRows(payments, 'limit'));
      const before = await stack.sandbox.ledger();
      const processorPressure = watchProcessorPressure();
      await approveRun(stack.checker, runId);
      await untilPaid(stack, runId);
      return { ...(await measurementsOf(stack, before, payments)), processorPressure: processorPressure(), ...remarks };
    } finally {
      await tearDown();
    }
  } finally {
    await stack.stop();
  }
}

async function measurementsOf(
  { sandbox }: BenchStack,
  before: ProviderLedger,
  payments: number,
): Promise<Measurements> {
  const [ledger, requests] = [await sandbox.ledger(), await sandbox.requests()];
  const steady = steadyStateOf(fundingsIn(requests));
  const inSteadyState = requests.filter(({ at }) => Date.parse(at) > steady.fromMs && Date.parse(at) <= steady.toMs);
  const byOperation = increaseOf(ledger.requests.byOperation, before.requests.byOperation);
  const { 'beneficiary-create': beneficiaries = 0, 'auth-authenticate': signIns = 0, ...paying } = byOperation;
  const counted = Object.values(paying).reduce((sum, count) => sum + count, 0);
  return {
    shareOfLimit: rounded(((steady.payments / steady.seconds) * MIN_REQUESTS) / REQUESTS_PER_SECOND),
    rejected: ledger.rejectedByLimit,
    mostInAnySecond: ledger.mostInAnySecond,
    requestsPerPayment: rounded(counted / payments),
    steadyState: {
      payments: steady.payments,
      seconds: rounded(steady.seconds),
      requests: inSteadyState.length,
      requestsPerSecond: rounded(inSteadyState.length / steady.seconds),
    },
    requests: paying,
    leftOut: { beneficiaries, signIns, beforeApproval: before.requests.total },
  };
}

async function oneWorker(stack: BenchStack): ReturnType<WorkerSetup> {
  const worker = await stack.startWorker();
  return { remarks: {}, tearDown: worker.stop };
}

/** Each in its own network namespace, connected by a virtual interface; as two processes where that is not permitted. */
async function twoWorkers(stack: BenchStack): ReturnType<WorkerSetup> {
  const cleanUps: (() => Promise<void>)[] = [];
  const tearDown = async (): Promise<void> => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  };
  try {
    const namespaces = await Promise.all([addNetworkNamespace(1), addNetworkNamespace(2)]);
    for (const namespace of namespaces) if (namespace) cleanUps.push(() => namespace.remove());
    const [first, second] = namespaces;
    if (!first || !second) {
      for (const name of ['worker-1', 'worker-2']) cleanUps.push((await stack.startWorker({ name })).stop);
      return { remarks: { workersAre: 'two processes' }, tearDown };
    }
    // A database belongs to one provider, so both workers must know it by the same address.
    const apiUrl = (await relayTo(first.hostAddress, new URL(stack.sandboxUrl), cleanUps)).origin;
    cleanUps.push((await startInNamespace(stack, { name: 'worker-1', apiUrl }, first, cleanUps)).stop);
    cleanUps.push((await startInNamespace(stack, { name: 'worker-2', apiUrl }, second, cleanUps)).stop);
    return { remarks: { workersAre: 'in two network namespaces' }, tearDown };
  } catch (error) {
    await tearDown();
    throw error;
  }
}

async function startInNamespace(
  stack: BenchStack,
  { name, apiUrl }: { readonly name: string; readonly apiUrl: string },
  { name: namespace, hostAddress }: NetworkNamespace,
  cleanUps: (() => Promise<void>)[],
): Promise<ServiceProcess> {
  const databaseUrl = (await relayTo(hostAddress, new URL(stack.databaseUrl), cleanUps)).href;
  const temporalAddress = (await relayTo(hostAddress, new URL(`http://${stack.temporalAddress}`), cleanUps)).host;
  return stack.startWorker({ name, namespace, databaseUrl, temporalAddress, apiUrl });
}

/** Starts a relay on `hostAddress` to the service at `address`, and returns the address through the relay. */
async function relayTo(hostAddress: string, address: URL, cleanUps: (() => Promise<void>)[]): Promise<URL> {
  const relay = await startTcpRelay(hostAddress, Number(address.port));
  cleanUps.push(() => relay.close());
  const relayed = new URL(address);
  relayed.host = `${hostAddress}:${relay.port}`;
  return relayed;
}

/** The round trip to the provider differs from request to request, and so do its two directions. */
async function jitter(stack: BenchStack): ReturnType<WorkerSetup> {
  const [minMs, maxMs] = [5, 150];
  const targetPort = Number(new URL(stack.sandboxUrl).port);
  const relay: Relay = await startDelayingRelay({ targetPort, minMs, maxMs, seed: 'limit' });
  const worker = await stack.startWorker({ name: 'worker', apiUrl: `http://127.0.0.1:${relay.port}` });
  const tearDown = async (): Promise<void> => {
    await worker.stop();
    await relay.close();
  };
  return { remarks: { roundTripMs: { leastMs: minMs, mostMs: maxMs } }, tearDown };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

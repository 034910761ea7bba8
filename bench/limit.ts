import { parseArgs } from 'node:util';
import type { ServiceProcess } from '../local/embedded/service-process.ts';
import type { Benchmark, Findings } from './benchmark.ts';
import { approveRun } from './engine/approve-run.ts';
import { benchRows } from './engine/bench-rows.ts';
import { type BenchStack, startBenchStack } from './engine/bench-stack.ts';
import { differenceOf } from './engine/difference-of.ts';
import { startDelayingRelay } from './engine/delaying-relay.ts';
import { addNetworkNamespace, type NetworkNamespace } from './engine/network-namespace.ts';
import { proposeRun, untilPaid } from './engine/pay-run.ts';
import { watchProcessorPressure } from './engine/processor-pressure.ts';
import { type ProviderLedger, REQUESTS_KEPT } from './engine/sandbox-view.ts';
import { fundingsIn, steadyStateOf } from './engine/steady-state.ts';
import { type Relay, startTcpRelay } from './engine/tcp-relay.ts';
import { wholeNumber } from './flags.ts';
import { machine } from './machine.ts';

const REQUESTS_PER_SECOND = 5;
/** Quote, create and fund: more than these is the cost of everything else. */
const LEAST_REQUESTS = 3;
/** The sandbox's log of requests must hold the whole run. */
const MOST_PAYMENTS = Math.floor(REQUESTS_KEPT / 3.3);

/** What a scenario adds to the stack: its workers, and what is to be said of them. */
type Place = (stack: BenchStack) => Promise<{ remarks: Findings; leave: () => Promise<void> }>;

const scenarios: Readonly<Record<string, Place>> = { oneWorker, twoWorkers, jitter };

/** How much of the provider's limit a run uses, and whether it ever goes over it. */
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
    if (payments > MOST_PAYMENTS)
      throw new Error(`--payments: takes ${MOST_PAYMENTS} at the most, as the sandbox keeps that much`);
    const names = values.only?.split(',') ?? Object.keys(scenarios);
    const findings: Record<string, Findings> = {};
    for (const name of names) {
      const place = scenarios[name];
      if (!place) throw new Error(`--only: takes ${Object.keys(scenarios).join(', ')}, not "${name}"`);
      report(`limit: ${name}, ${payments} payments`);
      findings[name] = await measure(place, payments, report);
      report(`limit: ${name}: ${JSON.stringify(findings[name])}`);
    }
    return { ...findings, payments, machine: machine() };
  },
};

async function measure(place: Place, payments: number, report: (line: string) => void): Promise<Findings> {
  const stack = await startBenchStack({ requestsPerSecond: REQUESTS_PER_SECOND, sandboxFlags: [], report });
  try {
    const { remarks, leave } = await place(stack);
    try {
      const runId = await proposeRun(stack, benchRows(payments, 'limit'));
      const before = await stack.sandbox.ledger();
      const processorPressure = watchProcessorPressure();
      await approveRun(stack.checker, runId);
      await untilPaid(stack, runId);
      return { ...(await findingsOf(stack, before, payments)), processorPressure: processorPressure(), ...remarks };
    } finally {
      await leave();
    }
  } finally {
    await stack.stop();
  }
}

async function findingsOf({ sandbox }: BenchStack, before: ProviderLedger, payments: number): Promise<Findings> {
  const [ledger, requests] = [await sandbox.ledger(), await sandbox.requests()];
  const steady = steadyStateOf(fundingsIn(requests));
  const inSteadyState = requests.filter(({ at }) => Date.parse(at) > steady.fromMs && Date.parse(at) <= steady.toMs);
  const byOperation = differenceOf(ledger.requests.byOperation, before.requests.byOperation);
  const { 'beneficiary-create': beneficiaries = 0, 'auth-authenticate': signIns = 0, ...paying } = byOperation;
  const counted = Object.values(paying).reduce((sum, count) => sum + count, 0);
  return {
    shareOfLimit: rounded(((steady.payments / steady.seconds) * LEAST_REQUESTS) / REQUESTS_PER_SECOND),
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

async function oneWorker(stack: BenchStack): ReturnType<Place> {
  const worker = await stack.startWorker();
  return { remarks: {}, leave: worker.stop };
}

/** Each in a network namespace of its own, from where everything is reached over a virtual wire; else as processes. */
async function twoWorkers(stack: BenchStack): ReturnType<Place> {
  const left: (() => Promise<void>)[] = [];
  const leave = async (): Promise<void> => {
    for (const each of left.toReversed()) await each();
  };
  try {
    const namespaces = await Promise.all([addNetworkNamespace(1), addNetworkNamespace(2)]);
    for (const namespace of namespaces) if (namespace) left.push(() => namespace.remove());
    const [first, second] = namespaces;
    if (!first || !second) {
      for (const name of ['worker-1', 'worker-2']) left.push((await stack.startWorker({ name })).stop);
      return { remarks: { workersAre: 'two processes' }, leave };
    }
    // A database belongs to one provider, so both workers must know it by the same address.
    const apiUrl = (await relayTo(first.hostAddress, new URL(stack.sandboxUrl), left)).origin;
    left.push((await startApart(stack, { name: 'worker-1', apiUrl }, first, left)).stop);
    left.push((await startApart(stack, { name: 'worker-2', apiUrl }, second, left)).stop);
    return { remarks: { workersAre: 'in two network namespaces' }, leave };
  } catch (error) {
    await leave();
    throw error;
  }
}

async function startApart(
  stack: BenchStack,
  { name, apiUrl }: { readonly name: string; readonly apiUrl: string },
  { name: namespace, hostAddress }: NetworkNamespace,
  left: (() => Promise<void>)[],
): Promise<ServiceProcess> {
  const databaseUrl = (await relayTo(hostAddress, new URL(stack.databaseUrl), left)).href;
  const temporalAddress = (await relayTo(hostAddress, new URL(`http://${stack.temporalAddress}`), left)).host;
  return stack.startWorker({ name, namespace, databaseUrl, temporalAddress, apiUrl });
}

/** A relay on `hostAddress` before the service at `address`; what it answers is the address by way of the relay. */
async function relayTo(hostAddress: string, address: URL, left: (() => Promise<void>)[]): Promise<URL> {
  const relay = await startTcpRelay(hostAddress, Number(address.port));
  left.push(() => relay.close());
  const reached = new URL(address);
  reached.host = `${hostAddress}:${relay.port}`;
  return reached;
}

/** Round trips to the provider that differ from request to request, and in both directions apart. */
async function jitter(stack: BenchStack): ReturnType<Place> {
  const roundTripMs = { leastMs: 5, mostMs: 150 };
  const targetPort = Number(new URL(stack.sandboxUrl).port);
  const relay: Relay = await startDelayingRelay({ targetPort, ...roundTripMs, seed: 'limit' });
  const worker = await stack.startWorker({ name: 'worker', apiUrl: `http://127.0.0.1:${relay.port}` });
  const leave = async (): Promise<void> => {
    await worker.stop();
    await relay.close();
  };
  return { remarks: { roundTripMs }, leave };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

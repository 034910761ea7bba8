import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../local/embedded/free-port.ts';
import { spawnService } from '../local/embedded/service-process.ts';
import { spawnCommand } from '../local/stack/spawn-command.ts';
import { type Benchmark, type Measurements, wholeNumber } from './benchmark.ts';
import { ConnectionPool } from './load/connection-pool.ts';
import { makePayments, type Mix } from './load/payment-load.ts';
import { addBeneficiaries, checkLedger, signIn } from './load/sandbox-account.ts';
import { machine, processorTimeMs } from './machine.ts';

interface Plan {
  readonly payments: number;
  readonly connections: number;
  readonly report: (line: string) => void;
}

/** Not measured: the runtime still compiles the code. */
const WARM_UP_PAYMENTS = 1000;
const TENTHS = 10;

/** How many requests a second the sandbox answers, and whether stored payments slow it down. */
export const sandboxBenchmark: Benchmark = {
  summary: 'How many requests a second the sandbox answers, with the mix of requests that a run makes.',
  usage: '[--payments 20000] [--connections 32]',
  run: async (args, report) => {
    const { values } = parseArgs({
      args: [...args],
      options: { payments: { type: 'string', default: '20000' }, connections: { type: 'string', default: '32' } },
    });
    const plan = {
      payments: wholeNumber('payments', values.payments, 100),
      connections: wholeNumber('connections', values.connections, 1),
      report,
    };
    const home = await mkdtemp(join(tmpdir(), 'payrun-bench-'));
    try {
      const loadGeneratorCeiling = await measureCeiling(home, plan);
      return { ...(await measureSandbox(home, plan)), loadGeneratorCeiling, machine: machine() };
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
};

/** Requests a second of the same load against a server that does nothing. */
async function measureCeiling(home: string, { connections, report }: Plan): Promise<number> {
  const port = await freePort();
  const server = await spawnService({
    name: 'trivial-server',
    command: process.execPath,
    args: ['--import', 'tsx', fileURLToPath(new URL('load/trivial-server.ts', import.meta.url)), String(port)],
    env: process.env,
    logFile: join(home, 'logs', 'trivial-server.log'),
    readyWhen: (line) => line.includes('is ready'),
    report,
  });
  const headers = { 'content-type': 'application/json' };
  const pool = new ConnectionPool(`http://127.0.0.1:${port}`, connections, headers);
  const load = { pool, name: 'load', concurrency: connections, beneficiaryIds: [], onPayment: () => undefined };
  try {
    await makePayments({ ...load, payments: WARM_UP_PAYMENTS });
    const startedMs = performance.now();
    const requests = total(await makePayments({ ...load, payments: 5000 }));
    return perSecond(requests, performance.now() - startedMs);
  } finally {
    pool.close();
    await server.stop();
  }
}

async function measureSandbox(home: string, { payments, connections, report }: Plan): Promise<Measurements> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const flags = ['--port', String(port), '--limit', '0', '--daily-limit', '0', '--balance', 'USD=900000000000.00'];
  const sandbox = await spawnCommand({ home, variables: process.env, report }, 'sandbox', flags);
  const pool = new ConnectionPool(url, connections, await signIn(url));
  try {
    const load = { pool, concurrency: connections, beneficiaryIds: await addBeneficiaries(pool, 50) };
    const warmUp = { name: 'warm-up', payments: WARM_UP_PAYMENTS, onPayment: () => undefined };
    await makePayments({ ...load, ...warmUp });
    const marks = [markOf(sandbox.pid)];
    const onPayment = (done: number): void => {
      if (done < (payments * marks.length) / TENTHS) return;
      marks.push(markOf(sandbox.pid));
      report(`${done} of ${payments} payments`);
    };
    const mix = await makePayments({ ...load, name: 'load', payments, onPayment });
    await checkLedger(url, WARM_UP_PAYMENTS + payments);
    return measurementsOf(mix, marks, { payments: WARM_UP_PAYMENTS + payments, connections });
  } finally {
    pool.close();
    await sandbox.stop();
  }
}

/** A point in the run: the time, and the sandbox's processor time until then. */
interface Mark {
  readonly atMs: number;
  readonly cpuMs: number | null;
}

const markOf = (pid: number): Mark => ({ atMs: performance.now(), cpuMs: processorTimeMs(pid) });

function measurementsOf(
  mix: Mix,
  marks: readonly Mark[],
  plan: { payments: number; connections: number },
): Measurements {
  const requests = total(mix);
  const [begin, firstEnd, lastBegin, end] = [marks[0], marks[1], marks.at(-2), marks.at(-1)];
  if (!begin || !firstEnd || !lastBegin || !end) throw new Error('the run was too short to be measured');
  const rateBetween = (
    from: Mark,
    to: Mark,
    count: number,
  ): { requestsPerSecond: number; cpuPerRequestMs: number | null } => ({
    requestsPerSecond: perSecond(count, to.atMs - from.atMs),
    cpuPerRequestMs: from.cpuMs === null || to.cpuMs === null ? null : rounded((to.cpuMs - from.cpuMs) / count),
  });
  return {
    requests,
    seconds: rounded((end.atMs - begin.atMs) / 1000),
    ...rateBetween(begin, end, requests),
    mix,
    firstTenth: rateBetween(begin, firstEnd, requests / TENTHS),
    lastTenth: rateBetween(lastBegin, end, requests / TENTHS),
    paymentsStored: plan.payments,
    connections: plan.connections,
  };
}

const total = (mix: Mix): number => Object.values(mix).reduce((sum, count) => sum + count, 0);

const perSecond = (count: number, tookMs: number): number => Math.round((count * 1000) / tookMs);

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { paymentStatusPollerWorkflowId, paymentRunWorkflowId, paymentWorkflowId } from '../domain/identifiers.ts';
import { type Benchmark, type Measurements, wholeNumber } from './benchmark.ts';
import { benchRows } from './harness/bench-rows.ts';
import { type BenchStack, openStackDatabase, startBenchStack } from './harness/bench-stack.ts';
import { historyCost } from './harness/history-cost.ts';
import { approveRun, proposeRun, untilPaid } from './harness/pay-run.ts';
import { startResourceMeter } from './harness/resource-meter.ts';
import { steadyStateOf } from './harness/steady-state.ts';
import { readStored, storedPerPayment } from './harness/stored-bytes.ts';
import { machine, watchProcessorPressure } from './machine.ts';

const GROWTH = [200, 2_000, 20_000];
/** Not measured: the runtime still compiles the code. */
const WARM_UP_PAYMENTS = 100;
/** How many payments have their workflow's history read. */
const SAMPLE = 50;

/** How many payments a second payrun makes without a request limit, and what each costs. */
export const throughputBenchmark: Benchmark = {
  summary: 'Payments a second without a request limit; processor time, memory and bytes per payment.',
  usage: '[--payments 2000] [--growth (runs of 200, 2,000 and 20,000)] [--upto 20000]',
  run: async (args, report) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        payments: { type: 'string', default: '2000' },
        growth: { type: 'boolean', default: false },
        upto: { type: 'string', default: '20000' },
      },
    });
    const sizes = values.growth
      ? GROWTH.filter((size) => size <= wholeNumber('upto', values.upto, 2_000))
      : [wholeNumber('payments', values.payments, 20)];
    const runs: Measured[] = [];
    for (const payments of sizes) {
      const measured = await measure(payments, report);
      report(`throughput: ${payments}: ${measured.paymentsPerSecond} a second`);
      runs.push(measured);
    }
    return { ...(values.growth ? { growth: growthOf(runs), runs } : runs[0]), machine: machine() };
  },
};

type Measured = Measurements & {
  readonly payments: number;
  readonly paymentsPerSecond: number;
  readonly cpuMsPerPayment: number;
};

/** Each run relative to the first. On a machine with other work, trust the processor time more than the rate. */
function growthOf(runs: readonly Measured[]): Measurements {
  const [first] = runs;
  if (!first) return {};
  return Object.fromEntries(
    runs.map(({ payments, paymentsPerSecond, cpuMsPerPayment }) => [
      String(payments),
      {
        ...{ paymentsPerSecond, cpuMsPerPayment },
        rateToFirst: rounded(paymentsPerSecond / first.paymentsPerSecond),
        cpuToFirst: rounded(cpuMsPerPayment / first.cpuMsPerPayment),
      },
    ]),
  );
}

async function measure(payments: number, report: (line: string) => void): Promise<Measured> {
  report(`throughput: ${payments} payments`);
  const stack = await startBenchStack({ requestsPerSecond: 0, sandboxFlags: [], report });
  const database = openStackDatabase(stack);
  try {
    const worker = await stack.startWorker();
    await untilPaid(
      stack,
      await approved(stack, await proposeRun(stack, benchRows(WARM_UP_PAYMENTS, 'warm-up', 40_000))),
    );
    const before = await readStored(database, stack);
    const runId = await proposeRun(stack, benchRows(payments, 'load'));
    const meter = startResourceMeter({ worker: worker.pid, ...stack.pids });
    const processorPressure = watchProcessorPressure();
    const startedMs = performance.now();
    await untilPaid(stack, await approved(stack, runId));
    const wholeRunSeconds = rounded((performance.now() - startedMs) / 1000);
    const [resources, paidPressure] = [meter.stop(payments), processorPressure()];
    const rows = await readPayments(database, runId);
    const steady = steadyStateOf(rows.map(({ fundedAtMs }) => fundedAtMs));
    const { rejectedByLimit, invariantHolds, requests } = await stack.sandbox.ledger();
    if (!invariantHolds || rejectedByLimit > 0) throw new Error("the sandbox's ledger does not add up");
    return {
      payments,
      paymentsPerSecond: rounded(steady.payments / steady.seconds),
      cpuMsPerPayment: cpuInAll(resources),
      wholeRunSeconds,
      processorPressure: paidPressure,
      requests: requests.byOperation,
      resources,
      stored: storedPerPayment(before, await readStored(database, stack), payments),
      history: await historyOf(stack, runId, rows),
    };
  } finally {
    await database.end();
    await stack.stop();
  }
}

async function approved({ checker }: BenchStack, runId: string): Promise<string> {
  await approveRun(checker, runId);
  return runId;
}

interface PaidRow {
  readonly paymentId: string;
  readonly fundedAtMs: number;
}

async function readPayments(database: Pool, runId: string): Promise<PaidRow[]> {
  const { rows } = await database.query<{ payment_id: string; funded_at: Date }>(
    'select payment_id, funded_at from payments where run_id = $1 order by row_number',
    [runId],
  );
  return rows.map((row) => ({ paymentId: row.payment_id, fundedAtMs: row.funded_at.getTime() }));
}

function historyOf(stack: BenchStack, runId: string, rows: readonly PaidRow[]): Promise<Measurements> {
  const step = Math.max(1, Math.floor(rows.length / SAMPLE));
  const sample = rows.filter((_, index) => index % step === 0).map(({ paymentId }) => paymentWorkflowId(paymentId));
  const shared = { run: paymentRunWorkflowId(runId), confirmation: paymentStatusPollerWorkflowId('default') };
  return historyCost(stack.temporalAddress, { count: rows.length, sample }, shared);
}

const cpuInAll = (resources: Measurements): number =>
  rounded(
    Object.values(resources).reduce<number>((sum, service) => {
      const { cpuMsPerPayment } = service as { cpuMsPerPayment: number | null };
      return sum + (cpuMsPerPayment ?? Number.NaN);
    }, 0),
  );

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

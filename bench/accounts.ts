import { parseArgs } from 'node:util';
import { type Benchmark, type Measurements, wholeNumber } from './benchmark.ts';
import { benchRows } from './harness/bench-rows.ts';
import { type BenchStack, startBenchStack } from './harness/bench-stack.ts';
import { approveRun, proposeRun, untilPaid } from './harness/pay-run.ts';
import { REQUESTS_KEPT } from './harness/sandbox-view.ts';
import { fundingsIn, steadyStateOf } from './harness/steady-state.ts';
import { machine, watchProcessorPressure } from './machine.ts';

const REQUESTS_PER_SECOND = 5;
/** Quote, create and fund. */
const MIN_REQUESTS = 3;
const MAX_PAYMENTS = Math.floor(REQUESTS_KEPT / 3.3);

/** Whether runs of several accounts, paid at the same time by one worker, use the limit of each account. */
export const accountsBenchmark: Benchmark = {
  summary: 'How much of its limit each of several accounts uses, with one worker and a run on each at the same time.',
  usage: '[--accounts 2] [--payments 150]',
  run: async (args, report) => {
    const { values } = parseArgs({
      args: [...args],
      options: { accounts: { type: 'string', default: '2' }, payments: { type: 'string', default: '150' } },
    });
    const accounts = wholeNumber('accounts', values.accounts, 1);
    const payments = wholeNumber('payments', values.payments, 30);
    if (payments > MAX_PAYMENTS)
      throw new Error(`--payments: takes at most ${MAX_PAYMENTS}, because the sandbox's request log holds no more`);
    const stack = await startBenchStack({ requestsPerSecond: REQUESTS_PER_SECOND, accounts, sandboxFlags: [], report });
    try {
      report(`accounts: ${accounts} runs of ${payments} payments, one on each account`);
      return { accounts, ...(await payOnAll(stack, payments)), payments, machine: machine() };
    } finally {
      await stack.stop();
    }
  },
};

async function payOnAll(stack: BenchStack, payments: number): Promise<Measurements> {
  const worker = await stack.startWorker();
  try {
    const runIds: string[] = [];
    for (const { name } of stack.accounts) runIds.push(await proposeRun(stack, benchRows(payments, name), name));
    const processorPressure = watchProcessorPressure();
    await Promise.all(runIds.map((runId) => approveRun(stack.checker, runId)));
    await Promise.all(runIds.map((runId) => untilPaid(stack, runId)));
    const pressure = processorPressure();
    const views = await Promise.all(
      stack.accounts.map(async ({ sandbox }) => ({
        ledger: await sandbox.ledger(),
        requests: await sandbox.requests(),
      })),
    );
    return {
      shareOfLimit: views.map(({ requests }) => {
        const steady = steadyStateOf(fundingsIn(requests));
        return rounded(((steady.payments / steady.seconds) * MIN_REQUESTS) / REQUESTS_PER_SECOND);
      }),
      rejected: views.reduce((sum, { ledger }) => sum + ledger.rejectedByLimit, 0),
      mostInAnySecond: views.map(({ ledger }) => ledger.mostInAnySecond),
      createdMoreThanOnce: views.reduce((sum, { ledger }) => sum + ledger.createdMoreThanOnce.length, 0),
      fundedMoreThanOnce: views.reduce((sum, { ledger }) => sum + ledger.fundedMoreThanOnce.length, 0),
      processorPressure: pressure,
    };
  } finally {
    await worker.stop();
  }
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

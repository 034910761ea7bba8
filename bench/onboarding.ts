import { parseArgs } from 'node:util';
import { type Benchmark, type Measurements, wholeNumber } from './benchmark.ts';
import { applicantsFile } from './harness/bench-applicants.ts';
import { benchRows } from './harness/bench-rows.ts';
import { type BenchStack, openStackDatabase, startBenchStack } from './harness/bench-stack.ts';
import type { ProviderLedger } from './harness/sandbox-view.ts';
import { approveRun, proposeRun, untilPaid } from './harness/pay-run.ts';
import { until } from './harness/until.ts';
import { machine, watchProcessorPressure } from './machine.ts';

const REQUESTS_PER_SECOND = 5;
/** The second run's amounts: none is a suspected duplicate of the first one's. */
const MIN_AMOUNT_OF_SECOND_RUN = 10_000;
const POLL_MS = 250;
/** Several times what the proposal says. */
const PATIENCE = 3;

/** Whether applicants are ready when the proposal says so, and how much a payment run in the middle is delayed by them. */
export const onboardingBenchmark: Benchmark = {
  summary: 'How exactly the finishing time of many applicants is foretold, and how fast a payment run beside them is.',
  usage: '[--applicants 1000] [--payments 100]',
  run: async (args, report) => {
    const { values } = parseArgs({
      args: [...args],
      options: { applicants: { type: 'string', default: '1000' }, payments: { type: 'string', default: '100' } },
    });
    const applicants = wholeNumber('applicants', values.applicants, 10);
    const payments = wholeNumber('payments', values.payments, 30);
    // The screening is the provider's: what is measured ends when it is requested.
    const sandboxFlags = ['--screening-outcome', 'operator', '--signup-user-id', 'returned', '--user-events', 'every'];
    const stack = await startBenchStack({ requestsPerSecond: REQUESTS_PER_SECOND, sandboxFlags, report });
    try {
      await stack.startWorker();
      const aloneSeconds = await payRun(stack, benchRows(payments, 'alone'));
      report(`onboarding: the run alone took ${aloneSeconds.toFixed(1)} s; now ${applicants} applicants`);
      const measurements = await onboard(stack, applicants, () =>
        payRun(stack, benchRows(payments, 'beside', MIN_AMOUNT_OF_SECOND_RUN)),
      );
      return { applicants, payments, runAloneSeconds: aloneSeconds, ...measurements, machine: machine() };
    } finally {
      await stack.stop();
    }
  },
};

/** Seconds from the approval to the end. */
async function payRun(stack: BenchStack, rows: ReturnType<typeof benchRows>): Promise<number> {
  const runId = await proposeRun(stack, rows);
  const begunMs = performance.now();
  await approveRun(stack.checker, runId);
  await untilPaid(stack, runId);
  return (performance.now() - begunMs) / 1_000;
}

async function onboard(stack: BenchStack, count: number, payBeside: () => Promise<number>): Promise<Measurements> {
  const database = openStackDatabase(stack);
  const pressure = watchProcessorPressure();
  const screened = async (): Promise<number> => {
    const { rows } = await database.query<{ n: number }>(
      `select count(*)::int as n from cases where state in ('screening', 'verification')`,
    );
    return rows[0]?.n ?? 0;
  };
  try {
    const before = await stack.sandbox.ledger();
    const submittedMs = performance.now();
    const outcome = await stack.onboarder.submitApplicants(applicantsFile(count));
    const acceptedMs = performance.now();
    const wait = { everyMs: POLL_MS, withinMs: outcome.secondsToFinish * 1_000 * PATIENCE + 60_000 };
    await until(async () => (await screened()) >= count / 2, {
      ...wait,
      otherwise: 'half of the cases were not screened',
    });
    const besideSeconds = await payBeside();
    await until(async () => (await screened()) >= count, { ...wait, otherwise: 'the cases were not screened' });
    const seconds = (performance.now() - acceptedMs) / 1_000;
    const ledger = await stack.sandbox.ledger();
    return {
      secondsToAccept: (acceptedMs - submittedMs) / 1_000,
      secondsForetold: outcome.secondsToFinish,
      secondsNeeded: seconds,
      neededOfForetold: seconds / outcome.secondsToFinish,
      requestsForetold: outcome.requestCount,
      requests: requestsSince(before, ledger),
      runBesideSeconds: besideSeconds,
      rejected: ledger.rejectedByLimit,
      mostInAnySecond: ledger.mostInAnySecond,
      processorPressure: pressure(),
    };
  } finally {
    await database.end();
  }
}

/** What was sent meanwhile, of the payment run beside the applicants too, by operation. */
function requestsSince(before: ProviderLedger, after: ProviderLedger): Readonly<Record<string, number>> {
  const sent = Object.entries(after.requests.byOperation).map(
    ([operation, count]) => [operation, count - (before.requests.byOperation[operation] ?? 0)] as const,
  );
  return Object.fromEntries(sent.filter(([, count]) => count > 0));
}

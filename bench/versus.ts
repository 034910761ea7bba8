import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Benchmark, type Measurements, wholeNumber } from './benchmark.ts';
import { benchRows } from './harness/bench-rows.ts';
import { type BenchStack, startBenchStack } from './harness/bench-stack.ts';
import type { ProviderPayment } from './harness/sandbox-view.ts';
import { machine, watchProcessorPressure } from './machine.ts';
import type { Contender, Outcome } from './versus/contender.ts';
import { payrunContender } from './versus/payrun.ts';
import { plainTemporalContender } from './versus/plain-temporal/run-plain-temporal.ts';
import { REFERENCES, scriptContender } from './versus/script/run-script.ts';

const REQUESTS_PER_SECOND = 5;
const POLL_MS = 250;
/** Not counted: payrun creates its beneficiaries while it pays, the other contenders have theirs before. */
const NOT_COUNTED = ['beneficiary-create', 'auth-authenticate'];

interface Plan {
  readonly rows: number;
  readonly completion: readonly string[];
  readonly report: (line: string) => void;
}

/** The same rows, paid by payrun, by a script and by the usual Temporal design, without and with a kill. */
export const versusBenchmark: Benchmark = {
  summary: 'payrun, a simple script and a plain Temporal design compared: time, requests, and a kill -9.',
  usage:
    '[--rows 200] [--only payrun,script,plainTemporal] [--completion-seconds 30-90] [--script-workers 20] [--script-reference plain|unique|lookup]',
  run: async (args, report) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rows: { type: 'string', default: '200' },
        only: { type: 'string' },
        'completion-seconds': { type: 'string', default: '30-90' },
        'script-workers': { type: 'string', default: '20' },
        'script-reference': { type: 'string', default: 'unique' },
      },
    });
    const reference = REFERENCES.find((each) => each === values['script-reference']);
    if (!reference) throw new Error(`--script-reference: takes ${REFERENCES.join(', ')}`);
    const contenders: Readonly<Record<string, Contender>> = {
      payrun: payrunContender,
      script: scriptContender(wholeNumber('script-workers', values['script-workers'], 1), reference),
      plainTemporal: plainTemporalContender,
    };
    const plan = {
      rows: wholeNumber('rows', values.rows, 10),
      completion: completionFlags(values['completion-seconds']),
      report,
    };
    const measurements: Record<string, Measurements> = {};
    for (const name of values.only?.split(',') ?? Object.keys(contenders)) {
      const contender = contenders[name];
      if (!contender) throw new Error(`--only: takes ${Object.keys(contenders).join(', ')}, not "${name}"`);
      measurements[name] = await compare(name, contender, plan);
    }
    return { ...measurements, rows: plan.rows, scriptReference: reference, machine: machine() };
  },
};

/** Speed comes from the run without a kill; rows paid twice or lost come from the one with a kill. */
async function compare(name: string, contender: Contender, plan: Plan): Promise<Measurements> {
  plan.report(`versus: ${name}, without a kill`);
  const undisturbed = await measure(contender, plan, false);
  plan.report(`versus: ${name}: ${JSON.stringify(undisturbed)}`);
  plan.report(`versus: ${name}, with a kill in the middle`);
  const killed = await measure(contender, plan, true);
  plan.report(`versus: ${name}, killed: ${JSON.stringify(killed)}`);
  const { seconds, requests, rejected } = undisturbed;
  const { paidTwice, lost } = killed;
  return { seconds, requests, rejected, paidTwice, lost, undisturbed, killed };
}

interface Measured extends Measurements {
  readonly seconds: number;
  readonly requests: number;
  readonly rejected: number;
  readonly paidTwice: number;
  readonly lost: number;
}

async function measure(
  contender: Contender,
  { rows: count, completion, report }: Plan,
  isKilled: boolean,
): Promise<Measured> {
  const stack = await startBenchStack({ requestsPerSecond: REQUESTS_PER_SECOND, sandboxFlags: completion, report });
  try {
    if (contender !== payrunContender) await stack.sandbox.sendWebhooksTo({ url: null });
    const rows = benchRows(count, 'versus');
    const ended = new AbortController();
    const killAt = isKilled ? untilFunded(stack, count / 2, ended.signal) : null;
    const processorPressure = watchProcessorPressure();
    const outcome = await contender.pay({ stack, rows, killAt, report }).finally(() => ended.abort());
    const { requests, rejectedByLimit, mostInAnySecond, invariantHolds } = await stack.sandbox.ledger();
    if (!invariantHolds) throw new Error("the sandbox's ledger does not add up");
    const references = rows.map((row) => row.row_ref);
    return {
      seconds: Math.round(outcome.seconds * 10) / 10,
      requests: requests.total - NOT_COUNTED.reduce((sum, name) => sum + (requests.byOperation[name] ?? 0), 0),
      rejected: rejectedByLimit,
      ...judge(references, outcome, await stack.sandbox.payments()),
      mostInAnySecond,
      processorPressure: processorPressure(),
      byOperation: requests.byOperation,
    };
  } finally {
    await stack.stop();
  }
}

/**
 * Compares the provider's ledger with the contender's result. Paid twice: the row's payments were funded more than once
 * in total. Lost: the row was not paid, or it was and the contender's result does not say so.
 */
function judge(rows: readonly string[], { saidPaid, rowOf }: Outcome, payments: readonly ProviderPayment[]) {
  const funded = new Map<string, number>();
  const completed = new Set<string>();
  for (const { referenceId, status, timesFunded } of payments) {
    const row = rowOf(referenceId ?? '') ?? '';
    funded.set(row, (funded.get(row) ?? 0) + timesFunded);
    if (status === 'completed') completed.add(row);
  }
  return {
    paidTwice: rows.filter((row) => (funded.get(row) ?? 0) > 1).length,
    lost: rows.filter((row) => !completed.has(row) || !saidPaid.has(row)).length,
    notPaid: rows.filter((row) => !completed.has(row)).length,
  };
}

/** Resolves when that many payments were funded. @throws Error when the contender ends before */
async function untilFunded({ sandbox }: BenchStack, count: number, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const { requests } = await sandbox.ledger();
    if ((requests.byOperation['simple-payment-fund'] ?? 0) >= count) return;
    await sleep(POLL_MS);
  }
  throw new Error('the contender ended before it could be killed');
}

function completionFlags(text: string): string[] {
  const [min = '', max = ''] = text.split('-');
  const milliseconds = (part: string): string => String(wholeNumber('completion-seconds', part, 0) * 1000);
  return ['--completion-min-ms', milliseconds(min), '--completion-max-ms', milliseconds(max)];
}

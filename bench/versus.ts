import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Benchmark, Findings } from './benchmark.ts';
import { benchRows } from './engine/bench-rows.ts';
import { type BenchStack, startBenchStack } from './engine/bench-stack.ts';
import { watchProcessorPressure } from './engine/processor-pressure.ts';
import type { ProviderPayment } from './engine/sandbox-view.ts';
import { wholeNumber } from './flags.ts';
import { machine } from './machine.ts';
import type { Contender, Outcome } from './versus/contender.ts';
import { payrunContender } from './versus/payrun.ts';
import { plainTemporalContender } from './versus/plain-temporal/run-plain-temporal.ts';
import { REFERENCES, scriptContender } from './versus/script/run-script.ts';

const REQUESTS_PER_SECOND = 5;
const POLL_MS = 250;
/** Not counted: payrun makes its beneficiaries known while it pays, the others' are known beforehand. */
const APART = ['beneficiary-create', 'auth-authenticate'];

interface Plan {
  readonly rows: number;
  readonly completion: readonly string[];
  readonly report: (line: string) => void;
}

/** The same rows, paid by payrun, by a script and by the usual Temporal design, undisturbed and with a kill. */
export const versusBenchmark: Benchmark = {
  summary: 'payrun beside an afternoon’s script and the plain Temporal design: time, requests, and a kill -9.',
  usage:
    '[--rows 200] [--only payrun,script,plainTemporal] [--completion-seconds 30-90] [--script-workers 20] [--script-reference plain|unique|look-up]',
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
    const findings: Record<string, Findings> = {};
    for (const name of values.only?.split(',') ?? Object.keys(contenders)) {
      const contender = contenders[name];
      if (!contender) throw new Error(`--only: takes ${Object.keys(contenders).join(', ')}, not "${name}"`);
      findings[name] = await compare(name, contender, plan);
    }
    return { ...findings, rows: plan.rows, scriptReference: reference, machine: machine() };
  },
};

/** Speed from the run without a kill; what was paid twice or lost from the one with a kill. */
async function compare(name: string, contender: Contender, plan: Plan): Promise<Findings> {
  plan.report(`versus: ${name}, undisturbed`);
  const undisturbed = await measure(contender, plan, false);
  plan.report(`versus: ${name}: ${JSON.stringify(undisturbed)}`);
  plan.report(`versus: ${name}, with a kill in the middle`);
  const killed = await measure(contender, plan, true);
  plan.report(`versus: ${name}, killed: ${JSON.stringify(killed)}`);
  const { seconds, requests, rejected } = undisturbed;
  const { paidTwice, lost } = killed;
  return { seconds, requests, rejected, paidTwice, lost, undisturbed, killed };
}

interface Measured extends Findings {
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
    if (!invariantHolds) throw new Error('the sandbox says that its books do not agree');
    const references = rows.map((row) => row.row_ref);
    return {
      seconds: Math.round(outcome.seconds * 10) / 10,
      requests: requests.total - APART.reduce((sum, name) => sum + (requests.byOperation[name] ?? 0), 0),
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
 * The provider's ledger against what the contender says. Paid twice: more than one payment of the row was funded, or
 * one more than once. Lost: the row was not paid, or was and the contender's result does not say so.
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

/** Resolves when so many payments were funded; never once the contender has ended. */
async function untilFunded({ sandbox }: BenchStack, count: number, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const { requests } = await sandbox.ledger();
    if ((requests.byOperation['simple-payment-fund'] ?? 0) >= count) return;
    await sleep(POLL_MS);
  }
  throw new Error('it ended before it was to be killed');
}

function completionFlags(text: string): string[] {
  const [least = '', most = ''] = text.split('-');
  const milliseconds = (part: string): string => String(wholeNumber('completion-seconds', part, 0) * 1000);
  return ['--completion-min-ms', milliseconds(least), '--completion-max-ms', milliseconds(most)];
}

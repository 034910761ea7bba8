import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { type Benchmark, type Measurements, wholeNumber } from './benchmark.ts';
import type { PaymentRow } from '../fixtures/payment-rows.ts';
import { benchRows } from './harness/bench-rows.ts';
import { openStackDatabase, startBenchStack } from './harness/bench-stack.ts';
import { approveRun, proposeRun } from './harness/pay-run.ts';
import { increaseOf } from './harness/sandbox-view.ts';
import { until } from './harness/until.ts';
import { machine } from './machine.ts';

const REQUESTS_PER_SECOND = 5;
const MAX_FOUND = 50;
const TWO_DAYS_MS = 172_800_000;
/** This many of five payments take two days. */
const SLOW_OF_FIVE = 3;

/** With webhooks or without, how payrun learns that payments have ended. */
const scenarios = ['webhooks', 'noWebhooks'] as const;

/** How soon the end of payments is recorded while many others are in flight and a list shows few of them. */
export const confirmationBenchmark: Benchmark = {
  summary:
    'How soon completed payments are confirmed beside many that take two days, when a list shows at most 50 payments.',
  usage: '[--payments 5000] [--completed-after 900] [--only webhooks,noWebhooks]',
  run: async (args, report) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        payments: { type: 'string', default: '5000' },
        'completed-after': { type: 'string', default: '900' },
        only: { type: 'string' },
      },
    });
    const payments = wholeNumber('payments', values.payments, 10);
    const completedAfterMs = wholeNumber('completed-after', values['completed-after'], 1) * 1_000;
    const only = values.only?.split(',');
    const measurements: Record<string, Measurements> = {};
    for (const name of scenarios.filter((scenario) => only?.includes(scenario) ?? true)) {
      report(`confirmation: ${name}, ${payments} payments`);
      measurements[name] = await measure({ payments, completedAfterMs, withWebhooks: name === 'webhooks' }, report);
      report(`confirmation: ${name}: ${JSON.stringify(measurements[name])}`);
    }
    return { ...measurements, payments, machine: machine() };
  },
};

interface Plan {
  payments: number;
  completedAfterMs: number;
  withWebhooks: boolean;
}

async function measure(
  { payments, completedAfterMs, withWebhooks }: Plan,
  report: (line: string) => void,
): Promise<Measurements> {
  const after = String(completedAfterMs);
  const stack = await startBenchStack({
    requestsPerSecond: 0,
    sandboxFlags: [
      ...['--max-find-results', String(MAX_FOUND), '--slow-completion-ms', String(TWO_DAYS_MS)],
      ...['--completion-min-ms', after, '--completion-max-ms', after],
    ],
    report,
  });
  const database = openStackDatabase(stack);
  try {
    if (!withWebhooks) await stack.sandbox.sendWebhooksTo({ url: null });
    // Sent without a limit, so that all are in flight together. Only the worker that confirms has a limit.
    const sender = await stack.startWorker({ name: 'sender' });
    const runId = await proposeRun(stack, mixedRows(payments));
    await approveRun(stack.checker, runId);
    await until(async () => (await inFlight(database, runId)) === payments, {
      ...{
        everyMs: 500,
        withinMs: completedAfterMs,
        otherwise: 'not every payment is in flight: raise --completed-after',
      },
    });
    await sender.stop();
    report('confirmation: all are in flight');
    const before = (await stack.sandbox.ledger()).requests;
    const startedMs = performance.now();
    const worker = await stack.startWorker({ name: 'worker', requestsPerSecond: REQUESTS_PER_SECOND });
    const quick = payments - slowOf(payments);
    await until(async () => (await inFlight(database, runId)) <= payments - quick, {
      ...{ everyMs: 1_000, withinMs: 4 * 3_600_000, otherwise: 'completed payments are not confirmed' },
    });
    const seconds = (performance.now() - startedMs) / 1_000;
    const requests = increaseOf((await stack.sandbox.ledger()).requests.byOperation, before.byOperation);
    await worker.stop();
    const sent = Object.values(requests).reduce((sum, count) => sum + count, 0);
    return {
      ...(await delaysOf(database, runId, completedAfterMs)),
      states: await statesOf(database, runId),
      requests,
      seconds: rounded(seconds),
      shareOfLimit: rounded(sent / seconds / REQUESTS_PER_SECOND),
    };
  } finally {
    await database.end();
    await stack.stop();
  }
}

const slowOf = (payments: number): number => Math.floor((payments * SLOW_OF_FIVE) / 5);

/** Slow payments mixed with the others. */
function mixedRows(payments: number): PaymentRow[] {
  return benchRows(payments, 'confirmation').map((row, index) =>
    index % 5 < SLOW_OF_FIVE ? { ...row, beneficiary_company_name: 'SLOW', bank_account_holder_name: 'SLOW' } : row,
  );
}

async function inFlight(database: Pool, runId: string): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*)::int as n from payments where run_id = $1 and state in ('funded', 'processing')`,
    [runId],
  );
  return rows[0]?.n ?? 0;
}

async function statesOf(database: Pool, runId: string): Promise<Measurements> {
  const { rows } = await database.query<{ state: string; n: number }>(
    'select state, count(*)::int as n from payments where run_id = $1 group by state order by state',
    [runId],
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}

/** Seconds from the completion at the provider, and from its webhook, until the end is recorded. */
async function delaysOf(database: Pool, runId: string, completedAfterMs: number): Promise<Measurements> {
  const { rows } = await database.query<{ sinceCompletion: number; sinceWebhook: number | null }>(
    `select extract(epoch from ended_at - funded_at)::float8 - $2::float8 / 1000 as "sinceCompletion",
       extract(epoch from ended_at - webhook_received_at)::float8 as "sinceWebhook"
     from payments where run_id = $1 and state = 'paid'`,
    [runId, completedAfterMs],
  );
  return {
    secondsFromCompletion: spread(rows.map(({ sinceCompletion }) => sinceCompletion)),
    secondsFromWebhook: spread(rows.flatMap(({ sinceWebhook }) => sinceWebhook ?? [])),
  };
}

function spread(values: readonly number[]): Measurements | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const quantile = (share: number): number => rounded(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN);
  return { of: sorted.length, median: quantile(0.5), p99: quantile(0.99), worst: quantile(1) };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import type { Benchmark, Findings } from './benchmark.ts';
import { approveRun } from './engine/approve-run.ts';
import { type BenchRow, benchRows } from './engine/bench-rows.ts';
import { startBenchStack } from './engine/bench-stack.ts';
import { differenceOf } from './engine/difference-of.ts';
import { openRecord } from './engine/open-record.ts';
import { proposeRun } from './engine/pay-run.ts';
import { until } from './engine/until.ts';
import { wholeNumber } from './flags.ts';
import { machine } from './machine.ts';

const REQUESTS_PER_SECOND = 5;
const MOST_FOUND = 50;
const TWO_DAYS_MS = 172_800_000;
/** Of five payments so many take two days. */
const SLOW_OF_FIVE = 3;

/** What tells the engine that payments have ended. */
const scenarios = ['webhooks', 'noWebhooks'] as const;

/** How soon payments are known to be over while many others are not, and a read shows few of them. */
export const confirmationBenchmark: Benchmark = {
  summary:
    'How soon completed payments are confirmed beside many that take two days, where a list shows 50 payments at the most.',
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
    const findings: Record<string, Findings> = {};
    for (const name of scenarios.filter((scenario) => only?.includes(scenario) ?? true)) {
      report(`confirmation: ${name}, ${payments} payments`);
      findings[name] = await measure({ payments, completedAfterMs, withWebhooks: name === 'webhooks' }, report);
      report(`confirmation: ${name}: ${JSON.stringify(findings[name])}`);
    }
    return { ...findings, payments, machine: machine() };
  },
};

interface Order {
  payments: number;
  completedAfterMs: number;
  withWebhooks: boolean;
}

async function measure(
  { payments, completedAfterMs, withWebhooks }: Order,
  report: (line: string) => void,
): Promise<Findings> {
  const after = String(completedAfterMs);
  const stack = await startBenchStack({
    requestsPerSecond: 0,
    sandboxFlags: [
      ...['--find-most', String(MOST_FOUND), '--slow-completion-ms', String(TWO_DAYS_MS)],
      ...['--completion-min-ms', after, '--completion-max-ms', after],
    ],
    report,
  });
  const database = openRecord(stack);
  try {
    if (!withWebhooks) await stack.sandbox.sendWebhooksTo({ url: null });
    // All of them are sent without a limit, so that they are in flight together; what is measured keeps to one.
    const sender = await stack.startWorker({ name: 'sender' });
    const runId = await proposeRun(stack, mixedRows(payments));
    await approveRun(stack.checker, runId);
    await until(async () => (await inFlight(database, runId)) === payments, {
      ...{
        everyMs: 500,
        withinMs: completedAfterMs,
        otherwise: 'not every payment is in flight: give --completed-after more',
      },
    });
    await sender.stop();
    report('confirmation: all are in flight');
    const before = (await stack.sandbox.ledger()).requests;
    const beganMs = performance.now();
    const worker = await stack.startWorker({ name: 'worker', requestsPerSecond: REQUESTS_PER_SECOND });
    const quick = payments - slowOf(payments);
    await until(async () => (await inFlight(database, runId)) <= payments - quick, {
      ...{ everyMs: 1_000, withinMs: 4 * 3_600_000, otherwise: 'completed payments are not confirmed' },
    });
    const seconds = (performance.now() - beganMs) / 1_000;
    const requests = differenceOf((await stack.sandbox.ledger()).requests.byOperation, before.byOperation);
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

/** Slow ones and others by turns, as they lie in a file. */
function mixedRows(payments: number): BenchRow[] {
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

async function statesOf(database: Pool, runId: string): Promise<Findings> {
  const { rows } = await database.query<{ state: string; n: number }>(
    'select state, count(*)::int as n from payments where run_id = $1 group by state order by state',
    [runId],
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}

/** Seconds from the completion at the provider, and from the webhook that told of it, to the record of the end. */
async function delaysOf(database: Pool, runId: string, completedAfterMs: number): Promise<Findings> {
  const { rows } = await database.query<{ sinceEnd: number; sinceWebhook: number | null }>(
    `select extract(epoch from ended_at - funded_at)::float8 - $2::float8 / 1000 as "sinceEnd",
       extract(epoch from ended_at - hinted_at)::float8 as "sinceWebhook"
     from payments where run_id = $1 and state = 'paid'`,
    [runId, completedAfterMs],
  );
  return {
    secondsFromCompletion: spread(rows.map(({ sinceEnd }) => sinceEnd)),
    secondsFromWebhook: spread(rows.flatMap(({ sinceWebhook }) => sinceWebhook ?? [])),
  };
}

function spread(values: readonly number[]): Findings | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => rounded(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN);
  return { of: sorted.length, median: at(0.5), p99: at(0.99), worst: at(1) };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

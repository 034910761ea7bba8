import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type Benchmark, type Measurements, wholeNumber } from './benchmark.ts';

const cost = z.object({ events: z.number(), bytes: z.number(), actions: z.number() });
const service = z.object({ cpuMsPerPayment: z.number() });

/** The measurements of `throughput` that are needed here. */
const measuredSchema = z.object({
  payments: z.number(),
  stored: z.object({ postgresBytes: z.number(), postgresRows: z.number(), postgresWalBytes: z.number() }),
  history: z.object({ payment: cost, run: cost, confirmation: cost }),
  resources: z.object({ worker: service, server: service, temporal: service, postgres: service }),
});
type Measured = z.output<typeof measuredSchema>;

const REQUESTS_PER_SECOND = 5;
const REQUESTS_PER_DAY = 432_000;
const SECONDS_PER_DAY = 86_400;

/** What a large number of payments needs, computed from the measurements of `throughput`. It runs nothing. */
export const capacityBenchmark: Benchmark = {
  summary: 'What a million rows need of Temporal and Postgres, from the measured cost of a payment.',
  usage: '--measured THROUGHPUT.json [--rows 1000000] [--accounts 10] [--requests-per-payment 3.05]',
  run: (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        measured: { type: 'string' },
        rows: { type: 'string', default: '1000000' },
        accounts: { type: 'string', default: '10' },
        'requests-per-payment': { type: 'string', default: '3.05' },
      },
    });
    const measured = readMeasured(values.measured);
    const rows = wholeNumber('rows', values.rows, 1);
    const accounts = wholeNumber('accounts', values.accounts, 1);
    const requests = Number(values['requests-per-payment']);
    if (!(requests >= 1)) throw new Error('--requests-per-payment: takes a number, 1 or more');
    return Promise.resolve({
      perPayment: perPaymentOf(measured, requests),
      ofAllRows: totalsOf(measured, rows),
      onOneAccount: atTheLimit(measured, requests, rows, 1),
      [`on${accounts}Accounts`]: atTheLimit(measured, requests, rows, accounts),
    });
  },
};

/** @throws Error that names the missing measurements */
function readMeasured(path: string | undefined): Measured {
  if (path === undefined)
    throw new Error('--measured: give the file that `npm run bench -- throughput --json` printed');
  const read = measuredSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (read.success) return read.data;
  const missing = read.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new Error(`--measured: ${path} is not what throughput prints; missing: ${missing}`);
}

/** The payment's own history, and its share of the histories of the run and of the confirmation. */
const historyOf = ({ history }: Measured, key: keyof z.output<typeof cost>): number =>
  history.payment[key] + history.run[key] + history.confirmation[key];

const perPaymentOf = (measured: Measured, requests: number): Measurements => ({
  requests,
  events: rounded(historyOf(measured, 'events')),
  historyBytes: rounded(historyOf(measured, 'bytes')),
  actions: rounded(historyOf(measured, 'actions')),
  postgresRows: measured.stored.postgresRows,
  postgresBytes: measured.stored.postgresBytes,
  postgresWalBytes: measured.stored.postgresWalBytes,
  cpuMs: Object.fromEntries(
    Object.entries(measured.resources).map(([name, { cpuMsPerPayment }]) => [name, cpuMsPerPayment]),
  ),
});

const totalsOf = (measured: Measured, rows: number): Measurements => ({
  rows,
  historyGB: rounded((historyOf(measured, 'bytes') * rows) / 1e9),
  events: Math.round(historyOf(measured, 'events') * rows),
  actions: Math.round(historyOf(measured, 'actions') * rows),
  postgresGB: rounded((measured.stored.postgresBytes * rows) / 1e9),
  postgresWalGB: rounded((measured.stored.postgresWalBytes * rows) / 1e9),
});

/**
 * The load on each part per second while every request of the limit is used, and for how many days. That takes round
 * trips to the provider near zero: docs/capacity.md has the days for longer ones.
 */
function atTheLimit(measured: Measured, requests: number, rows: number, accounts: number): Measurements {
  const perSecond = (accounts * REQUESTS_PER_SECOND) / requests;
  const days = (rows * requests) / (accounts * REQUESTS_PER_DAY);
  return {
    days: rounded(days),
    paymentsPerSecond: rounded(perSecond),
    paymentsPerDay: Math.floor((accounts * REQUESTS_PER_DAY) / requests),
    eventsPerSecond: rounded(historyOf(measured, 'events') * perSecond),
    actionsPerSecond: rounded(historyOf(measured, 'actions') * perSecond),
    postgresWalMBPerSecond: rounded((measured.stored.postgresWalBytes * perSecond) / 1e6),
    postgresGBPerDay: rounded((measured.stored.postgresBytes * perSecond * SECONDS_PER_DAY) / 1e9),
    processorsBusy: Object.fromEntries(
      Object.entries(measured.resources).map(([name, { cpuMsPerPayment }]) => [
        name,
        rounded((cpuMsPerPayment * perSecond) / 1000),
      ]),
    ),
  };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

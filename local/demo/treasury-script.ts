import { SEEN_AFTER_MS } from '../../domain/reconciliation/book-day.ts';
import type { BookDay, RunSummary, ScheduleOccurrence } from '../../client/sdk/index.ts';
import type { Ledger } from './demo-script.ts';

const DAY_MS = 86_400_000;

/** The books of a day are made from six hours after its end on: the day of this time can be closed at any time of the day. */
export const CLOCK_BEHIND_MS = DAY_MS + SEEN_AFTER_MS;

/**
 * The sandbox's clock is behind at the start, so that money comes in on a day whose books can be closed; its balances
 * begin with nothing, so that their history is complete. What is funded is completed soon.
 */
export const TREASURY_SANDBOX = [
  '--plain',
  ...['--clock-behind-ms', String(CLOCK_BEHIND_MS)],
  ...['--completion-min-ms', '500'],
  ...['--completion-max-ms', '1500'],
  ...['EUR', 'GBP', 'SGD', 'USD'].flatMap((currency) => ['--balance', `${currency}=0`]),
] as const;

/** What comes in before the schedules start. */
export const DEPOSITS: readonly (readonly [currency: string, amount: string])[] = [
  ['EUR', '12000.00'],
  ['GBP', '500.00'],
  ['SGD', '1000.00'],
  ['USD', '50000.00'],
];

const EVERY_DAY = {
  account: 'default',
  time_zone: 'UTC',
  on: { every: 'day' },
  convention: 'skip',
  from: '2026-01-01',
};

/** The time of day at which Temporal would start them is half a day away: the demo starts them by hand. */
export function demoSchedules(nowMs: number): Record<'topUp' | 'sweep' | 'fundRun', Record<string, unknown>> {
  const daily = { ...EVERY_DAY, times: [new Date(nowMs + DAY_MS / 2).toISOString().slice(11, 16)] };
  return {
    topUp: {
      ...{ ...daily, kind: 'top_up', name: 'Singapore dollars up to 5,000', sell: 'USD', buy: 'SGD' },
      ...{ level: '5000.00', min_order: '100.00', max_order: '10000.00' },
    },
    sweep: {
      ...{ ...daily, kind: 'sweep', name: 'Euros above 10,000', sell: 'EUR', buy: 'USD' },
      ...{ floor: '10000.00', min_order: '100.00', max_order: '5000.00' },
    },
    fundRun: {
      ...{ ...daily, kind: 'fund_run', name: 'Pounds for approved runs', horizon_days: 3, margin_percent: '0.5' },
      ...{ buy: ['GBP'], floors: {}, sources: [{ currency: 'USD', min_order: '100.00', max_order: '20000.00' }] },
    },
  };
}

export interface PlayedTreasury {
  occurrences: readonly ScheduleOccurrence[];
  run: RunSummary;
  closed: BookDay | null;
  balances: Readonly<Record<string, string>>;
  ledger: Ledger;
}

/** What differs from the script; empty if nothing does. */
export function findTreasuryDeviations({ occurrences, run, closed, balances, ledger }: PlayedTreasury): string[] {
  const found: string[] = [];
  const expect = (isMet: boolean, deviation: string): void => {
    if (!isMet) found.push(deviation);
  };
  for (const { ended, message } of occurrences) {
    expect(ended === 'done', `an occurrence ended ${ended ?? 'not'}${message === null ? '' : `: ${message}`}`);
  }
  expect(run.state === 'completed', `the run ended ${run.state}`);
  expect(closed?.state === 'closed', `the books of the day are ${closed?.state ?? 'not there'}, not closed`);
  expect(Number(balances['SGD']) === 5000, `the balance of SGD is ${balances['SGD'] ?? 'not there'}, not 5000.00`);
  const euros = Number(balances['EUR']);
  expect(euros >= 10_000 && euros < 10_001, `the balance of EUR is ${balances['EUR'] ?? 'not there'}`);
  expect(ledger.createdMoreThanOnce.length === 0, 'a payment was created more than once');
  expect(ledger.fundedMoreThanOnce.length === 0, 'a payment was funded more than once');
  expect(ledger.invariantHolds, "the provider's balances do not add up");
  const created = ledger.requests.byOperation['conversion-create'] ?? 0;
  expect(created === occurrences.length, `${created} conversions were created for ${occurrences.length} occurrences`);
  return found;
}

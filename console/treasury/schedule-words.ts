/** A schedule's definition, with the keys of its file, as people read it. */

import type { ScheduleDefinition, WrittenSchedule } from '../../api/treasury/schedule.ts';
import { formatAmount, inWords } from '../elements/formats.ts';
import { formatDay } from '../elements/times.ts';
import { capitalized } from '../../domain/capitalized.ts';

export const KINDS: Readonly<Record<ScheduleDefinition['kind'], string>> = {
  fixed_amount: 'A fixed amount',
  sweep: 'Sweep above a floor',
  top_up: 'Top up to a level',
  fund_run: 'Fund approved runs',
};

export const CONVENTIONS: Readonly<Record<ScheduleDefinition['convention'], string>> = {
  following: 'on the next business day',
  modified_following: 'on the next business day, or the one before if that is in another month',
  preceding: 'on the business day before',
  skip: 'not at all',
};

function money(amount: string, currency: string): string {
  return `${formatAmount(amount)} ${currency}`;
}

/** One sentence: what it converts. */
export function whatInWords(definition: ScheduleDefinition): string {
  switch (definition.kind) {
    case 'fixed_amount': {
      const { fixed_side, amount, sell, buy } = definition;
      return fixed_side === 'buy' ? `Buy ${money(amount, buy)} for ${sell}` : `Sell ${money(amount, sell)} for ${buy}`;
    }
    case 'sweep':
      return `Sell for ${definition.buy} what is free above ${money(definition.floor, definition.sell)}`;
    case 'top_up':
      return `Buy with ${definition.sell} what is missing to ${money(definition.level, definition.buy)}`;
    case 'fund_run':
      return `Buy the ${definition.buy.join(', ')} that approved runs of the next ${definition.horizon_days} days lack`;
  }
}

/** `Fridays at 15:30, Europe/Berlin`. */
export function whenInWords({ on, times, time_zone }: Pick<ScheduleDefinition, 'on' | 'times' | 'time_zone'>): string {
  return `${daysInWords(on)} at ${times.join(' and ')}, ${time_zone}`;
}

const WORKWEEK = 'monday tuesday wednesday thursday friday';

function daysInWords(on: ScheduleDefinition['on']): string {
  if ('weekdays' in on) {
    const { weekdays } = on;
    if (weekdays.join(' ') === WORKWEEK) return 'Monday to Friday';
    return weekdays.map((day) => `${capitalized(day)}s`).join(', ');
  }
  if ('days_of_month' in on) {
    const days = on.days_of_month.map((day) => (day === 'last' ? 'last day' : ordinal(String(day))));
    return `On the ${listInWords(days)} of the month`;
  }
  return 'Every day';
}

function listInWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** `1st`, `2nd`, `11th`. */
function ordinal(day: string): string {
  const isTeen = day.length === 2 && day.startsWith('1');
  const endings: Readonly<Record<string, string>> = { '1': 'st', '2': 'nd', '3': 'rd' };
  return `${day}${(isTeen ? undefined : endings[day.slice(-1)]) ?? 'th'}`;
}

type OfPair = Exclude<ScheduleDefinition, { kind: 'fund_run' }>;
type OfRuns = Extract<ScheduleDefinition, { kind: 'fund_run' }>;

function limitInWords({ limit_price: limit, sell, buy }: OfPair): string {
  if (limit === null) return 'no limit';
  return 'buy_per_sell_at_least' in limit
    ? `at least ${limit.buy_per_sell_at_least} ${buy} for 1 ${sell}`
    : `at most ${limit.sell_per_buy_at_most} ${sell} for 1 ${buy}`;
}

/** Everything that a second person confirms: each part with a name. The order is that of the form. */
export function factsOf(definition: ScheduleDefinition): [name: string, words: string][] {
  const { until, max_cost_bps: cost, convention, account } = definition;
  const from = formatDay(definition.from);
  return [
    ['What', whatInWords(definition)],
    ['When', whenInWords(definition)],
    ['On a bank holiday', CONVENTIONS[convention]],
    ['Dates', until === null ? `from ${from}, without an end` : `${from} to ${formatDay(until)}`],
    ...(definition.kind === 'fund_run' ? fundingFacts(definition) : limitFacts(definition)),
    ['Most it may cost', cost === null ? 'no limit' : `${cost} basis points against the reference`],
    ['Account', account],
    // A key that this page does not know is confirmed as well, so it is shown.
    ...Object.entries(definition)
      .filter(([key]) => !Object.hasOwn(KNOWN_KEYS, key))
      .map(([key, value]): [string, string] => [inWords(key), JSON.stringify(value)]),
  ];
}

const KNOWN_KEYS: Readonly<Record<keyof WrittenSchedule, true>> = {
  ...{ kind: true, name: true, account: true, sell: true, buy: true, fixed_side: true, amount: true, floor: true },
  ...{ level: true, min_order: true, max_order: true, max_cost_bps: true, limit_price: true, time_zone: true },
  ...{ times: true, on: true, convention: true, from: true, until: true },
  ...{ horizon_days: true, margin_percent: true, floors: true, sources: true },
};

function limitFacts(definition: OfPair): [string, string][] {
  const { kind, sell, buy, max_order } = definition;
  return [
    ['Most for one order', `${money(max_order, sell)}, with the fees`],
    ...(kind === 'fixed_amount' ? [] : [minimumFact(definition.min_order, kind === 'top_up' ? buy : sell)]),
    ['Worst price', limitInWords(definition)],
  ];
}

function minimumFact(least: string | null, currency: string): [string, string] {
  return ['Minimum of one order', least === null ? 'none' : money(least, currency)];
}

function fundingFacts({ floors, sources, margin_percent }: OfRuns): [string, string][] {
  const kept = Object.entries(floors).map(([currency, floor]) => money(floor, currency));
  const sold = sources.map(
    ({ currency, min_order, max_order }) =>
      `${currency}, ${formatAmount(min_order)} to ${formatAmount(max_order)} for one order`,
  );
  return [
    ['Margin on the costs', `${margin_percent} %`],
    ['Sold, in this order', sold.join('; ')],
    ['Kept in each balance', kept.length === 0 ? 'nothing' : kept.join(', ')],
  ];
}

export const ENDS = {
  done: { tone: 'paid', word: 'Done' },
  nothing_to_do: { tone: 'neutral', word: 'Nothing to do' },
  refused_by_guard: { tone: 'failed', word: 'Refused by a guard' },
  missed: { tone: 'waiting', word: 'Missed' },
  partly_missed: { tone: 'waiting', word: 'Missed in part' },
  unknown: { tone: 'unknown', word: 'Unknown' },
  defect: { tone: 'failed', word: 'payrun failed' },
} as const;

export const SCHEDULE_STATES = {
  pending: { tone: 'waiting', word: 'Not confirmed yet' },
  active: { tone: 'paid', word: 'Active' },
  paused: { tone: 'waiting', word: 'Paused' },
  deleted: { tone: 'neutral', word: 'Deleted' },
} as const;

/** A schedule's definition, with the keys of its file, as people read it. */

import { capitalised, formatAmount, formatDay, inWords } from '../elements/formats.ts';

export type Definition = Readonly<Record<string, unknown>>;

export const KINDS = {
  fixed_amount: 'A fixed amount',
  sweep: 'Sweep above a floor',
  top_up: 'Top up to a level',
  fund_run: 'Fund approved runs',
} as const;
export type Kind = keyof typeof KINDS;

export const CONVENTIONS = {
  following: 'on the next business day',
  modified_following: 'on the next business day, or the one before if that is in another month',
  preceding: 'on the business day before',
  skip: 'not at all',
} as const;

export interface Source {
  currency: string;
  min_order: string;
  max_order: string;
}

export function textOf(definition: Definition, key: string): string {
  const value = definition[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function listOf(definition: Definition, key: string): string[] {
  const value = definition[key];
  return Array.isArray(value) ? value.map(String) : [];
}

export function kindOf(definition: Definition): Kind {
  const kind = textOf(definition, 'kind');
  return kind in KINDS ? (kind as Kind) : 'fixed_amount';
}

export function sourcesOf(definition: Definition): Source[] {
  const value = definition['sources'];
  return Array.isArray(value) ? (value as Source[]) : [];
}

export function floorsOf(definition: Definition): [currency: string, floor: string][] {
  return Object.entries((definition['floors'] ?? {}) as Record<string, string>);
}

function money(definition: Definition, amount: string, currency: string): string {
  return `${formatAmount(textOf(definition, amount))} ${currency}`;
}

/** One sentence: what it converts. */
export function whatInWords(definition: Definition): string {
  const [sell, buy] = [textOf(definition, 'sell'), textOf(definition, 'buy')];
  switch (kindOf(definition)) {
    case 'fixed_amount':
      return textOf(definition, 'fixed_side') === 'buy'
        ? `Buy ${money(definition, 'amount', buy)} for ${sell}`
        : `Sell ${money(definition, 'amount', sell)} for ${buy}`;
    case 'sweep':
      return `Sell for ${buy} what is free above ${money(definition, 'floor', sell)}`;
    case 'top_up':
      return `Buy with ${sell} what is missing to ${money(definition, 'level', buy)}`;
    case 'fund_run':
      return `Buy the ${listOf(definition, 'buy').join(', ')} that approved runs of the next ${textOf(definition, 'horizon_days')} days lack`;
  }
}

/** `Fridays at 15:30, Europe/Berlin`. */
export function whenInWords(definition: Definition): string {
  return `${daysInWords(definition)} at ${listOf(definition, 'times').join(' and ')}, ${textOf(definition, 'time_zone')}`;
}

const WORKWEEK = 'monday tuesday wednesday thursday friday';

function daysInWords(definition: Definition): string {
  const on = (definition['on'] ?? {}) as Record<string, unknown>;
  if ('weekdays' in on) {
    const days = listOf(on, 'weekdays');
    if (days.join(' ') === WORKWEEK) return 'Monday to Friday';
    return days.map((day) => `${capitalised(day)}s`).join(', ');
  }
  if ('days_of_month' in on) {
    const days = listOf(on, 'days_of_month').map((day) => (day === 'last' ? 'last day' : ordinal(day)));
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

function limitInWords(definition: Definition): string {
  const limit = definition['limit_price'] as Record<string, string> | null | undefined;
  const [sell, buy] = [textOf(definition, 'sell'), textOf(definition, 'buy')];
  if (limit === null || limit === undefined) return 'no limit';
  const least = limit['buy_per_sell_at_least'];
  return least === undefined
    ? `at most ${limit['sell_per_buy_at_most'] ?? ''} ${sell} for 1 ${buy}`
    : `at least ${least} ${buy} for 1 ${sell}`;
}

/** Everything that a second person confirms: each part with a name. The order is that of the form. */
export function factsOf(definition: Definition): [name: string, words: string][] {
  const kind = kindOf(definition);
  const until = textOf(definition, 'until');
  const from = formatDay(textOf(definition, 'from'));
  const cost = textOf(definition, 'max_cost_bps');
  return [
    ['What', whatInWords(definition)],
    ['When', whenInWords(definition)],
    ['On a bank holiday', holidayInWords(definition)],
    ['Dates', until === '' ? `from ${from}, without an end` : `${from} to ${formatDay(until)}`],
    ...(kind === 'fund_run' ? fundingFacts(definition) : limitFacts(definition, kind)),
    ['Most it may cost', cost === '' ? 'no limit' : `${cost} basis points against the reference`],
    ['Account', textOf(definition, 'account')],
    // A key that this page does not know is confirmed as well, so it is shown.
    ...Object.entries(definition)
      .filter(([key]) => !KNOWN_KEYS.has(key))
      .map(([key, value]): [string, string] => [inWords(key), JSON.stringify(value)]),
  ];
}

const KNOWN_KEYS = new Set([
  ...['kind', 'name', 'account', 'sell', 'buy', 'fixed_side', 'amount', 'floor', 'level', 'min_order', 'max_order'],
  ...['max_cost_bps', 'limit_price', 'time_zone', 'times', 'on', 'convention', 'from', 'until'],
  ...['horizon_days', 'margin_percent', 'floors', 'sources'],
]);

function holidayInWords(definition: Definition): string {
  const convention = textOf(definition, 'convention');
  return convention in CONVENTIONS ? CONVENTIONS[convention as keyof typeof CONVENTIONS] : inWords(convention);
}

function limitFacts(definition: Definition, kind: Kind): [string, string][] {
  const [sell, buy] = [textOf(definition, 'sell'), textOf(definition, 'buy')];
  const least = textOf(definition, 'min_order');
  const leastCurrency = kind === 'top_up' ? buy : sell;
  return [
    ['Most for one order', `${money(definition, 'max_order', sell)}, with the fees`],
    ...(kind === 'fixed_amount'
      ? []
      : [
          ['Minimum of one order', least === '' ? 'none' : `${formatAmount(least)} ${leastCurrency}`] as [
            string,
            string,
          ],
        ]),
    ['Worst price', limitInWords(definition)],
  ];
}

function fundingFacts(definition: Definition): [string, string][] {
  const floors = floorsOf(definition).map(([currency, floor]) => `${formatAmount(floor)} ${currency}`);
  const sources = sourcesOf(definition).map(
    ({ currency, min_order, max_order }) =>
      `${currency}, ${formatAmount(min_order)} to ${formatAmount(max_order)} for one order`,
  );
  return [
    ['Margin on the costs', `${textOf(definition, 'margin_percent')} %`],
    ['Sold, in this order', sources.join('; ')],
    ['Kept in each balance', floors.length === 0 ? 'nothing' : floors.join(', ')],
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

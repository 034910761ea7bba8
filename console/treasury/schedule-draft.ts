/** A schedule as it is being written: texts only, as they stand in the fields. */

import type { ScheduleProblem } from '../../api/treasury/schedule.ts';
import {
  type Definition,
  floorsOf,
  type Kind,
  kindOf,
  listOf,
  type Source,
  sourcesOf,
  textOf,
} from './schedule-words.ts';

export interface ScheduleDraft {
  kind: Kind;
  name: string;
  account: string;
  sell: string;
  buy: string;
  fixedSide: 'sell' | 'buy';
  amount: string;
  floor: string;
  level: string;
  minOrder: string;
  maxOrder: string;
  maxCostBps: string;
  limitSide: 'buy_per_sell_at_least' | 'sell_per_buy_at_most';
  limitPrice: string;
  horizonDays: string;
  marginPercent: string;
  /** With commas. */
  bought: string;
  sources: Source[];
  floors: { currency: string; floor: string }[];
  timeZone: string;
  /** With commas. */
  times: string;
  rule: 'every' | 'weekdays' | 'days_of_month';
  weekdays: string[];
  /** With commas. */
  daysOfMonth: string;
  convention: string;
  from: string;
  until: string;
}

export const NO_SOURCE: Source = { currency: '', min_order: '', max_order: '' };

export function emptyDraft(today: string): ScheduleDraft {
  return {
    ...{ kind: 'sweep', name: '', account: '', sell: '', buy: '', fixedSide: 'sell', amount: '', floor: '', level: '' },
    ...{ minOrder: '', maxOrder: '', maxCostBps: '', limitSide: 'buy_per_sell_at_least', limitPrice: '' },
    ...{ horizonDays: '5', marginPercent: '0.5', bought: '', sources: [NO_SOURCE], floors: [] },
    ...{ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, times: '', rule: 'weekdays' },
    ...{ weekdays: ['friday'], daysOfMonth: '', convention: 'following', from: today, until: '' },
  };
}

export function draftOf(definition: Definition, today: string): ScheduleDraft {
  const text = (key: string): string => textOf(definition, key);
  const limit = (definition['limit_price'] ?? {}) as Record<string, string>;
  const on = (definition['on'] ?? {}) as Definition;
  const limitSide = 'sell_per_buy_at_most' in limit ? 'sell_per_buy_at_most' : 'buy_per_sell_at_least';
  const empty = emptyDraft(today);
  return {
    ...empty,
    ...{ kind: kindOf(definition), name: text('name'), account: text('account'), sell: text('sell') },
    ...{ amount: text('amount'), floor: text('floor'), level: text('level') },
    buy: kindOf(definition) === 'fund_run' ? '' : text('buy'),
    fixedSide: text('fixed_side') === 'buy' ? 'buy' : 'sell',
    ...{ minOrder: text('min_order'), maxOrder: text('max_order'), maxCostBps: text('max_cost_bps') },
    ...{ limitSide, limitPrice: limit[limitSide] ?? '' },
    horizonDays: text('horizon_days') || empty.horizonDays,
    marginPercent: text('margin_percent') || empty.marginPercent,
    bought: kindOf(definition) === 'fund_run' ? listOf(definition, 'buy').join(', ') : '',
    sources: sourcesOf(definition).length === 0 ? empty.sources : sourcesOf(definition),
    floors: floorsOf(definition).map(([currency, floor]) => ({ currency, floor })),
    ...{ timeZone: text('time_zone'), times: listOf(definition, 'times').join(', ') },
    rule: 'weekdays' in on ? 'weekdays' : 'days_of_month' in on ? 'days_of_month' : 'every',
    weekdays: 'weekdays' in on ? listOf(on, 'weekdays') : empty.weekdays,
    daysOfMonth: listOf(on, 'days_of_month').join(', '),
    ...{ convention: text('convention'), from: text('from'), until: text('until') },
  };
}

/** With the keys of its file. An empty field is missing, so that the server says what belongs there. */
export function definitionOf(draft: ScheduleDraft): Record<string, unknown> {
  const definition: Record<string, unknown> = { kind: draft.kind, ...ownKeys(draft), ...timingOf(draft) };
  return Object.fromEntries(Object.entries(definition).filter(([, value]) => value !== undefined));
}

function ownKeys(draft: ScheduleDraft): Record<string, unknown> {
  const { kind, fixedSide } = draft;
  if (kind === 'fund_run') return fundingOf(draft);
  const pair = {
    sell: given(draft.sell),
    buy: given(draft.buy),
    max_order: given(draft.maxOrder),
    max_cost_bps: given(draft.maxCostBps) ?? null,
    limit_price: given(draft.limitPrice) === undefined ? null : { [draft.limitSide]: draft.limitPrice },
  };
  if (kind === 'fixed_amount') return { ...pair, fixed_side: fixedSide, amount: given(draft.amount) };
  const level = kind === 'sweep' ? { floor: given(draft.floor) } : { level: given(draft.level) };
  return { ...pair, ...level, min_order: given(draft.minOrder) ?? null };
}

function fundingOf(draft: ScheduleDraft): Record<string, unknown> {
  return {
    max_cost_bps: given(draft.maxCostBps) ?? null,
    horizon_days: numberOr(draft.horizonDays),
    margin_percent: given(draft.marginPercent),
    buy: parts(draft.bought),
    sources: draft.sources,
    floors: Object.fromEntries(draft.floors.map(({ currency, floor }) => [currency, floor])),
  };
}

function timingOf(draft: ScheduleDraft): Record<string, unknown> {
  return {
    ...{ name: given(draft.name), account: given(draft.account), time_zone: given(draft.timeZone) },
    times: parts(draft.times),
    on: ruleOf(draft),
    ...{ convention: draft.convention, from: given(draft.from), until: given(draft.until) ?? null },
  };
}

function ruleOf({ rule, weekdays, daysOfMonth }: ScheduleDraft): Record<string, unknown> {
  if (rule === 'every') return { every: 'day' };
  return rule === 'weekdays' ? { weekdays } : { days_of_month: parts(daysOfMonth).map(numberOr) };
}

function given(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}

function parts(text: string): string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== '');
}

/** A count of days, not money. What is none is sent as it is, for the server to name it. */
function numberOr(text: string): number | string {
  return /^\d{1,4}$/.test(text.trim()) ? Number(text.trim()) : text.trim();
}

/** What the server cannot see: one of two floors of a currency would be dropped. */
export function problemsOf({ kind, floors }: ScheduleDraft): ScheduleProblem[] {
  if (kind !== 'fund_run') return [];
  return floors.flatMap(({ currency }, index) =>
    floors.findIndex((other) => other.currency === currency) === index
      ? []
      : [{ field: 'floors', code: 'twice', problem: `${currency} has two floors`, fix: 'give each currency one' }],
  );
}

/** A schedule as it is being written: texts only, as they stand in the fields. */

import type { ScheduleDefinition, ScheduleProblem, WrittenSchedule } from '../../api/treasury/schedule.ts';

type PairDefinition = Exclude<ScheduleDefinition, { kind: 'fund_run' }>;
export type Source = Extract<ScheduleDefinition, { kind: 'fund_run' }>['sources'][number];

export interface ScheduleDraft {
  kind: ScheduleDefinition['kind'];
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

export function draftOf(definition: ScheduleDefinition, today: string): ScheduleDraft {
  const { kind, name, account, max_cost_bps, convention, from, until } = definition;
  return {
    ...emptyDraft(today),
    ...{ kind, name, account, convention, from, until: until ?? '', maxCostBps: max_cost_bps ?? '' },
    ...ownFields(definition),
    ...timingFields(definition),
  };
}

function ownFields(definition: ScheduleDefinition): Partial<ScheduleDraft> {
  if (definition.kind === 'fund_run') {
    const { horizon_days, margin_percent, buy, sources, floors } = definition;
    return {
      ...{ horizonDays: String(horizon_days), marginPercent: margin_percent, bought: buy.join(', '), sources },
      floors: Object.entries(floors).map(([currency, floor]) => ({ currency, floor })),
    };
  }
  const { sell, buy, max_order: maxOrder, limit_price: limit } = definition;
  const pair = { sell, buy, maxOrder, ...(limit === null ? {} : limitFields(limit)) };
  if (definition.kind === 'fixed_amount') {
    return { ...pair, fixedSide: definition.fixed_side, amount: definition.amount };
  }
  const level = definition.kind === 'sweep' ? { floor: definition.floor } : { level: definition.level };
  return { ...pair, ...level, minOrder: definition.min_order ?? '' };
}

function limitFields(limit: NonNullable<PairDefinition['limit_price']>): Partial<ScheduleDraft> {
  return 'sell_per_buy_at_most' in limit
    ? { limitSide: 'sell_per_buy_at_most', limitPrice: limit.sell_per_buy_at_most }
    : { limitSide: 'buy_per_sell_at_least', limitPrice: limit.buy_per_sell_at_least };
}

function timingFields({ time_zone: timeZone, times, on }: ScheduleDefinition): Partial<ScheduleDraft> {
  const always = { timeZone, times: times.join(', ') };
  if ('weekdays' in on) return { ...always, rule: 'weekdays', weekdays: on.weekdays };
  if ('days_of_month' in on) return { ...always, rule: 'days_of_month', daysOfMonth: on.days_of_month.join(', ') };
  return { ...always, rule: 'every' };
}

/** With the keys of its file. An empty field is missing, so that the server says what belongs there. */
export function definitionOf(draft: ScheduleDraft): WrittenSchedule {
  const definition: WrittenSchedule = { kind: draft.kind, ...ownKeys(draft), ...timingOf(draft) };
  return Object.fromEntries(Object.entries(definition).filter(([, value]) => value !== undefined));
}

function ownKeys(draft: ScheduleDraft): WrittenSchedule {
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

function fundingOf(draft: ScheduleDraft): WrittenSchedule {
  return {
    max_cost_bps: given(draft.maxCostBps) ?? null,
    horizon_days: numberOr(draft.horizonDays),
    margin_percent: given(draft.marginPercent),
    buy: parts(draft.bought),
    sources: draft.sources,
    floors: Object.fromEntries(draft.floors.map(({ currency, floor }) => [currency, floor])),
  };
}

function timingOf(draft: ScheduleDraft): WrittenSchedule {
  return {
    ...{ name: given(draft.name), account: given(draft.account), time_zone: given(draft.timeZone) },
    times: parts(draft.times),
    on: ruleOf(draft),
    ...{ convention: draft.convention, from: given(draft.from), until: given(draft.until) ?? null },
  };
}

function ruleOf({ rule, weekdays, daysOfMonth }: ScheduleDraft): object {
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

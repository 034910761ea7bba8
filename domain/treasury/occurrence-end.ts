import type { ConversionState } from './conversion-state.ts';

/** How an occurrence ended: `done` with an order whose conversion the provider has. */
export const OCCURRENCE_ENDS = [
  'done',
  'nothing_to_do',
  'refused_by_guard',
  'missed',
  'partly_missed',
  'unknown',
  'defect',
] as const;

export type OccurrenceEnd = (typeof OCCURRENCE_ENDS)[number];

/** An order of an occurrence. `state` null: it was not placed. */
export interface DecidedOrder {
  state: ConversionState | null;
  /** A code. */
  reason: string | null;
}

/** Reasons that say nothing about the schedule: no order, and none of its guards has refused one. */
const NOTHING_TO_DO: readonly string[] = [
  'nothing_to_convert',
  'below_minimum_order',
  'payments_stopped',
  'schedule_not_active',
];

/** Reasons for which it was not carried out at its time: people are notified, and the schedule goes on. */
const MISSED: readonly string[] = ['started_too_late', 'no_quote'];

/** Of an occurrence without orders. */
export function endWithoutOrders(why: string): OccurrenceEnd {
  if (MISSED.includes(why)) return 'missed';
  return NOTHING_TO_DO.includes(why) ? 'nothing_to_do' : 'refused_by_guard';
}

const ENDS: Readonly<Record<ConversionState, OccurrenceEnd | 'undecided'>> = {
  proposed: 'undecided',
  in_approval: 'undecided',
  approved: 'undecided',
  quoted: 'undecided',
  // The provider may still refuse it.
  committed: 'undecided',
  created: 'done',
  funding: 'done',
  funded: 'done',
  completed: 'done',
  settled: 'done',
  lapsed: 'done',
  rejected: 'nothing_to_do',
  // It could not be created within its hour: after an outage, during a stop, or nobody has approved it.
  expired: 'missed',
  skipped: 'refused_by_guard',
  missed: 'missed',
  held: 'refused_by_guard',
  unknown: 'unknown',
};

/** The order in which ends count: with one unknown order the whole occurrence is unknown. */
const PRECEDENCE = ['unknown', 'done', 'refused_by_guard', 'missed', 'nothing_to_do'] as const;

/** How an occurrence with orders ends: as soon as each of them is created, or never will be. Null: not yet. */
export function endOfOrders(orders: readonly DecidedOrder[]): { ended: OccurrenceEnd; reason: string | null } | null {
  const ends = orders.map(({ state, reason }) => ({ end: state === null ? 'refused_by_guard' : ENDS[state], reason }));
  const unknown = ends.find(({ end }) => end === 'unknown');
  if (unknown === undefined && ends.some(({ end }) => end === 'undecided')) return null;
  const missed = ends.find(({ end }) => end === 'missed');
  if (unknown === undefined && missed !== undefined && ends.some(({ end }) => end === 'done')) {
    return { ended: 'partly_missed', reason: missed.reason };
  }
  for (const end of PRECEDENCE) {
    const found = ends.find((one) => one.end === end);
    if (found !== undefined) return { ended: end, reason: found.reason };
  }
  return { ended: 'nothing_to_do', reason: null };
}

/** With so many in a row the schedule is paused. */
export const MAX_REFUSALS_IN_A_ROW = 3;

/** They say nothing about the guards. */
export const SILENT_ENDS: readonly OccurrenceEnd[] = ['nothing_to_do', 'missed'];

/** Why payrun pauses a schedule by itself. */
export const PAUSE_REASONS = {
  outcome_unknown: 'the outcome of its last order is unknown: two people resolve it first',
  defect: 'the last occurrence failed by a bug of payrun',
  restored: 'a backup was restored: compare with the provider what was converted since, then resume it',
  guards_refused: `the guards refused its last ${MAX_REFUSALS_IN_A_ROW} orders: check its limits and the rates`,
} as const;

export type PauseReason = keyof typeof PAUSE_REASONS;

/**
 * Why a schedule is paused after its newest occurrences, newest first; null: it goes on. What had nothing to do or was missed
 * says nothing about the guards.
 */
export function pauseReason(ends: readonly OccurrenceEnd[]): PauseReason | null {
  const [newest] = ends;
  if (newest === 'unknown') return 'outcome_unknown';
  if (newest === 'defect') return 'defect';
  if (newest !== 'refused_by_guard') return null;
  const outcomes = ends.filter((end) => !SILENT_ENDS.includes(end));
  const newestOutcomes = outcomes.slice(0, MAX_REFUSALS_IN_A_ROW);
  const isPaused =
    newestOutcomes.length === MAX_REFUSALS_IN_A_ROW && newestOutcomes.every((end) => end === 'refused_by_guard');
  return isPaused ? 'guards_refused' : null;
}

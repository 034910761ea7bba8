import { statesWhere } from '../state-table.ts';

/** The states of a break, and all that is asked of each. `gone`: `no_longer_found` in the API. */

export const BREAK_STATES = ['open', 'explained', 'closed', 'gone'] as const;
export type BreakState = (typeof BREAK_STATES)[number];

interface BreakStateRow {
  /** People have to explain it, or another one to close it. */
  isUnresolved: boolean;
  /** A later reconciliation did not find it again. */
  isGone: boolean;
}

export const BREAK_STATE_TABLE: Readonly<Record<BreakState, BreakStateRow>> = {
  open: { isUnresolved: true, isGone: false },
  explained: { isUnresolved: true, isGone: false },
  closed: { isUnresolved: false, isGone: false },
  gone: { isUnresolved: false, isGone: true },
};

export const UNRESOLVED_BREAK_STATES = statesWhere(BREAK_STATE_TABLE, ({ isUnresolved }) => isUnresolved);

/** Those that a report has. */
export const REPORTED_BREAK_STATES = statesWhere(BREAK_STATE_TABLE, ({ isGone }) => !isGone);

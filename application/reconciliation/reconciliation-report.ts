import { dayOf } from '../../domain/calendar-date.ts';
import type { ClosedDay } from '../../domain/reconciliation/close-day.ts';
import type { ClassLine } from '../../domain/reconciliation/entry-class.ts';
import { dateOf } from '../../domain/reconciliation/movement.ts';
import type { Reconciliation } from '../../domain/reconciliation/reconciliation.ts';

/** What the report of an account for some days shows. Days are UTC, YYYY-MM-DD. */
export interface ReconciliationReport {
  readonly account: string;
  readonly fromDay: string;
  readonly toDay: string;
  readonly madeAt: Date;
  readonly reconciliation: Reconciliation;
  /** The class of every entry of these days, in the order of the chains. */
  readonly lines: readonly ClassLine[];
  readonly days: readonly ClosedDay[];
}

/** The UTC day of an entry, or an empty text if its date cannot be read. */
export function dayOfEntry(entry: ClassLine['movement']): string {
  const dateMs = dateOf(entry);
  return dateMs === null ? '' : dayOf(dateMs);
}

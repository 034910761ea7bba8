import type { Fact } from '../../domain/accounts/money-fact.ts';
import type { Break } from '../../domain/reconciliation/break.ts';
import type { ComputedDay } from '../../domain/reconciliation/compute-day.ts';
import type { ClassLine } from '../../domain/reconciliation/entry-class.ts';
import type { Form } from '../../domain/reconciliation/leg.ts';
import type { Movement } from '../../domain/reconciliation/movement.ts';

/** A line of an entry, with how its fact was found. */
export interface ReportedLine extends ClassLine {
  readonly form: Form | null;
  readonly isAmbiguous: boolean;
}

/** The books of one currency and day, without their entries. */
export interface ReportedBooks extends Omit<ComputedDay, 'entries'> {
  readonly entryCount: number;
  /** Its entries lead from its opening to a closing balance that the provider showed. */
  readonly isComplete: boolean;
  /** In words: how far the day is. */
  readonly state: string;
}

/** What the report of an account for some days shows. Days are UTC, YYYY-MM-DD. */
export interface ReconciliationReport {
  readonly account: string;
  readonly fromDay: string;
  readonly toDay: string;
  readonly madeAt: Date;
  /** By day and currency. */
  readonly books: readonly ReportedBooks[];
  /** How many expected movements were found. */
  readonly matched: number;
  /** In the order of their types. */
  readonly breaks: readonly Break[];
  /** Of every entry of these days, in the order of the history. */
  readonly lines: readonly ReportedLine[];
  /** Still open at the end of the last day. */
  readonly openFacts: readonly Fact[];
  readonly openEntries: readonly Movement[];
}

import type { AccountCash, CashQuery } from '../../api/treasury/cash.ts';
import type {
  AcceptedSchedule,
  NextOccurrences,
  ScheduleDetail,
  ScheduleProblem,
  ScheduleSummary,
  StartedOccurrence,
} from '../../api/treasury/schedule.ts';
import type { SignedIn } from '../users/signed-in.ts';

/** A schedule was refused with everything that is wrong with it, or accepted. */
export type ScheduleOutcome =
  | ({ kind: 'accepted' } & AcceptedSchedule)
  | { kind: 'refused'; problems: ScheduleProblem[] };

/** What a user decided on, as they saw it. */
export interface DecidedVersion {
  version: number;
  decision: 'confirmed' | 'rejected';
  definitionHash: string;
  comment: string | null;
}

/** Schedules of conversions, and what the money will be. See `Application`. */
export interface SchedulesApplication {
  /** Takes effect when another person confirms it. `dryRun`: is only checked. */
  addSchedule(user: SignedIn, schedule: unknown, dryRun: boolean): Promise<ScheduleOutcome>;
  /** A new version: the one in force stays so until another person confirms it. */
  editSchedule(user: SignedIn, scheduleId: string, schedule: unknown, dryRun: boolean): Promise<ScheduleOutcome>;
  /** Of the accounts that the user may use, without deleted ones. */
  listSchedules(user: SignedIn, account: string | null): Promise<ScheduleSummary[]>;
  /** Null when there is no such schedule. Also a deleted one. */
  findSchedule(scheduleId: string): Promise<ScheduleDetail | null>;
  accountOfSchedule(scheduleId: string): Promise<string | null>;
  /** The calls below answer the schedule afterwards. */
  decideSchedule(user: SignedIn, scheduleId: string, decided: DecidedVersion): Promise<ScheduleSummary>;
  pauseSchedule(user: SignedIn, scheduleId: string, reason: string | null): Promise<ScheduleSummary>;
  resumeSchedule(user: SignedIn, scheduleId: string, reason: string | null): Promise<ScheduleSummary>;
  deleteSchedule(user: SignedIn, scheduleId: string, reason: string | null): Promise<ScheduleSummary>;
  /** Starts an occurrence now: under the same key it is the same one. */
  triggerSchedule(user: SignedIn, scheduleId: string, idempotencyKey: string): Promise<StartedOccurrence>;
  /** Makes up for one past date of a fixed amount. */
  backfillSchedule(
    user: SignedIn,
    scheduleId: string,
    missed: { date: string; time: string | null },
  ): Promise<StartedOccurrence>;
  /** Its next occurrences, and what one would do with the balances of this moment. */
  nextOccurrences(scheduleId: string, count: number): Promise<NextOccurrences>;
  /** What is free in each currency, day by day, of the accounts that the user may use. */
  viewCash(user: SignedIn, query: CashQuery): Promise<AccountCash[]>;
}

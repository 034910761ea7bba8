import { type AccountCash, cashViewSchema } from '../../api/treasury/cash.ts';
import {
  type AcceptedSchedule,
  acceptedScheduleSchema,
  type ActionableSchedule,
  actionableScheduleSchema,
  type NextOccurrences,
  nextOccurrencesSchema,
  type ScheduleDecision,
  scheduleListSchema,
  type ScheduleSummary,
  scheduleSummarySchema,
  type StartedOccurrence,
  startedOccurrenceSchema,
} from '../../api/treasury/schedule.ts';
import type { JsonCaller } from './json-caller.ts';

/** Schedules of conversions, and what the money will be. */
export interface ScheduleCalls {
  readonly schedules: {
    /** By name. */
    list(filter?: { account?: string | null }): Promise<ScheduleSummary[]>;
    /** With what the user may do with it. */
    get(scheduleId: string): Promise<ActionableSchedule>;
    /** `schedule`: with the keys of its file. Throws ScheduleRefusedError with everything that is wrong with it. */
    add(schedule: object, options?: { dryRun?: boolean }): Promise<AcceptedSchedule>;
    /** Another version, of the same account and name. Throws ScheduleRefusedError. */
    edit(scheduleId: string, schedule: object, options?: { dryRun?: boolean }): Promise<AcceptedSchedule>;
    /** Confirms or rejects the version that was seen, by its hash. */
    decide(scheduleId: string, decision: ScheduleDecision): Promise<ScheduleSummary>;
    pause(scheduleId: string, reason?: string | null): Promise<ScheduleSummary>;
    resume(scheduleId: string, reason?: string | null): Promise<ScheduleSummary>;
    delete(scheduleId: string, reason?: string | null): Promise<ScheduleSummary>;
    /** Starts an occurrence now. Under the same key it is the same one. */
    trigger(scheduleId: string, idempotencyKey: string): Promise<StartedOccurrence>;
    /** Makes up for a past date of a fixed amount; `time`: the one that was missed, if there are several. */
    backfill(scheduleId: string, date: string, time?: string | null): Promise<StartedOccurrence>;
    /** When it is due next, and what it would do with the balances of this moment. */
    next(scheduleId: string, count?: number): Promise<NextOccurrences>;
  };
  /** What will be free in each currency, day by day. `expect`: money that you expect, as `EUR:1000.00:2026-12-01`. */
  viewCash(filter?: {
    account?: string | null;
    currency?: string | null;
    days?: number | null;
    expect?: readonly string[];
  }): Promise<AccountCash[]>;
}

export function scheduleCalls(call: JsonCaller): ScheduleCalls {
  const list = '/treasury/schedules';
  const pathOf = (scheduleId: string): string => `${list}/${encodeURIComponent(scheduleId)}`;
  const move = (scheduleId: string, verb: string, reason: string | null) =>
    call(scheduleSummarySchema, { method: 'POST', path: `${pathOf(scheduleId)}/${verb}`, body: { reason } });
  return {
    schedules: {
      list: async ({ account = null } = {}) =>
        (await call(scheduleListSchema, { path: list, query: { account } })).schedules,
      get: (scheduleId) => call(actionableScheduleSchema, { path: pathOf(scheduleId) }),
      add: (schedule, { dryRun = false } = {}) =>
        call(acceptedScheduleSchema, { method: 'POST', path: list, body: { schedule, dryRun } }),
      edit: (scheduleId, schedule, { dryRun = false } = {}) =>
        call(acceptedScheduleSchema, { method: 'PUT', path: pathOf(scheduleId), body: { schedule, dryRun } }),
      decide: (scheduleId, body) =>
        call(scheduleSummarySchema, { method: 'POST', path: `${pathOf(scheduleId)}/decision`, body }),
      pause: (scheduleId, reason = null) => move(scheduleId, 'pause', reason),
      resume: (scheduleId, reason = null) => move(scheduleId, 'resume', reason),
      delete: (scheduleId, reason = null) => move(scheduleId, 'delete', reason),
      trigger: (scheduleId, key) =>
        call(startedOccurrenceSchema, {
          ...{ method: 'POST', path: `${pathOf(scheduleId)}/occurrences`, body: {} },
          headers: { 'idempotency-key': key },
        }),
      backfill: (scheduleId, date, time = null) =>
        call(startedOccurrenceSchema, {
          ...{ method: 'POST', path: `${pathOf(scheduleId)}/occurrences`, body: { date, time } },
        }),
      next: (scheduleId, count = 10) =>
        call(nextOccurrencesSchema, { path: `${pathOf(scheduleId)}/next`, query: { count } }),
    },
    viewCash: async ({ account = null, currency = null, days = null, expect = [] } = {}) => {
      const query = { account, currency, days, expect: expect.length === 0 ? null : expect.join(',') };
      return (await call(cashViewSchema, { path: '/treasury/cash', query })).accounts;
    },
  };
}

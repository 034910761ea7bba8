import type { AccountCash } from '../../api/treasury/cash.ts';
import type {
  AcceptedSchedule,
  ActionableSchedule,
  NextOccurrences,
  ScheduleDecision,
  ScheduleSummary,
  StartedOccurrence,
} from '../../api/treasury/schedule.ts';
import { call, type ConsoleCall } from './call.ts';

/** A schedule with the keys of its file. */
export type ScheduleDefinition = Readonly<Record<string, unknown>>;

export async function listSchedules(signal: AbortSignal): Promise<ScheduleSummary[]> {
  return (await call<{ schedules: ScheduleSummary[] }>({ path: '/treasury/schedules', signal })).schedules;
}

export function readSchedule(scheduleId: string, signal: AbortSignal): Promise<ActionableSchedule> {
  return call<ActionableSchedule>({ path: `/treasury/schedules/${scheduleId}`, signal });
}

export function readNext(scheduleId: string, count: number, signal: AbortSignal): Promise<NextOccurrences> {
  return call<NextOccurrences>({ path: `/treasury/schedules/${scheduleId}/next`, query: { count }, signal });
}

/** `scheduleId` null proposes a schedule, otherwise another version of that one. `dryRun` only checks it. */
export function proposeSchedule(
  scheduleId: string | null,
  schedule: ScheduleDefinition,
  dryRun: boolean,
): Promise<AcceptedSchedule> {
  return call<AcceptedSchedule>({
    method: scheduleId === null ? 'POST' : 'PUT',
    path: scheduleId === null ? '/treasury/schedules' : `/treasury/schedules/${scheduleId}`,
    body: { schedule, dryRun },
  });
}

export function decideSchedule(scheduleId: string, body: ScheduleDecision): Promise<ScheduleSummary> {
  return call<ScheduleSummary>({ method: 'POST', path: `/treasury/schedules/${scheduleId}/decision`, body });
}

export function moveSchedule(
  scheduleId: string,
  verb: 'pause' | 'resume' | 'delete',
  reason: string | null,
): Promise<ScheduleSummary> {
  return call<ScheduleSummary>({ method: 'POST', path: `/treasury/schedules/${scheduleId}/${verb}`, body: { reason } });
}

/** `missed` null starts an occurrence now: under the same key it is the same one. */
export function startOccurrence(
  scheduleId: string,
  missed: { date: string; time: string | null } | null,
  idempotencyKey: string,
): Promise<StartedOccurrence> {
  return call<StartedOccurrence>({
    method: 'POST',
    path: `/treasury/schedules/${scheduleId}/occurrences`,
    body: missed ?? {},
    headers: { 'idempotency-key': idempotencyKey },
  });
}

export async function viewCash(query: NonNullable<ConsoleCall['query']>, signal: AbortSignal): Promise<AccountCash[]> {
  return (await call<{ accounts: AccountCash[] }>({ path: '/treasury/cash', query, signal })).accounts;
}

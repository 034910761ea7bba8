import type {
  NextOccurrences,
  ScheduleDetail,
  ScheduleOccurrence,
  ScheduleSummary,
  ScheduleVersion,
} from '../../api/treasury/schedule.ts';
import { businessDays } from '../../domain/treasury/currency-calendar.ts';
import { occurrenceReasonText } from '../../domain/treasury/occurrence-reasons.ts';
import { plannedSteps } from '../../domain/treasury/planned-conversions.ts';
import { currenciesOf, type Schedule, scheduleSchema } from '../../domain/treasury/schedule.ts';
import { nextOccurrences as nextOf } from '../../domain/treasury/schedule-dates.ts';
import { PAUSE_REASONS, type PauseReason } from '../../domain/treasury/occurrence-end.ts';
import * as store from '../../store/treasury/schedule-views.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError, orNotFound } from '../application-error.ts';
import { iso } from '../iso-time.ts';
import { accountsOf, type SignedIn } from '../users/signed-in.ts';
import { readCashToday } from './cash-situation.ts';

type Dependencies = ApplicationDependencies;

const MAX_OCCURRENCES = 50;

export async function listSchedules(
  { database }: Dependencies,
  user: SignedIn,
  account: string | null,
): Promise<ScheduleSummary[]> {
  return (await store.listSchedules(database, { accounts: accountsOf(user, account) })).map(summaryOf);
}

export async function findSchedule({ database }: Dependencies, scheduleId: string): Promise<ScheduleDetail | null> {
  const [schedule] = await store.listSchedules(database, { accounts: null, scheduleId });
  if (schedule === undefined) return null;
  const occurrences = await store.listOccurrences(database, scheduleId, MAX_OCCURRENCES);
  return { schedule: summaryOf(schedule), occurrences: occurrences.map(occurrenceOf) };
}

/** By the version in force, else by the one that is proposed. */
export async function nextOccurrences(
  dependencies: Dependencies,
  scheduleId: string,
  count: number,
): Promise<NextOccurrences> {
  const { database, calendars, now } = dependencies;
  const [record] = await store.listSchedules(database, { accounts: null, scheduleId });
  const { inForce, proposed, state } = orNotFound(record ?? null, 'there is no such schedule');
  const version = inForce ?? proposed;
  if (version === null || state === 'deleted') {
    throw new ApplicationError(
      'conflict',
      'the schedule never starts: it is deleted, or its only version was rejected',
    );
  }
  const schedule = scheduleIn(version.definition);
  const isBusinessDay = businessDays(currenciesOf(schedule), calendars);
  const occurrences = nextOf({ scheduleId, timing: schedule }, { afterMs: now(), count }, isBusinessDay);
  const { situation, priceOf } = await readCashToday(dependencies, schedule.account);
  const steps = plannedSteps(schedule, situation, priceOf);
  return {
    occurrences: occurrences.map(({ at, localDate, slot, movedFrom }) => ({ at, localDate, slot, movedFrom })),
    today:
      'why' in steps
        ? { conversions: [], reason: steps.why, message: occurrenceReasonText(steps.why) }
        : { conversions: steps.conversions, reason: null, message: null },
    calendarVersion: calendars.overrides.version,
  };
}

/** As it was checked before it was stored. */
export function scheduleIn(definition: string): Schedule {
  return scheduleSchema.parse(JSON.parse(definition));
}

function summaryOf(record: store.ScheduleRecord): ScheduleSummary {
  const { scheduleId, account, name, state, stateReason, stateChangedBy, inForce, proposed } = record;
  return {
    ...{ scheduleId, account, name, state, stateReason, stateChangedBy },
    stateText: stateText(record),
    stateChangedAt: record.stateChangedAt.toISOString(),
    inForce: inForce === null ? null : versionOf(inForce),
    proposed: proposed === null ? null : versionOf(proposed),
    addedAt: record.addedAt.toISOString(),
  };
}

function stateText({ stateReason, remark }: store.ScheduleRecord): string | null {
  if (stateReason === null || stateReason === 'by_person') return remark;
  return PAUSE_REASONS[stateReason as PauseReason];
}

function versionOf(record: store.VersionRecord): ScheduleVersion {
  const { version, definition, definitionHash, proposedBy, proposedAt, decidedBy, decidedAt, comment } = record;
  const schedule = JSON.parse(definition) as Schedule;
  return {
    ...{ version, schedule, definitionHash, proposedBy, decidedBy, comment },
    proposedAt: proposedAt.toISOString(),
    decidedAt: iso(decidedAt),
  };
}

function occurrenceOf({ scheduledAt, reason, ...record }: store.OccurrenceRecord): ScheduleOccurrence {
  const { occurrenceId, version, cause, localDate, slot, movedFrom, ended, orders } = record;
  return {
    ...{ occurrenceId, version, cause, localDate, slot, movedFrom, ended, reason, orders },
    scheduledAt: scheduledAt.toISOString(),
    message: reason === null ? null : occurrenceReasonText(reason),
  };
}

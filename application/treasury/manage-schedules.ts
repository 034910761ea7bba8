import { randomUUID } from 'node:crypto';
import type { AcceptedSchedule, ScheduleProblem, ScheduleSummary } from '../../api/treasury/schedule.ts';
import * as store from '../../store/treasury/schedules.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { orNotFound } from '../application-error.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { checkSchedule } from './check-schedule.ts';
import { findSchedule } from './schedule-views.ts';
import { syncSchedule } from './sync-schedules.ts';

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

type Dependencies = ApplicationDependencies;

export async function addSchedule(
  dependencies: Dependencies,
  user: SignedIn,
  content: unknown,
  dryRun: boolean,
): Promise<ScheduleOutcome> {
  const checked = await checkSchedule(dependencies, content);
  if ('problems' in checked) return { kind: 'refused', ...checked };
  const { definition, warnings } = checked;
  if (dryRun) return { kind: 'accepted', scheduleId: null, version: null, warnings };
  const scheduleId = randomUUID();
  const added = store.addScheduleAs(dependencies.database, user.tokenHash, { scheduleId, definition });
  const { version } = await asApplicationError(added);
  return { kind: 'accepted', scheduleId, version, warnings };
}

export async function editSchedule(
  dependencies: Dependencies,
  user: SignedIn,
  scheduleId: string,
  content: unknown,
  dryRun: boolean,
): Promise<ScheduleOutcome> {
  const checked = await checkSchedule(dependencies, content);
  if ('problems' in checked) return { kind: 'refused', ...checked };
  const { definition, warnings } = checked;
  if (dryRun) return { kind: 'accepted', scheduleId: null, version: null, warnings };
  const edited = store.editScheduleAs(dependencies.database, user.tokenHash, { scheduleId, definition });
  const { version } = await asApplicationError(edited);
  return { kind: 'accepted', scheduleId, version, warnings };
}

export async function decideSchedule(
  dependencies: Dependencies,
  user: SignedIn,
  scheduleId: string,
  decided: DecidedVersion,
): Promise<ScheduleSummary> {
  const recorded = store.decideScheduleAs(dependencies.database, user.tokenHash, scheduleId, decided);
  await asApplicationError(recorded);
  return existing(dependencies, scheduleId);
}

export async function pauseSchedule(
  dependencies: Dependencies,
  user: SignedIn,
  scheduleId: string,
  reason: string | null,
): Promise<ScheduleSummary> {
  await asApplicationError(store.pauseScheduleAs(dependencies.database, user.tokenHash, scheduleId, reason));
  return existing(dependencies, scheduleId);
}

export async function resumeSchedule(
  dependencies: Dependencies,
  user: SignedIn,
  scheduleId: string,
  reason: string | null,
): Promise<ScheduleSummary> {
  await asApplicationError(store.resumeScheduleAs(dependencies.database, user.tokenHash, scheduleId, reason));
  return existing(dependencies, scheduleId);
}

export async function deleteSchedule(
  dependencies: Dependencies,
  user: SignedIn,
  scheduleId: string,
  reason: string | null,
): Promise<ScheduleSummary> {
  await asApplicationError(store.deleteScheduleAs(dependencies.database, user.tokenHash, scheduleId, reason));
  return existing(dependencies, scheduleId);
}

async function existing(dependencies: Dependencies, scheduleId: string): Promise<ScheduleSummary> {
  await syncSchedule(dependencies, scheduleId);
  return orNotFound(await findSchedule(dependencies, scheduleId), 'there is no such schedule').schedule;
}

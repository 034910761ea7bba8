import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import { NO_PLAN, type OccurrencePlan } from '../../domain/treasury/occurrence-plan.ts';
import {
  MAX_REFUSALS_IN_A_ROW,
  type OccurrenceEnd,
  type PauseReason,
  SILENT_ENDS,
} from '../../domain/treasury/occurrence-end.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { TokenHash } from '../users/token-hash.ts';
import { termsColumns } from './order-decisions.ts';

/** A schedule as the worker works on it. */
export interface ScheduleInForce {
  scheduleId: string;
  account: string;
  state: 'pending' | 'active' | 'paused' | 'deleted';
  version: number | null;
  /** Of the version in force: canonical JSON. */
  definition: string | null;
}

export async function readScheduleInForce(database: Queryable, scheduleId: string): Promise<ScheduleInForce | null> {
  const { rows } = await database.query<ScheduleInForce>(
    `select schedule_id as "scheduleId", account, schedules.state, version, definition
     from schedules left join schedule_versions using (schedule_id, version) where schedule_id = $1`,
    [scheduleId],
  );
  return rows[0] ?? null;
}

export interface NewOccurrence {
  occurrenceId: string;
  scheduleId: string;
  localDate: string;
  slot: number;
  scheduledAt: string;
  movedFrom: readonly string[];
  calendarVersion: number;
}

/** False: it was begun before, or the schedule is not active. */
export async function beginOccurrence(database: Queryable, begun: NewOccurrence): Promise<boolean> {
  const { rows } = await database.query<{ isNew: boolean }>(
    'select begin_occurrence($1, $2, $3, $4, $5, $6, $7) as "isNew"',
    [
      ...[begun.occurrenceId, begun.scheduleId, begun.localDate, begun.slot, begun.scheduledAt],
      ...[begun.movedFrom, begun.calendarVersion],
    ],
  );
  return rows[0]?.isNew === true;
}

/** Starts an occurrence by hand; `slot` 0: now. False: the same user has started it before. @throws Refused */
export async function startOccurrenceAs(
  database: Database,
  tokenHash: TokenHash,
  of: Omit<NewOccurrence, 'scheduledAt'>,
): Promise<boolean> {
  const { isNew } = await callAsUser<{ isNew: boolean }>(database, 'start_occurrence($1, $2, $3, $4, $5, $6, $7)', [
    ...[tokenHash.bytes, of.scheduleId, of.occurrenceId, of.localDate, of.slot, of.movedFrom, of.calendarVersion],
  ]);
  return isNew;
}

/** An occurrence with the version that it works by. */
export interface OpenOccurrence {
  occurrenceId: string;
  scheduleId: string;
  account: string;
  scheduleState: ScheduleInForce['state'];
  definition: string;
  cause: 'schedule' | 'trigger' | 'backfill';
  scheduledAtMs: number;
  /** Rises when one that was missed is made up for. */
  attempt: number;
  plan: OccurrencePlan;
  ended: OccurrenceEnd | null;
}

export async function isOccurrenceRecorded(database: Queryable, occurrenceId: string): Promise<boolean> {
  const { rows } = await database.query('select from schedule_occurrences where occurrence_id = $1', [occurrenceId]);
  return rows.length === 1;
}

/** Throws if there is no such occurrence. */
export async function readOccurrence(database: Queryable, occurrenceId: string): Promise<OpenOccurrence> {
  const { rows } = await database.query<Omit<OpenOccurrence, 'plan'> & { plan: OccurrencePlan | null }>(
    `select occurrence_id as "occurrenceId", occurrences.schedule_id as "scheduleId", account, schedules.state as "scheduleState", definition,
       (extract(epoch from scheduled_at) * 1000)::float8 as "scheduledAtMs",
       cause, attempt, plan, ended
     from schedule_occurrences occurrences join schedules using (schedule_id)
     join schedule_versions versions on versions.schedule_id = occurrences.schedule_id and versions.version = occurrences.version
     where occurrence_id = $1`,
    [occurrenceId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no occurrence ${occurrenceId}`);
  return { ...row, plan: row.plan ?? NO_PLAN };
}

/** Keeps what an open occurrence has found out for its orders. */
export async function planOccurrence(database: Queryable, occurrenceId: string, plan: OccurrencePlan): Promise<void> {
  await database.query('select plan_occurrence($1, $2)', [occurrenceId, JSON.stringify(plan)]);
}

/** The version of the schedule that placed an order: canonical JSON; null: a person did. */
export async function readScheduleOfOrder(database: Queryable, orderId: string): Promise<string | null> {
  const { rows } = await database.query<{ definition: string }>(
    `select definition from scheduled_orders join schedule_occurrences using (occurrence_id)
     join schedule_versions using (schedule_id, version) where order_id = $1`,
    [orderId],
  );
  return rows[0]?.definition ?? null;
}

/** Null when the order is placed, or was before; else the code of why not. */
export async function placeScheduledOrder(
  database: Queryable,
  occurrenceId: string,
  { terms, orderHash }: { terms: ConversionOrder; orderHash: string },
): Promise<string | null> {
  const { rows } = await database.query<{ refused: string | null }>(
    'select place_scheduled_order($1, $2, $3, $4) as refused',
    [occurrenceId, terms.orderId, termsColumns(terms), orderHash],
  );
  return rows[0]?.refused ?? null;
}

export interface OccurrenceOrder {
  orderId: string;
  /** Null: it was not placed. */
  state: ConversionState | null;
  reason: string | null;
}

/** What became of the orders of an occurrence: of its last attempt. */
export async function readOccurrenceOrders(database: Queryable, occurrenceId: string): Promise<OccurrenceOrder[]> {
  const { rows } = await database.query<OccurrenceOrder>(
    `select order_id as "orderId", orders.state, coalesce(refused, orders.state_reason) as reason
     from scheduled_orders join schedule_occurrences occurrences using (occurrence_id, attempt)
     left join conversion_orders orders using (order_id) where occurrence_id = $1`,
    [occurrenceId],
  );
  return rows;
}

/**
 * How the newest occurrences of a schedule ended, newest first, other than this one: those that say something about its guards, as many as
 * decide with this one whether it is paused. Since it was resumed last.
 */
export async function readEarlierEnds(
  database: Queryable,
  { scheduleId, occurrenceId }: { scheduleId: string; occurrenceId: string },
): Promise<OccurrenceEnd[]> {
  const { rows } = await database.query<{ ended: OccurrenceEnd }>(
    `select ended from schedule_occurrences join schedules using (schedule_id)
     where schedule_id = $1 and occurrence_id <> $2 and ended <> all($3) and ended_at > state_changed_at
     order by scheduled_at desc, begun_at desc limit $4`,
    [scheduleId, occurrenceId, SILENT_ENDS, MAX_REFUSALS_IN_A_ROW - 1],
  );
  return rows.map(({ ended }) => ended);
}

/** Ends it, and pauses its schedule for the reason. False: it had ended. */
export async function endOccurrence(
  database: Queryable,
  occurrenceId: string,
  end: { ended: OccurrenceEnd; reason: string | null; pause: PauseReason | null },
): Promise<boolean> {
  const { rows } = await database.query<{ ended: boolean }>('select end_occurrence($1, $2, $3, $4) as ended', [
    ...[occurrenceId, end.ended, end.reason, end.pause],
  ]);
  return rows[0]?.ended === true;
}

/**
 * Open ones that were started by hand a while ago, and others that are open long after their orders have expired: their workflow
 * may not have been started, or was lost.
 */
export async function listForgottenOccurrences(
  database: Queryable,
): Promise<{ scheduleId: string; occurrenceId: string }[]> {
  const { rows } = await database.query<{ scheduleId: string; occurrenceId: string }>(
    `select schedule_id as "scheduleId", occurrence_id as "occurrenceId" from schedule_occurrences
     where ended is null and begun_at < clock_timestamp() - case cause when 'schedule' then interval '2 hours' else interval '1 minute' end`,
  );
  return rows;
}

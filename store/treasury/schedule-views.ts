import type { Queryable } from '../database/database.ts';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import type { OccurrenceEnd } from '../../domain/treasury/occurrence-end.ts';

interface Person {
  userId: string;
  name: string;
}

export type ScheduleState = 'pending' | 'active' | 'paused' | 'deleted';

export interface VersionRecord {
  version: number;
  definition: string;
  definitionHash: string;
  state: 'proposed' | 'confirmed' | 'rejected' | 'superseded';
  proposedBy: Person;
  proposedAt: Date;
  decidedBy: Person | null;
  decidedAt: Date | null;
  comment: string | null;
}

export interface ScheduleRecord {
  scheduleId: string;
  account: string;
  name: string;
  state: ScheduleState;
  stateReason: string | null;
  remark: string | null;
  /** Null: payrun by itself. */
  stateChangedBy: Person | null;
  stateChangedAt: Date;
  /** Null: none was confirmed. */
  inForce: VersionRecord | null;
  /** The newest one, if nobody has decided on it. */
  proposed: VersionRecord | null;
  addedAt: Date;
}

/** Dates come as text within JSON. */
type JsonVersion = Omit<VersionRecord, 'proposedAt' | 'decidedAt'> & { proposedAt: string; decidedAt: string | null };
type ScheduleRow = Omit<ScheduleRecord, 'inForce' | 'proposed'> & {
  inForce: JsonVersion | null;
  proposed: JsonVersion | null;
};

/** SQL: a version as JSON, with the names of people. */
const VERSION = `jsonb_build_object('version', versions.version, 'definition', definition, 'definitionHash', versions.definition_hash,
  'state', versions.state, 'proposedBy', jsonb_build_object('userId', proposed_by, 'name', proposer.name),
  'proposedAt', proposed_at, 'decidedBy', case when decided_by is not null then
    jsonb_build_object('userId', decided_by, 'name', decider.name) end, 'decidedAt', decided_at, 'comment', remarks.body)`;

const VERSIONS = `schedule_versions versions join users proposer on proposer.user_id = proposed_by
  left join schedule_decisions decisions on decisions.schedule_id = versions.schedule_id and decisions.version = versions.version
  left join users decider on decider.user_id = decided_by
  left join remarks on remarks.remark_id = decisions.remark_id`;

/** By name, without deleted ones unless named by id. `accounts` null: of all. */
export async function listSchedules(
  database: Queryable,
  { accounts, scheduleId = null }: { accounts: readonly string[] | null; scheduleId?: string | null },
): Promise<ScheduleRecord[]> {
  const { rows } = await database.query<ScheduleRow>(
    `select schedules.schedule_id as "scheduleId", account, schedules.name, schedules.state, state_reason as "stateReason",
       state_remarks.body as remark, state_changed_at as "stateChangedAt", added_at as "addedAt",
       case when state_changed_by is not null then jsonb_build_object('userId', state_changed_by, 'name', changer.name) end as "stateChangedBy",
       (select ${VERSION} from ${VERSIONS}
         where versions.schedule_id = schedules.schedule_id and versions.version = schedules.version) as "inForce",
       (select ${VERSION} from ${VERSIONS}
         where versions.schedule_id = schedules.schedule_id and versions.state = 'proposed') as proposed
     from schedules
     left join users changer on changer.user_id = state_changed_by
     left join remarks state_remarks on state_remarks.remark_id = state_remark_id
     where ($1::text[] is null or account = any($1))
       and case when $2::uuid is null then schedules.state <> 'deleted' else schedules.schedule_id = $2 end
     order by account, schedules.name`,
    [accounts, scheduleId],
  );
  return rows.map(({ inForce, proposed, ...schedule }) => ({
    ...schedule,
    inForce: versionOf(inForce),
    proposed: versionOf(proposed),
  }));
}

function versionOf(version: JsonVersion | null): VersionRecord | null {
  if (version === null) return null;
  const { proposedAt, decidedAt } = version;
  return {
    ...version,
    proposedAt: new Date(proposedAt),
    decidedAt: decidedAt === null ? null : new Date(decidedAt),
  };
}

export interface OccurrenceRecord {
  occurrenceId: string;
  version: number;
  cause: 'schedule' | 'trigger' | 'backfill';
  localDate: string;
  slot: number;
  scheduledAt: Date;
  movedFrom: string[];
  begunAt: Date;
  ended: OccurrenceEnd | null;
  reason: string | null;
  /** What it placed, or was about to. */
  orders: OccurrenceOrder[];
}

export interface OccurrenceOrder {
  orderId: string;
  sellCurrency: string;
  buyCurrency: string;
  /** Null: it was not placed. */
  state: ConversionState | null;
  /** A code; null: it was placed. */
  refused: string | null;
}

/** The newest first. */
export async function listOccurrences(
  database: Queryable,
  scheduleId: string,
  limit: number,
): Promise<OccurrenceRecord[]> {
  const { rows } = await database.query<OccurrenceRecord>(
    `select occurrence_id as "occurrenceId", version, cause, local_date::text as "localDate", slot,
       scheduled_at as "scheduledAt", moved_from::text[] as "movedFrom", begun_at as "begunAt", ended, reason,
       (select coalesce(jsonb_agg(jsonb_build_object('orderId', placed.order_id, 'sellCurrency', terms ->> 'sellCurrency',
           'buyCurrency', terms ->> 'buyCurrency', 'state', orders.state, 'refused', refused) order by decided_at), '[]')
         from scheduled_orders placed left join conversion_orders orders using (order_id)
         where placed.occurrence_id = schedule_occurrences.occurrence_id) as orders
     from schedule_occurrences where schedule_id = $1 order by scheduled_at desc, begun_at desc limit $2`,
    [scheduleId, limit],
  );
  return rows;
}

import { composeBody } from '../../domain/notifications/compose.ts';
import {
  MERGED_TYPES,
  NOTIFICATION_TYPES,
  type NotificationSubject,
  type NotificationType,
} from '../../domain/notifications/notification-types.ts';
import { stillHolds } from '../../domain/notifications/subject-facts.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';
import { readFacts } from './read-facts.ts';

export interface PlanSettings {
  /** Facts that are sent in one notification wait for others for so long. */
  gatherMs: number;
  /** After a notification, no other of its type about the same subject for so long. */
  quietMs: number;
  /** The address of the server, for links; null: none. */
  publicUrl: string | null;
  /** So many wait for an endpoint at most: `MAX_OPEN_DELIVERIES`. */
  maxOpen?: number;
}

const MAX_PLANNED = 200;

/** An endpoint for which so many wait is disabled: other endpoints tell of it. */
export const MAX_OPEN_DELIVERIES = 10_000;

interface Waiting {
  notificationId: string;
  type: NotificationType;
  subject: NotificationSubject;
  subjectId: string;
  occurredAt: Date;
}

/**
 * Makes deliveries of what is in the outbox, the oldest first, and returns how many notifications it looked at. Several
 * processes may do so; one at a time does. A notification whose fact's transaction is not over is locked by it, and left.
 */
export async function planDeliveries(database: Database, settings: PlanSettings): Promise<number> {
  return inTransaction(database, async (transaction) => {
    const { rows: lock } = await transaction.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended('notifications', 0)) as taken`,
    );
    if (lock[0]?.taken !== true) return 0;
    const waiting = await takeWaiting(transaction, settings);
    if (waiting.length > 0) await giveUpFullEndpoints(transaction, settings.maxOpen ?? MAX_OPEN_DELIVERIES);
    const notified = new Set<string>();
    for (const notification of waiting) {
      const { type, subjectId, notificationId } = notification;
      const key = `${type} ${subjectId}`;
      const isMerged = MERGED_TYPES.includes(type) && notified.has(key);
      notified.add(key);
      const body = isMerged ? null : await bodyOf(transaction, notification, settings.publicUrl);
      await transaction.query(
        'update outbox set planned_at = clock_timestamp(), body = $2 where notification_id = $1',
        [notificationId, body],
      );
      if (body !== null) await addDeliveries(transaction, notification);
    }
    return waiting.length;
  });
}

async function giveUpFullEndpoints(transaction: Queryable, maxOpen: number): Promise<void> {
  await transaction.query(
    `select give_up_endpoint(endpoint_id, 'full') from endpoints where state = 'enabled' and removed_at is null
       -- guard: open-deliveries-are-capped (2 lines)
       and (select count(*) from (select from deliveries
         where deliveries.endpoint_id = endpoints.endpoint_id and delivery_is_open(state) limit $1) as open) >= $1`,
    [maxOpen],
  );
}

async function takeWaiting(transaction: Queryable, { gatherMs, quietMs }: PlanSettings): Promise<Waiting[]> {
  const { rows } = await transaction.query<Waiting>(
    `select notification_id as "notificationId", type, subject, subject_id as "subjectId", occurred_at as "occurredAt"
     -- Types of a later version are left to its workers.
     from outbox where planned_at is null and type = any($4) and (type <> all($1)
       or occurred_at <= clock_timestamp() - make_interval(secs => $2::float8 / 1000)
         and not exists (select from outbox former where former.subject_id = outbox.subject_id and former.type = outbox.type
           and former.body is not null and former.planned_at > clock_timestamp() - make_interval(secs => $3::float8 / 1000)))
     -- guard: notified-once-it-is-so
     order by position limit ${MAX_PLANNED} for update skip locked`,
    [MERGED_TYPES, gatherMs, quietMs, NOTIFICATION_TYPES],
  );
  return rows;
}

/** Null: nobody needs to be notified any more. */
async function bodyOf(transaction: Queryable, notification: Waiting, publicUrl: string | null): Promise<string | null> {
  const { type, subject, subjectId, occurredAt } = notification;
  const facts = await readFacts(transaction, subject, subjectId);
  if (facts === null || !stillHolds(type, facts)) return null;
  return JSON.stringify(composeBody(type, occurredAt, facts, publicUrl));
}

/**
 * One for each endpoint that wants the type. A disabled endpoint gets it when it is enabled again. Where an earlier one of
 * such facts is still tried, that one covers these as well; if it is given up, the database adds one for these.
 */
async function addDeliveries(
  transaction: Queryable,
  { notificationId, type, subject, subjectId }: Waiting,
): Promise<void> {
  const [toItself, toOthers] = [type === 'endpoint.test', subject === 'endpoint' && type !== 'endpoint.test'];
  await transaction.query(
    `insert into deliveries (notification_id, endpoint_id, state)
     select $1, endpoint_id, case state when 'enabled' then 'queued' else 'disabled' end from endpoints
     -- guard: endpoint-takes-two
     where removed_at is null and state <> 'pending'
       and case when $5 then endpoint_id::text = $3 else (types is null or $2 = any(types)) and not ($6 and endpoint_id::text = $3) end
       and not ($2 = any($4::text[]) and exists (
         select from deliveries former join outbox notified using (notification_id)
         where former.endpoint_id = endpoints.endpoint_id and delivery_is_scheduled(former.state)
           and former.created_at > clock_timestamp() - interval '7 days' and notified.type = $2 and notified.subject_id = $3))`,
    [notificationId, type, subjectId, MERGED_TYPES, toItself, toOthers],
  );
}

import type { DeliveryError } from '../../domain/notifications/delivery-errors.ts';
import {
  ATTEMPTED_DELIVERY_STATES,
  type DeliveryState,
  OPEN_DELIVERY_STATES,
} from '../../domain/notifications/delivery-state.ts';
import { retryDelayMs, type RetrySchedule } from '../../domain/notifications/retry-schedule.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

const OPEN = sqlList(OPEN_DELIVERY_STATES);

/** A delivery that is being attempted. */
export interface Attempt {
  deliveryId: string;
  notificationId: string;
  endpointId: string;
  /** Which attempt this is: what a worker that was thought dead records of an earlier one is not taken. */
  attempt: number;
  failures: number;
  /** The JSON that is sent. */
  body: string;
  kind: 'webhook' | 'mail';
  url: string | null;
  addresses: string[] | null;
}

/**
 * Notes that the delivery that is due for the longest time is attempted now: of new ones the oldest, and none waits for one
 * that fails. One that was being attempted comes first: whoever did so is gone, as an endpoint has one workflow. Null: nothing
 * is due, or the endpoint is not enabled.
 */
export async function beginAttempt(database: Queryable, endpointId: string): Promise<Attempt | null> {
  const { rows } = await database.query<Attempt>(
    `with next as (
       select delivery_id, body, kind, url, addresses
       from deliveries join outbox using (notification_id) join endpoints using (endpoint_id)
       where endpoint_id = $1 and deliveries.state in (${OPEN}) and due_at <= clock_timestamp()
         and endpoints.state = 'enabled' and removed_at is null
       order by deliveries.state = 'delivering' desc, due_at, outbox.position limit 1 for update of deliveries
     )
     update deliveries set state = 'delivering', attempts = attempts + 1, begun_at = clock_timestamp()
     from next where deliveries.delivery_id = next.delivery_id
     returning deliveries.delivery_id as "deliveryId", notification_id as "notificationId", endpoint_id as "endpointId",
       attempts as attempt, failures, next.body, next.kind, next.url, next.addresses`,
    [endpointId],
  );
  return rows[0] ?? null;
}

/** Milliseconds until a delivery of the endpoint is due, by the database's clock; null: none is to be delivered. */
export async function readNextDueMs(database: Queryable, endpointId: string): Promise<number | null> {
  const { rows } = await database.query<{ in_ms: number | null }>(
    `select (extract(epoch from min(due_at) - clock_timestamp()) * 1000)::float8 as in_ms
     from deliveries join endpoints using (endpoint_id)
     where endpoint_id = $1 and deliveries.state in (${OPEN}) and endpoints.state = 'enabled'`,
    [endpointId],
  );
  const inMs = rows[0]?.in_ms ?? null;
  return inMs === null ? null : Math.max(0, Math.ceil(inMs));
}

/** `note`: what was not quite right. */
export async function recordDelivered(
  database: Queryable,
  { deliveryId, attempt, endpointId }: Attempt,
  { httpStatus, note }: { httpStatus: number | null; note: DeliveryError | null },
): Promise<void> {
  const { rowCount } = await database.query(
    `update deliveries set state = 'delivered', ended_at = clock_timestamp(), http_status = $3, error = $4
     where delivery_id = $1 and attempts = $2 and state in (${sqlList(ATTEMPTED_DELIVERY_STATES)})`,
    [deliveryId, attempt, httpStatus, note],
  );
  if (rowCount === 0) return;
  await database.query(
    'update endpoints set failing_since = null where endpoint_id = $1 and failing_since is not null',
    [endpointId],
  );
}

/** What came of an attempt that failed. */
export interface AttemptFailure {
  error: DeliveryError;
  httpStatus: number | null;
}

/**
 * Records a failure and when the delivery is tried again; one that has failed for too long is given up. Where nothing was
 * delivered for that long, the endpoint is disabled; where it is gone for good, at once.
 */
export async function recordFailure(
  database: Queryable,
  { deliveryId, attempt, endpointId, failures }: Attempt,
  { error, httpStatus }: AttemptFailure,
  schedule: RetrySchedule,
): Promise<void> {
  const { rows } = await database.query<{ isTooLong: boolean }>(
    `with failed as (
       update deliveries set failures = failures + 1, http_status = $3, error = $4,
         first_failed_at = coalesce(first_failed_at, clock_timestamp()),
         due_at = clock_timestamp() + make_interval(secs => $5::float8 / 1000),
         state = case when first_failed_at <= clock_timestamp() - make_interval(secs => $6::float8 / 1000) then 'failed' else 'failing' end,
         ended_at = case when first_failed_at <= clock_timestamp() - make_interval(secs => $6::float8 / 1000) then clock_timestamp() end
       where delivery_id = $1 and attempts = $2 and state = 'delivering'
       returning endpoint_id
     )
     update endpoints set failing_since = coalesce(failing_since, clock_timestamp()) from failed
     where endpoints.endpoint_id = failed.endpoint_id
     returning failing_since <= clock_timestamp() - make_interval(secs => $6::float8 / 1000) as "isTooLong"`,
    [deliveryId, attempt, httpStatus, error, retryDelayMs(schedule, failures + 1), schedule.giveUpAfterMs],
  );
  const [counted] = rows;
  if (counted === undefined) return;
  const isGone = httpStatus === GONE;
  if (isGone || counted.isTooLong) {
    await database.query('select give_up_endpoint($1, $2)', [endpointId, isGone ? 'gone' : 'failing']);
  }
}

const GONE = 410;

/**
 * Endpoints whose workflow is to be woken: something is due, and it was not woken since, or a minute ago to no effect. Each is
 * returned to one caller.
 */
export async function takeEndpointsToWake(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ endpointId: string }>(
    `update endpoints set woken_at = clock_timestamp() from (
       select endpoint_id, max(due_at) as newest from deliveries
       where state in (${OPEN}) and due_at <= clock_timestamp() group by endpoint_id) as due
     where endpoints.endpoint_id = due.endpoint_id and endpoints.state = 'enabled' and removed_at is null
       and (woken_at is null or woken_at < newest or woken_at < clock_timestamp() - interval '1 minute')
     returning endpoints.endpoint_id as "endpointId"`,
  );
  return rows.map(({ endpointId }) => endpointId);
}

export interface DeliveryRecord {
  deliveryId: string;
  notificationId: string;
  endpointId: string;
  endpointName: string;
  type: string;
  subjectId: string;
  state: DeliveryState;
  attempts: number;
  httpStatus: number | null;
  error: string | null;
  createdAt: Date;
  /** Of the last attempt. */
  attemptedAt: Date | null;
  /** Null: no further attempt is planned. */
  nextAttemptAt: Date | null;
}

/** The newest first. */
export async function listDeliveries(
  database: Queryable,
  filter: { endpointId: string | null; state: DeliveryState | null; limit: number },
): Promise<DeliveryRecord[]> {
  const { rows } = await database.query<DeliveryRecord>(
    `select delivery_id as "deliveryId", notification_id as "notificationId", endpoint_id as "endpointId",
       endpoints.name as "endpointName", outbox.type, outbox.subject_id as "subjectId", deliveries.state, attempts,
       http_status as "httpStatus", error, deliveries.created_at as "createdAt", begun_at as "attemptedAt",
       case when delivery_is_scheduled(deliveries.state) then due_at end as "nextAttemptAt"
     from deliveries join outbox using (notification_id) join endpoints using (endpoint_id)
     where ($1::uuid is null or endpoint_id = $1) and ($2::text is null or deliveries.state = $2)
     order by deliveries.created_at desc, delivery_id limit $3`,
    [filter.endpointId, filter.state, filter.limit],
  );
  return rows;
}

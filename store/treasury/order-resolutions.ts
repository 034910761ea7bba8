import type { Queryable } from '../database/database.ts';
import { epochMs } from '../database/sql-times.ts';
import type { OrderResolution } from './order-decisions.ts';

/** What people have said, and when the second of them confirmed it. Throws if there is no such resolution. */
export async function readResolution(
  database: Queryable,
  resolutionId: string,
): Promise<{ outcome: OrderResolution; confirmedAtMs: number }> {
  const { rows } = await database.query<{ outcome: OrderResolution; confirmedAtMs: number }>(
    `select outcome, ${epochMs('coalesce(confirmed_at, clock_timestamp())')} as "confirmedAtMs"
     from conversion_resolutions where resolution_id = $1`,
    [resolutionId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no resolution ${resolutionId}`);
  return row;
}

/** What two people have said takes effect, unless the provider shows otherwise. False: it does not. */
export async function concludeResolution(
  database: Queryable,
  resolutionId: string,
  contradicts: boolean,
): Promise<boolean> {
  const { rows } = await database.query<{ concluded: boolean }>(
    'select conclude_conversion_resolution($1, $2) as concluded',
    [resolutionId, contradicts],
  );
  return rows[0]?.concluded === true;
}

/** For the audit trail: what people have said has taken effect without the history having been read since. */
export async function noteUnreadHistory(
  database: Queryable,
  { orderId, resolutionId }: { orderId: string; resolutionId: string },
): Promise<void> {
  await database.query(
    `insert into audit_entries (actor, kind, detail) values ('worker', 'conversion_looked_up',
       jsonb_build_object('order', $1::uuid, 'resolution', $2::uuid, 'isHistoryUnread', true))`,
    [orderId, resolutionId],
  );
}

/** Whether two people have said that the conversion of the order is to be funded as the provider shows it. */
export async function isAcceptedByTwo(database: Queryable, orderId: string): Promise<boolean> {
  const { rows } = await database.query(
    `select from conversion_resolutions where order_id = $1 and outcome = 'fund_again' and state = 'confirmed'`,
    [orderId],
  );
  return rows.length > 0;
}

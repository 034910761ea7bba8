import type { Queryable } from '../database/database.ts';
import { epochMs } from '../database/sql-times.ts';
import type { OrderManualOutcomeKind } from './order-decisions.ts';

/** What people have said of which order, and when the second of them confirmed it. Throws if there is no such manual outcome. */
export async function readManualOutcome(
  database: Queryable,
  manualOutcomeId: string,
): Promise<{ orderId: string; outcome: OrderManualOutcomeKind; confirmedAtMs: number }> {
  const { rows } = await database.query<{ orderId: string; outcome: OrderManualOutcomeKind; confirmedAtMs: number }>(
    `select order_id as "orderId", outcome, ${epochMs('coalesce(confirmed_at, clock_timestamp())')} as "confirmedAtMs"
     from conversion_manual_outcomes where manual_outcome_id = $1`,
    [manualOutcomeId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no manual outcome ${manualOutcomeId}`);
  return row;
}

/** What two people have said takes effect, unless the provider shows otherwise. False: it does not. */
export async function concludeConversionManualOutcome(
  database: Queryable,
  manualOutcomeId: string,
  contradicts: boolean,
): Promise<boolean> {
  const { rows } = await database.query<{ concluded: boolean }>(
    'select conclude_conversion_manual_outcome($1, $2) as concluded',
    [manualOutcomeId, contradicts],
  );
  return rows[0]?.concluded === true;
}

/** For the audit trail: what people have said has taken effect without the history having been read since. */
export async function noteUnreadHistory(
  database: Queryable,
  { orderId, manualOutcomeId }: { orderId: string; manualOutcomeId: string },
): Promise<void> {
  await database.query(
    `insert into audit_entries (actor, kind, detail) values ('worker', 'conversion_read',
       jsonb_build_object('order', $1::uuid, 'manualOutcome', $2::uuid, 'isHistoryUnread', true))`,
    [orderId, manualOutcomeId],
  );
}

/** Whether two people have said that the conversion of the order is to be funded as the provider shows it. */
export async function isAcceptedByTwo(database: Queryable, orderId: string): Promise<boolean> {
  const { rows } = await database.query(
    `select from conversion_manual_outcomes where order_id = $1 and outcome = 'fund_again' and state = 'confirmed'`,
    [orderId],
  );
  return rows.length > 0;
}

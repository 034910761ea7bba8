import type { Queryable } from '../database/database.ts';
import type { OrderResolution } from './order-decisions.ts';

/** Throws if there is no such resolution. */
export async function readResolutionOutcome(database: Queryable, resolutionId: string): Promise<OrderResolution> {
  const { rows } = await database.query<{ outcome: OrderResolution }>(
    'select outcome from conversion_resolutions where resolution_id = $1',
    [resolutionId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no resolution ${resolutionId}`);
  return row.outcome;
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

/** Whether two people have said that the conversion of the order is to be funded as the provider shows it. */
export async function isAcceptedByTwo(database: Queryable, orderId: string): Promise<boolean> {
  const { rows } = await database.query(
    `select from conversion_resolutions where order_id = $1 and outcome = 'fund_again' and state = 'confirmed'`,
    [orderId],
  );
  return rows.length > 0;
}

import type { GoingLive } from '../../domain/approvals/going-live.ts';
import type { Queryable } from '../database/database.ts';

/** Whether payrun is live, and who has gone live or wants to. Times are as Postgres writes them within JSON. */
export async function readGoingLive(database: Queryable): Promise<GoingLive> {
  const { rows } = await database.query<{ step: GoingLive }>('select going_live() as step');
  const step = rows[0]?.step;
  if (step === undefined) throw new Error('the database does not say whether payrun is live');
  return step;
}

/** Whether the record belongs to a real provider, and nobody has gone live yet. */
export async function awaitsGoingLive(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ awaits: boolean }>('select awaits_going_live() as awaits');
  return rows[0]?.awaits === true;
}

import type { LiftedStop } from '../../api/approvals/stop.ts';
import { liftStopAs } from '../../store/approvals/stops.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';
import type { TestDatabase } from './test-database.ts';
import type { TestUser } from './users.ts';

/** Lifting stops as users do who see them as they are now. */

/** The id of who has asked to lift a stop; null: nobody. */
async function whoAsked(database: Queryable, stopId: string): Promise<string | null> {
  const asked = 'select lift_asked_by as by from stops where stop_id = $1';
  const { rows } = await database.query<{ by: string | null }>(asked, [stopId]);
  return rows[0]?.by ?? null;
}

export async function liftAs(
  { application, testDatabase }: Pick<PayrunUnderTest, 'application' | 'testDatabase'>,
  user: TestUser,
  stopId: string,
): Promise<LiftedStop> {
  return application.liftStop(user, stopId, { liftRequestedBy: await whoAsked(testDatabase.database, stopId) });
}

/** The same without an application. */
export async function liftInStore(
  { asServer, database }: Pick<TestDatabase, 'asServer' | 'database'>,
  { tokenHash }: Pick<TestUser, 'tokenHash'>,
  stopId: string,
): Promise<LiftedStop> {
  return liftStopAs(asServer, tokenHash, { stopId, askedBy: await whoAsked(database, stopId) });
}

import type { Queryable } from '../database/database.ts';

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

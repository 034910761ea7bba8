import type { Database } from '../../store/database/database.ts';

/** Has the policy in force let changes take effect after three days, unless somebody objects. */
export async function setDelay(database: Database): Promise<void> {
  await database.query(`insert into policies (policy) select current_policy() || '{"changes": {"delayHours": 72}}'`);
}

import type { Database } from '../../store/database/database.ts';

/** Has the policy in force ask for no second factor, as it does by default with a real provider. */
export async function withoutSecondFactors(database: Database): Promise<void> {
  await database.query(`insert into policies (policy) select current_policy() || $1::jsonb`, [
    { secondFactor: { approvals: false, changes: false } },
  ]);
}

/** For tests of something else with credentials that are not the sandbox's: as if two had gone live, and without second factors. */
export async function beLive(database: Database): Promise<void> {
  await withoutSecondFactors(database);
  await database.query(`insert into changes (kind, state, decided_at) values ('go_live', 'effective', now())`);
}

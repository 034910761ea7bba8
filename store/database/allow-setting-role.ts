import type { Queryable } from './database.ts';
import type { RuntimeRole } from './runtime-role.ts';

/** Lets the owner set the role: with a single login, payrun gives up its other rights in this way. */
export async function allowSettingRole(transaction: Queryable, role: RuntimeRole): Promise<void> {
  await transaction.query(`do $$ begin
    if not pg_has_role(current_user, '${role}', 'SET') then
      execute format('grant ${role} to %I with inherit false, set true', current_user);
    end if;
  exception when insufficient_privilege or unique_violation then
    null;
  end $$`);
}

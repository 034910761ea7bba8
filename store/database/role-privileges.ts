import type { Queryable } from './database.ts';
import { type RuntimeRole, SERVER_ROLE, WORKER_ROLE } from './runtime-role.ts';

/**
 * A temporary table could shadow a table of the database. Functions are protected by their search path; where the owner of
 * the schema may, the right to create temporary tables is revoked as well.
 */
export async function revokeTemporary(transaction: Queryable): Promise<void> {
  const { rows } = await transaction.query<{ grantee: string }>(
    `select grantee from unnest($1::text[]) as grantee
     where (grantee = 'public' or exists (select from pg_roles where rolname = grantee))
       and has_database_privilege(grantee, current_database(), 'temporary')
       and pg_has_role(current_user, (select datdba from pg_database where datname = current_database()), 'USAGE')`,
    [['public', SERVER_ROLE, WORKER_ROLE]],
  );
  if (rows.length === 0) return;
  await transaction.query(`do $$ begin
    execute format('revoke temporary on database %I from ${rows.map(({ grantee }) => grantee).join(', ')}', current_database());
  end $$`);
}

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

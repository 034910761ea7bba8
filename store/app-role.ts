import type { Queryable } from './database.ts';

/**
 * The rights that payrun itself runs with, held by a role of the whole server: rows of every table, except that the two
 * tables of the audit trail can only be read and added to. Owners run migrations, and nothing else.
 */
export const APP_ROLE = 'payrun_app';

/** Makes the role where this connection may; several databases of a server may do so at once. */
export async function ensureAppRole(database: Queryable): Promise<void> {
  await database.query(`do $$ begin
    if not exists (select from pg_roles where rolname = '${APP_ROLE}') then
      create role ${APP_ROLE} nologin;
    end if;
  exception when duplicate_object or unique_violation or insufficient_privilege then
    null;
  end $$`);
}

/** Gives the role its rights in this database, and takes back what it should not have. Needs a transaction. */
export async function grantAppRights(transaction: Queryable): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock(hashtextextended('app-rights', 0))`);
  const { rows } = await transaction.query(`select from pg_roles where rolname = '${APP_ROLE}'`);
  if (rows.length === 0) return;
  await transaction.query(`
    grant usage on schema public to ${APP_ROLE};
    grant select, insert, update, delete on all tables in schema public to ${APP_ROLE};
    grant usage, select on all sequences in schema public to ${APP_ROLE};
    revoke all on schema_migrations, audit_entries, audit_seals from ${APP_ROLE};
    grant select on schema_migrations, audit_entries, audit_seals to ${APP_ROLE};
    grant insert (actor, kind, run_id, payment_id, detail) on audit_entries to ${APP_ROLE};
    grant insert on audit_seals to ${APP_ROLE}`);
  await mayTakeRole(transaction);
}

/** The owner itself may act as the role: a payrun that has one role alone gives up its other rights so. */
async function mayTakeRole(transaction: Queryable): Promise<void> {
  await transaction.query(`do $$ begin
    if not pg_has_role(current_user, '${APP_ROLE}', 'SET') then
      execute format('grant ${APP_ROLE} to %I with inherit false, set true', current_user);
    end if;
  exception when insufficient_privilege or unique_violation then
    null;
  end $$`);
}

/** Takes the role on a new connection, where it exists, has its rights here, and may be taken. */
export const TAKE_APP_ROLE = `
  select set_config('role', '${APP_ROLE}', false) from pg_roles
  where rolname = '${APP_ROLE}' and pg_has_role(session_user, oid, 'SET')
    and to_regclass('public.audit_seals') is not null and has_table_privilege(oid, 'public.audit_seals', 'insert')`;

/**
 * What keeps the audit trail from being changed by those who hold the runtime's credentials: `rights`, the role that
 * logs in has none to do so; `role_taken`, it has, and gives them up on every connection, which a process could take
 * back; `triggers`, only triggers refuse, and the role could switch them off.
 */
export type AuditProtection = 'rights' | 'role_taken' | 'triggers';

export async function readAuditProtection(database: Queryable): Promise<AuditProtection> {
  const { rows } = await database.query<{ may_change: boolean; is_taken: boolean }>(
    `select session_user <> current_user and current_user = '${APP_ROLE}' as is_taken,
       bool_or(pg_has_role(session_user, relowner, 'MEMBER')
         or has_table_privilege(session_user, pg_class.oid, 'update, delete, truncate, trigger')
         or has_any_column_privilege(session_user, pg_class.oid, 'update')) as may_change
     from pg_class where oid in ('public.audit_entries'::regclass, 'public.audit_seals'::regclass)`,
  );
  const [row] = rows;
  if (row?.may_change === false) return 'rights';
  return row?.is_taken === true ? 'role_taken' : 'triggers';
}

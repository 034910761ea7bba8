/**
 * The two database roles of payrun's processes. The server may submit and decide, through functions that verify a user's
 * token, and cannot pay; the worker may pay what was approved, and cannot approve. Owners only run migrations.
 */
export const SERVER_ROLE = 'payrun_server';
export const WORKER_ROLE = 'payrun_worker';
export type RuntimeRole = typeof SERVER_ROLE | typeof WORKER_ROLE;

/** SQL that sets the role on a new connection, if it exists, has its rights in this database and may be set. */
export function takeRole(role: RuntimeRole): string {
  return `
    -- guard: rights-given-up
    select set_config('role', '${role}', false) from pg_roles
    where rolname = '${role}' and pg_has_role(session_user, oid, 'SET')
      and to_regclass('public.approvals') is not null and has_table_privilege(oid, 'public.approvals', 'select')`;
}

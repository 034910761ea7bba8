import { type RuntimeRole, SERVER_ROLE, WORKER_ROLE } from './runtime-role.ts';
import type { Queryable } from './database.ts';

/**
 * What limits a process to its own role in the database. `rights`: the login has no other rights. `role_taken`: it has, and
 * gives them up on every connection, which an attacker in the process could undo. `triggers`: the roles are missing or may
 * not be set, so only triggers refuse. `other_role`: the login is the other process's.
 */
export type RoleProtection = 'rights' | 'role_taken' | 'triggers' | 'other_role';

export async function readRoleProtection(database: Queryable, role: RuntimeRole): Promise<RoleProtection> {
  const other = role === SERVER_ROLE ? WORKER_ROLE : SERVER_ROLE;
  const { rows } = await database.query<{ is_taken: boolean; has_more: boolean; is_other: boolean }>(
    `select current_user = $1 as is_taken,
       bool_or(pg_has_role(session_user, relowner, 'MEMBER')) or pg_has_role(session_user, other.oid, 'MEMBER') as has_more,
       pg_has_role(session_user, other.oid, 'MEMBER')
         and not pg_has_role(session_user, (select oid from pg_roles where rolname = $1), 'MEMBER') as is_other
     from pg_class left join pg_roles other on other.rolname = $2
     where pg_class.oid in ('public.audit_entries'::regclass, 'public.approvals'::regclass)
     group by other.oid`,
    [role, other],
  );
  const [row] = rows;
  if (row?.is_other === true) return 'other_role';
  if (row?.is_taken !== true) return 'triggers';
  return row.has_more ? 'role_taken' : 'rights';
}

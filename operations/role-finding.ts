import type { RoleProtection } from '../store/database/role-protection.ts';
import { type RuntimeRole, SERVER_ROLE } from '../store/database/runtime-role.ts';
import type { Finding } from './finding.ts';

const DETAILS: Readonly<Record<Exclude<RoleProtection, 'other_role'>, string>> = {
  rights: 'the login of DATABASE_URL has only the rights of its role',
  role_taken: 'connections give up other rights, which a compromised process could take back',
  triggers:
    'WARNING: only triggers refuse forbidden changes, as the roles payrun_server and payrun_worker are missing or may ' +
    'not be assumed; create them and a login for each process',
};

/**
 * What restricts a process with this login to the rights of its role. The login of the other process is a problem: a
 * worker could approve, or a server pay. Null: the database is not migrated yet.
 */
export function roleFinding(role: RuntimeRole, protection: RoleProtection | null): Finding {
  const subject = 'database role';
  if (protection === null) {
    return { subject, problem: null, detail: 'does not exist yet: the database is migrated at the first start' };
  }
  if (protection !== 'other_role') return { subject, problem: null, detail: DETAILS[protection] };
  const [own, other] = role === SERVER_ROLE ? ['server', 'worker'] : ['worker', 'server'];
  const why = role === SERVER_ROLE ? "without the provider's credentials" : "with the provider's credentials";
  const problem = `the login of DATABASE_URL is a ${other}'s, but this environment, ${why}, is a ${own}'s: use the ${own}'s login`;
  return { subject, problem, detail: '' };
}

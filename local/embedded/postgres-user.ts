import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** The system user that runs Postgres in place of root. */
export interface RunAs {
  name: string;
  uid: number;
  gid: number;
}

/** The usual names of Postgres's system user; macOS ships with the second. */
const NAMES = ['postgres', '_postgres'] as const;

/**
 * The user that runs Postgres: undefined (the current user) unless that is root, which Postgres refuses. For root, the
 * owner of an existing cluster, else the system user `postgres`, which is created if it does not exist.
 * Errors: the cluster belongs to another user, or root has no such user and cannot create one.
 */
export function postgresRunAs(cluster: string, report: (line: string) => void): RunAs | undefined {
  const owner = ownerOf(cluster);
  const self = process.getuid?.();
  if (self !== 0) {
    if (owner === undefined || self === undefined || owner.uid === self) return undefined;
    throw new Error(
      `the database in ${cluster} belongs to user ${owner.uid}, not to you (${self}): start payrun as that user or as ` +
        'root, or choose another PAYRUN_HOME',
    );
  }
  if (owner !== undefined && owner.uid !== 0) return { name: `number ${owner.uid}`, ...owner };
  for (const name of NAMES) {
    const found = findUser(name);
    if (found !== undefined) return found;
  }
  return createUser(report);
}

function ownerOf(cluster: string): { uid: number; gid: number } | undefined {
  const stat = statSync(cluster, { throwIfNoEntry: false });
  return stat === undefined ? undefined : { uid: stat.uid, gid: stat.gid };
}

function findUser(name: string): RunAs | undefined {
  const number = (flag: string): number =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { name, uid: number('-u'), gid: number('-g') };
  } catch {
    return undefined;
  }
}

function createUser(report: (line: string) => void): RunAs {
  report('Postgres refuses to run as root; creating the system user postgres for it');
  const quietly = { stdio: 'ignore' } as const;
  try {
    execFileSync('groupadd', ['--system', '--force', 'postgres'], quietly);
    const noLogin = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin'];
    execFileSync('useradd', ['--system', '--gid', 'postgres', ...noLogin, 'postgres'], quietly);
  } catch {
    // The lookup below decides.
  }
  const created = findUser('postgres');
  if (created !== undefined) return created;
  throw new Error(
    'Postgres refuses to run as root, and the system user postgres could not be created. Create it (useradd --system ' +
      'postgres), start payrun as another user than root, or set DATABASE_URL to a Postgres of your own.',
  );
}

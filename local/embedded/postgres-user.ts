import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** A user of the system that Postgres runs under in place of root. */
export interface RunAs {
  name: string;
  uid: number;
  gid: number;
}

/** The names that systems give to Postgres's own user; macOS has the second from the start. */
const NAMES = ['postgres', '_postgres'] as const;

/**
 * Whom Postgres runs under: undefined (this user) unless this is root, which Postgres refuses. As root it is the owner
 * of a cluster that exists already, else the system user `postgres`, which is created when it is missing.
 * Errors: a cluster that belongs to someone else, or root without such a user and unable to create one.
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
    const found = lookUp(name);
    if (found !== undefined) return found;
  }
  return createUser(report);
}

function ownerOf(cluster: string): { uid: number; gid: number } | undefined {
  const stat = statSync(cluster, { throwIfNoEntry: false });
  return stat === undefined ? undefined : { uid: stat.uid, gid: stat.gid };
}

function lookUp(name: string): RunAs | undefined {
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
    // The look-up below decides.
  }
  const created = lookUp('postgres');
  if (created !== undefined) return created;
  throw new Error(
    'Postgres refuses to run as root, and the system user postgres could not be created. Create it (useradd --system ' +
      'postgres), start payrun as a plain user, or set DATABASE_URL to a Postgres of your own.',
  );
}

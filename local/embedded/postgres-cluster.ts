import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { majorOf, type PostgresBinaries } from './postgres-binaries.ts';
import type { RunAs } from './postgres-user.ts';
import { writeWhole } from '../../config/whole-file.ts';

const run = promisify(execFile);

/** The role that owns everything in the embedded database. */
export const DATABASE_ROLE = 'payrun';

/**
 * Creates the cluster in `<folder>/cluster` if there is none. Returns its folder and the role's password (random, kept in
 * `<dataDir>/postgres-password`, readable only by its owner). UTF-8, locale C, scram-sha-256 for every connection.
 * Errors: a cluster of another major version, a lost password, or an error of initdb with its output.
 */
export async function ensureCluster(options: {
  folder: string;
  dataDir: string;
  binaries: PostgresBinaries;
  runAs: RunAs | undefined;
  report: (line: string) => void;
}): Promise<{ cluster: string; password: string }> {
  const cluster = join(options.folder, 'cluster');
  const passwordFile = join(options.dataDir, 'postgres-password');
  if (existsSync(cluster)) {
    refuseOtherMajor(cluster, options.binaries.major);
    if (existsSync(passwordFile)) return { cluster, password: readFileSync(passwordFile, 'utf8').trim() };
    throw new Error(
      `the password of the database in ${cluster} is missing (${passwordFile}): restore that file, or move ${cluster} ` +
        'away to start with an empty database',
    );
  }
  const password = randomBytes(24).toString('hex');
  options.report(`Creating the database in ${cluster}`);
  // It gets its name last, after the password, so that an interrupted start leaves no incomplete cluster.
  const draft = `${cluster}.part`;
  rmSync(draft, { recursive: true, force: true });
  await initialise(draft, password, options);
  writeWhole(passwordFile, `${password}\n`);
  renameSync(draft, cluster);
  return { cluster, password };
}

function refuseOtherMajor(cluster: string, major: number): void {
  const found = majorOf(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'));
  if (found === major) return;
  const fix =
    found > major
      ? `Use the payrun that created it, or a newer one (its Postgres is ${found} or newer)`
      : `Dump it with the payrun that created it, move ${cluster} away, and restore the dump`;
  throw new Error(
    `the database in ${cluster} is of Postgres ${found}, but this payrun has Postgres ${major}. ${fix}; or choose ` +
      'another PAYRUN_HOME.',
  );
}

async function initialise(
  draft: string,
  password: string,
  options: { binaries: PostgresBinaries; runAs: RunAs | undefined },
): Promise<void> {
  const { runAs } = options;
  const passwordFile = `${draft}.password`;
  const giveToUser = (path: string): void => {
    if (runAs !== undefined) chownSync(path, runAs.uid, runAs.gid);
  };
  mkdirSync(draft, { mode: 0o700 });
  giveToUser(draft);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  giveToUser(passwordFile);
  const flags = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', `--username=${DATABASE_ROLE}`];
  const asUser = runAs === undefined ? {} : { uid: runAs.uid, gid: runAs.gid };
  try {
    const args = [`--pgdata=${draft}`, `--pwfile=${passwordFile}`, ...flags];
    await run(options.binaries.initdb, args, { ...asUser, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } });
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new Error(
      `the database could not be created in ${draft}. If libraries are missing, run npm rebuild; else correct what ` +
        `initdb reports:\n${output}`,
      { cause: error },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { z } from 'zod';
import type { RunAs } from './postgres-user.ts';
import { writeWhole } from '../../config/whole-file.ts';

const LOCATION = z.object({ folder: z.string() });
const ENTERABLE = 0o711;

/** The folder of the cluster: `dataDir`, unless an earlier start had to put it elsewhere. Nothing is created. */
export function knownClusterFolder(dataDir: string): string {
  const marker = markerOf(dataDir);
  if (!existsSync(marker)) return dataDir;
  const { folder } = LOCATION.parse(JSON.parse(readFileSync(marker, 'utf8')));
  if (existsSync(folder)) return folder;
  throw new Error(
    `the database of ${dataDir} was kept in ${folder}, which is missing: restore that folder, or delete ${marker} to ` +
      'start with an empty database',
  );
}

/**
 * The folder for the cluster, created if necessary. If Postgres runs as another user (root must not run it), that user
 * must be able to enter every parent folder, which a home folder of mode 0700 forbids. payrun does not change such
 * permissions: the cluster is then put in a folder below `reachableRoot`, which a file in `dataDir` names.
 * Errors: an existing cluster that the user can no longer enter; no folder that the user can enter.
 */
export function clusterFolder(options: {
  dataDir: string;
  runAs: RunAs | undefined;
  reachableRoot: string;
  report: (line: string) => void;
}): string {
  const { dataDir, runAs, reachableRoot } = options;
  mkdirSync(dataDir, { recursive: true, mode: runAs === undefined ? 0o700 : ENTERABLE });
  const known = knownClusterFolder(dataDir);
  if (runAs === undefined) return known;
  const closed = closedFolder(known, runAs);
  if (closed === undefined) return known;
  if (known !== dataDir || existsSync(join(dataDir, 'cluster'))) {
    throw new Error(
      `the user ${runAs.name} cannot enter ${closed} and so cannot reach the database: chmod o+x ${closed}`,
    );
  }
  const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
  const folder = join(reachableRoot, `database-${name}`);
  makeReachable(folder, closed, runAs);
  writeWhole(markerOf(dataDir), `${JSON.stringify({ folder })}\n`);
  options.report(`The user ${runAs.name} cannot enter ${closed}; the database is kept in ${folder}`);
  return folder;
}

function makeReachable(folder: string, closed: string, runAs: RunAs): void {
  try {
    mkdirSync(folder, { recursive: true, mode: ENTERABLE });
  } catch {
    // The check below decides.
  }
  if (existsSync(folder) && closedFolder(folder, runAs) === undefined) return;
  throw new Error(
    `the user ${runAs.name}, which runs Postgres in place of root, can enter neither ${closed} nor ${folder}. ` +
      'Choose a PAYRUN_HOME that others may enter (e.g. /srv/payrun), start payrun as another user than root, or set DATABASE_URL.',
  );
}

/** The first folder of the path that the user cannot enter; undefined if there is none. */
function closedFolder(folder: string, runAs: RunAs): string | undefined {
  const parents: string[] = [];
  for (let at = realpathSync(folder); at !== parse(at).root; at = dirname(at)) parents.unshift(at);
  // Tried as that user: permission bits alone would miss groups, access lists and read-only mounts.
  const script = 'for folder in "$@"; do cd -- "$folder" 2>/dev/null || { printf %s "$folder"; exit; }; done';
  const { uid, gid } = runAs;
  const answer = spawnSync('/bin/sh', ['-c', script, 'sh', ...parents], { uid, gid, cwd: '/', encoding: 'utf8' });
  return answer.stdout === '' ? undefined : answer.stdout;
}

const markerOf = (dataDir: string): string => join(dataDir, 'cluster-location.json');

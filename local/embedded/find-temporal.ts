import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { buildTemporal } from './build-temporal.ts';
import { downloadTemporal } from './download-temporal.ts';
import { tryLock } from './lock-file.ts';
import { waitWithProgress } from './report-progress.ts';
import { cachedTemporal, type TemporalRequest } from './temporal-cache.ts';
import { readTemporalVersion, isNewEnough, type TemporalVersion } from './temporal-version.ts';

const LOCK_POLL_MS = 250;

export interface FindTemporalOptions {
  /** TEMPORAL_ADDRESS: an existing cluster; nothing is embedded then. */
  temporalAddress?: string | undefined;
  /** PAYRUN_TEMPORAL_CLI: use this program and no other. */
  temporalCli?: string | undefined;
  /** The process's environment: PATH to look on, and what a Go build needs (HOME, GOPROXY …). */
  env: Readonly<Record<string, string | undefined>>;
  /** See payrunCacheDir. */
  cacheDir: string;
  report: (line: string) => void;
  /** Where to get the program from, tried in order; default: the official download, then a Go build. */
  sources?: readonly TemporalSource[];
}

/** Puts the program at `target` (written under another name and renamed), or throws why it cannot. */
export interface TemporalSource {
  name: string;
  obtain: (request: TemporalRequest) => Promise<void>;
}

export type FoundTemporal =
  | { kind: 'address'; address: string }
  | { kind: 'binary'; binary: string; from: 'PAYRUN_TEMPORAL_CLI' | 'path' | 'cache' | 'fetched' };

const DEFAULT_SOURCES: readonly TemporalSource[] = [
  { name: 'the official download', obtain: downloadTemporal },
  { name: 'a Go build', obtain: buildTemporal },
];

/**
 * Finds Temporal, the first of: a configured address, PAYRUN_TEMPORAL_CLI, `temporal` on the path, the cache, the
 * official download, a Go build. The last two take the cache's lock, so that two payruns do not both fetch it.
 * Errors: PAYRUN_TEMPORAL_CLI does not run or is too old; every source failed (each with its reason, and what to do).
 */
export async function findTemporal(options: FindTemporalOptions): Promise<FoundTemporal> {
  const { temporalAddress, temporalCli, report } = options;
  if (temporalAddress !== undefined && temporalAddress !== '') return { kind: 'address', address: temporalAddress };
  if (temporalCli !== undefined && temporalCli !== '') {
    await requireUsable(temporalCli);
    return { kind: 'binary', binary: temporalCli, from: 'PAYRUN_TEMPORAL_CLI' };
  }
  const onPath = await findOnPath(options.env['PATH'] ?? '', report);
  if (onPath !== undefined) return { kind: 'binary', binary: onPath, from: 'path' };
  const target = cachedTemporal(options.cacheDir);
  if (await isCached(target, report)) return { kind: 'binary', binary: target, from: 'cache' };
  mkdirSync(options.cacheDir, { recursive: true });
  const release = await takeFetchLock(`${target}.lock`, report);
  try {
    // The previous holder of the lock may have fetched it.
    if (await isCached(target, report)) return { kind: 'binary', binary: target, from: 'cache' };
    await fetchInto(target, options);
    return { kind: 'binary', binary: target, from: 'fetched' };
  } finally {
    release();
  }
}

async function requireUsable(binary: string): Promise<void> {
  const version = await readTemporalVersion(binary);
  if (version !== undefined && isNewEnough(version)) return;
  const why =
    version === undefined ? 'does not answer --version as the Temporal CLI does' : `has server ${text(version)}`;
  throw new Error(
    `PAYRUN_TEMPORAL_CLI=${binary} ${why}. Set it to a Temporal CLI with server 1.29 or newer, or unset it.`,
  );
}

async function findOnPath(path: string, report: (line: string) => void): Promise<string | undefined> {
  const binary = path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'temporal'))
    .find(isExecutable);
  if (binary === undefined) return undefined;
  const version = await readTemporalVersion(binary);
  if (version !== undefined && isNewEnough(version)) return binary;
  const why = version === undefined ? 'is not a working Temporal CLI' : `has server ${text(version)}`;
  report(`${binary} ${why}; payrun needs 1.29 or newer and looks elsewhere`);
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function isCached(target: string, report: (line: string) => void): Promise<boolean> {
  if (!existsSync(target)) return false;
  if ((await readTemporalVersion(target)) !== undefined) return true;
  report(`${target} does not run; fetching it again`);
  rmSync(target, { force: true });
  return false;
}

async function takeFetchLock(lock: string, report: (line: string) => void): Promise<() => void> {
  let attempt = tryLock(lock);
  const heldBy = attempt.held ? 0 : attempt.heldBy.pid;
  if (!attempt.held) {
    const until = (): boolean => {
      attempt = tryLock(lock);
      return attempt.held;
    };
    await waitWithProgress(`another payrun (process ${heldBy}) is fetching the Temporal server; waiting for it`, {
      until,
      pollMs: LOCK_POLL_MS,
      report,
    });
  }
  return attempt.held ? attempt.release : () => undefined;
}

async function fetchInto(target: string, options: FindTemporalOptions): Promise<void> {
  const { env, cacheDir, report } = options;
  const reasons: string[] = [];
  for (const source of options.sources ?? DEFAULT_SOURCES) {
    try {
      await source.obtain({ target, cacheDir, env, report });
      if ((await readTemporalVersion(target)) !== undefined) return;
      rmSync(target, { force: true });
      throw new Error('the program does not run');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      report(`Temporal from ${source.name}: ${reason}`);
      reasons.push(`- ${source.name}: ${reason}`);
    }
  }
  throw new Error(
    `no Temporal server was found for this machine:\n${reasons.join('\n')}\n` +
      'Do one of these: install Go 1.26.4 or newer, set PAYRUN_TEMPORAL_CLI to a Temporal CLI (server 1.29 or newer), ' +
      'or set TEMPORAL_ADDRESS to a Temporal cluster.',
  );
}

const text = (version: TemporalVersion): string => `${version.major}.${version.minor}.${version.patch}`;

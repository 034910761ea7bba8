import { execFile } from 'node:child_process';
import { accessSync, constants, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeExit, spawnGuarded } from './guarded-process.ts';
import type { TemporalRequest } from './temporal-cache.ts';
import { TEMPORAL_CLI_VERSION } from './temporal-version.ts';
import { withProgress } from './report-progress.ts';

const run = promisify(execFile);
const MODULE = fileURLToPath(new URL('./temporal-cli', import.meta.url));
const PACKAGE = 'github.com/temporalio/cli/cmd/temporal';
const MIN_GO = [1, 26, 4] as const;
const STOP_GRACE_MS = 5_000;

/**
 * Builds the Temporal CLI from the module in `temporal-cli/`, whose go.sum pins every source. Once per machine, about 5 to
 * 7 minutes on 2 cores; the sources come through the Go module proxy.
 * Errors: no Go, a Go too old that may not fetch a newer one, a failed build (with its last lines).
 */
export async function buildTemporal(request: TemporalRequest): Promise<void> {
  const env = buildEnvironment(request.env, request.cacheDir);
  await requireGo(env);
  const draft = join(request.cacheDir, '.temporal-build');
  const counts = { fetched: 0, compiled: 0 };
  try {
    await withProgress(
      () => progressLine(counts),
      () => compile(draft, env, request, counts),
      request.report,
    );
    renameSync(draft, request.target);
  } finally {
    rmSync(draft, { force: true });
    if (env['HOME'] === ownHome(request.cacheDir)) rmSync(env['HOME'], { recursive: true, force: true });
  }
}

function progressLine(counts: { fetched: number; compiled: number }): string {
  const what = `Building the Temporal server ${TEMPORAL_CLI_VERSION} with Go, once, about 5 to 7 minutes on 2 cores`;
  return counts.fetched + counts.compiled === 0
    ? what
    : `${what}: ${counts.fetched} modules fetched, ${counts.compiled} of about 1,720 packages compiled`;
}

async function compile(
  draft: string,
  env: Readonly<Record<string, string>>,
  request: TemporalRequest,
  counts: { fetched: number; compiled: number },
): Promise<void> {
  const logFile = join(request.cacheDir, 'temporal-build.log');
  const go = await spawnGuarded({
    name: 'The Go build',
    command: 'go',
    args: ['build', '-v', '-trimpath', '-buildvcs=false', '-ldflags', '-s -w', '-o', draft, PACKAGE],
    env,
    cwd: MODULE,
    // Go removes its temporary files on an interrupt.
    stopSignal: 'SIGINT',
    graceMs: STOP_GRACE_MS,
    logFile,
    pidFile: join(request.cacheDir, 'temporal-build.pid'),
    onLine: (line) => {
      if (line.startsWith('go: downloading')) counts.fetched += 1;
      else if (/^[\w./~-]+$/.test(line)) counts.compiled += 1;
    },
    report: request.report,
  });
  const exit = await go.exited;
  if (exit.code === 0) return;
  throw new Error(
    `go build failed (${describeExit(exit)}; its log: ${logFile}): ${go.lastLines().slice(-5).join(' | ')}`,
  );
}

/** Go needs a home folder for its caches. Without one that is writable, it gets one for the duration of the build. */
function buildEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  cacheDir: string,
): Readonly<Record<string, string>> {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  // The result must not depend on the user's Go settings; the official build is without C, too.
  const fixed = { GOFLAGS: '-mod=readonly', GOWORK: 'off', CGO_ENABLED: '0', GOOS: '', GOARCH: '' };
  if (isWritable(env['HOME'])) return { ...Object.fromEntries(given), ...fixed };
  const home = ownHome(cacheDir);
  mkdirSync(home, { recursive: true });
  // Without -modcacherw Go's module cache is read-only and cannot be removed.
  return { ...Object.fromEntries(given), ...fixed, HOME: home, GOFLAGS: '-mod=readonly -modcacherw' };
}

const ownHome = (cacheDir: string): string => join(cacheDir, 'go-home');

function isWritable(folder: string | undefined): boolean {
  try {
    accessSync(folder ?? '', constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function requireGo(env: Readonly<Record<string, string>>): Promise<void> {
  const readSetting = async (name: string, toolchain: Readonly<Record<string, string>>): Promise<string> => {
    const { stdout } = await run('go', ['env', name], { cwd: '/', env: { ...env, ...toolchain } });
    return stdout.trim();
  };
  let version: string;
  try {
    version = await readSetting('GOVERSION', { GOTOOLCHAIN: 'local' });
  } catch (error) {
    throw new Error('Go is not installed', { cause: error });
  }
  if (isGoNewEnough(version)) return;
  // From 1.21 on, Go fetches the toolchain that go.mod asks for, unless it is told to stay local.
  const mayFetch = /auto|path/.test(await readSetting('GOTOOLCHAIN', {}));
  if (!mayFetch) throw new Error(`${version} is too old: 1.26.4 or newer is needed, or GOTOOLCHAIN=auto`);
}

/** Whether 'go1.26.8' is 1.26.4 or newer. */
export function isGoNewEnough(version: string): boolean {
  const found = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(version);
  if (found === null) return false;
  const parts = [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)];
  for (const [index, minimum] of MIN_GO.entries()) {
    const part = parts[index] ?? 0;
    if (part !== minimum) return part > minimum;
  }
  return true;
}

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cachedTemporal, payrunCacheDir } from '../../../local/embedded/temporal-cache.ts';

const run = promisify(execFile);
const MODULE = fileURLToPath(new URL('../../../local/embedded/temporal-cli', import.meta.url));
const PACKAGE = 'github.com/temporalio/cli/cmd/temporal';
const AHEAD = fileURLToPath(new URL('./ahead.go', import.meta.url));

/** In Go's `time.Now`. */
const READS_CLOCK = 'sec, nsec, mono := runtimeNow()\n';

/**
 * The file in a server's home folder that says how many seconds its clock is ahead, as `ahead.go` reads it. The home folder is the
 * `dataDir` of `startTemporal`.
 */
export const AHEAD_FILE = 'clock-ahead-seconds';

/**
 * The program of `build-temporal.ts` with another `time` of Go's library, whose clock can be ahead. Built once per machine, for
 * 5 to 10 minutes, since every package depends on `time`. @throws Error when there is no Go, or its `time` is not as known
 */
export async function temporalAhead(): Promise<string> {
  const cacheDir = payrunCacheDir(process.env);
  const version = createHash('sha256').update(readFileSync(AHEAD)).digest('hex').slice(0, 8);
  const target = `${cachedTemporal(cacheDir)}-clock-ahead-${version}`;
  if (existsSync(target)) return target;
  const env = { ...process.env, GOFLAGS: '-mod=readonly', GOWORK: 'off', CGO_ENABLED: '0' };
  const work = mkdtempSync(join(tmpdir(), 'payrun-temporal-ahead-'));
  mkdirSync(cacheDir, { recursive: true });
  // Gets its name last, so that an interrupted build is not taken for a program.
  const draft = `${target}.${process.pid}`;
  try {
    // The toolchain that go.mod asks for, which may be another than the installed one.
    const { stdout } = await run('go', ['env', 'GOROOT'], { cwd: MODULE, env }).catch((error: unknown) => {
      throw new Error('a Temporal server whose clock can be moved is built with Go, which is not installed', {
        cause: error,
      });
    });
    const overlay = writeOverlay(join(stdout.trim(), 'src', 'time'), work);
    const flags = ['-trimpath', '-buildvcs=false', '-ldflags', '-s -w', '-overlay', overlay];
    await run('go', ['build', ...flags, '-o', draft, PACKAGE], { cwd: MODULE, env });
    renameSync(draft, target);
  } finally {
    for (const left of [work, draft]) rmSync(left, { recursive: true, force: true });
  }
  return target;
}

/** Made from the toolchain's own file, so that there is no copy of it here. */
function writeOverlay(time: string, work: string): string {
  const original = join(time, 'time.go');
  const text = readFileSync(original, 'utf8');
  if (text.split(READS_CLOCK).length !== 2) {
    throw new Error(`${original} does not have one "${READS_CLOCK.trim()}": this Go reads the clock in another way`);
  }
  const patched = join(work, 'time.go');
  writeFileSync(patched, text.replace(READS_CLOCK, `${READS_CLOCK}\tsec += aheadSeconds\n`));
  const overlay = join(work, 'overlay.json');
  writeFileSync(overlay, JSON.stringify({ Replace: { [original]: patched, [join(time, 'ahead.go')]: AHEAD } }));
  return overlay;
}

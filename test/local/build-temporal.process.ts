import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildTemporal, isGoNewEnough } from '../../local/embedded/build-temporal.ts';
import { reports, temporaryFolder } from './temporary-folder.ts';

/** A fake `go` of that version, which builds with the given shell script. */
function aGo(options: { version?: string; toolchain?: string; build?: string }) {
  const folder = temporaryFolder();
  const cacheDir = join(folder, 'cache');
  mkdirSync(cacheDir);
  const { version = 'go1.26.8', toolchain = 'local', build = 'exit 1' } = options;
  const go = join(folder, 'go');
  const answers = `env\\ GOVERSION) echo ${version};; env\\ GOTOOLCHAIN) echo ${toolchain};;`;
  writeFileSync(go, `#!/bin/sh\ncase "$1 $2" in ${answers} *)\n${build}\n;; esac\n`);
  chmodSync(go, 0o755);
  const { report, lines } = reports();
  const env: Record<string, string> = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder };
  return { request: { target: join(cacheDir, 'temporal-cli'), cacheDir, env, report }, lines };
}

/** Writes the file named after -o. */
const BUILDS = 'while [ "$1" != -o ]; do shift; done; echo "go: downloading x v1" >&2; echo built > "$2"';

test('a build puts the program into the cache, with its name only at the end', async () => {
  const { request, lines } = aGo({ build: BUILDS });
  await buildTemporal(request);
  expect(readFileSync(request.target, 'utf8')).toBe('built\n');
  expect(readdirSync(request.cacheDir).toSorted()).toEqual(['temporal-build.log', 'temporal-cli']);
  expect(lines[0]).toContain('Building the Temporal server 1.8.2 with Go');
});

test('a failed build shows the last lines of Go, and leaves no program', async () => {
  const { request } = aGo({ build: 'echo "x.go:1: no space left on device" >&2; exit 1' });
  await expect(buildTemporal(request)).rejects.toThrow(/go build failed \(exit code 1.*no space left on device/);
  expect(existsSync(request.target)).toBe(false);
});

test('a missing Go is named as the reason', async () => {
  const { request } = aGo({});
  await expect(buildTemporal({ ...request, env: { PATH: '/no/such', HOME: '/' } })).rejects.toThrow(
    'Go is not installed',
  );
});

test('an old Go is refused if it must stay local, and fetches a newer one if it may', async () => {
  const local = aGo({ version: 'go1.24.2', toolchain: 'local', build: BUILDS });
  await expect(buildTemporal(local.request)).rejects.toThrow('go1.24.2 is too old');
  const auto = aGo({ version: 'go1.24.2', toolchain: 'auto', build: BUILDS });
  await buildTemporal(auto.request);
  expect(existsSync(auto.request.target)).toBe(true);
});

test('without a writable home, Go gets one for the duration of the build', async () => {
  const { request } = aGo({ build: `echo "$HOME" > "$HOME/../home-was"; ${BUILDS}` });
  await buildTemporal({ ...request, env: { PATH: request.env['PATH'] ?? '' } });
  const home = readFileSync(join(request.cacheDir, 'home-was'), 'utf8').trim();
  expect(home).toBe(join(request.cacheDir, 'go-home'));
  expect(existsSync(home)).toBe(false);
});

test.each([
  ['go1.26.4', true],
  ['go1.26.3', false],
  ['go1.27', true],
  ['go1.9.7', false],
  ['go2.0', true],
  ['devel', false],
])('%s is new enough: %s', (version, expected) => {
  expect(isGoNewEnough(version)).toBe(expected);
});

import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findTemporal, type FindTemporalOptions, type TemporalSource } from '../../local/embedded/find-temporal.ts';
import { tryLock } from '../../local/embedded/lock-file.ts';
import { cachedTemporal, payrunCacheDir } from '../../local/embedded/temporal-cache.ts';
import { isNewEnough, parseTemporalVersion } from '../../local/embedded/temporal-version.ts';
import { reports, temporaryFolder } from './temporary-folder.ts';

/** A fake Temporal CLI with that server version. */
function fakeTemporal(path: string, server = '1.31.2'): string {
  writeFileSync(path, `#!/bin/sh\necho "temporal version 1.8.2 (Server ${server}, UI 2.50.1)"\n`);
  chmodSync(path, 0o755);
  return path;
}

const working: TemporalSource = {
  name: 'a copy',
  obtain: ({ target }) => {
    renameSync(fakeTemporal(`${target}.part`), target);
    return Promise.resolve();
  },
};
const failing = (name: string, reason: string): TemporalSource => ({
  name,
  obtain: () => Promise.reject(new Error(reason)),
});

function aSearch(options: Partial<FindTemporalOptions> = {}) {
  const { report, lines } = reports();
  const cacheDir = join(temporaryFolder(), 'cache');
  const search = { env: { PATH: '' }, cacheDir, report, sources: [failing('a copy', 'is not to be used')], ...options };
  return { search, lines, cached: cachedTemporal(search.cacheDir) };
}

describe('the order of the places', () => {
  test('a configured address means that nothing is embedded', async () => {
    const { search } = aSearch({ temporalAddress: 'temporal.example:7233', temporalCli: '/no/such' });
    expect(await findTemporal(search)).toEqual({ kind: 'address', address: 'temporal.example:7233' });
  });

  test('a configured program is used before the path, and an unusable one is an error', async () => {
    const folder = temporaryFolder();
    fakeTemporal(join(folder, 'temporal'));
    const temporalCli = fakeTemporal(join(folder, 'my-temporal'));
    const { search } = aSearch({ temporalCli, env: { PATH: folder } });
    expect(await findTemporal(search)).toEqual({ kind: 'binary', binary: temporalCli, from: 'PAYRUN_TEMPORAL_CLI' });
    fakeTemporal(temporalCli, '1.28.4');
    await expect(findTemporal(search)).rejects.toThrow(`PAYRUN_TEMPORAL_CLI=${temporalCli} has server 1.28.4`);
    writeFileSync(temporalCli, '#!/bin/sh\nexit 1\n');
    await expect(findTemporal(search)).rejects.toThrow('does not answer');
  });

  test('a program on the path is used before the cache, unless it is too old', async () => {
    const folder = temporaryFolder();
    const binary = fakeTemporal(join(folder, 'temporal'));
    const { search, lines, cached } = aSearch({ env: { PATH: `/no/such:${folder}` } });
    mkdirSync(search.cacheDir);
    fakeTemporal(cached);
    expect(await findTemporal(search)).toEqual({ kind: 'binary', binary, from: 'path' });
    fakeTemporal(binary, '1.28.4');
    expect(await findTemporal(search)).toEqual({ kind: 'binary', binary: cached, from: 'cache' });
    expect(lines).toEqual([`${binary} has server 1.28.4; payrun needs 1.29 or newer and looks elsewhere`]);
  });
});

describe('getting it into the cache', () => {
  test('the sources are tried in order, each failure is reported, and the next start finds the program in the cache', async () => {
    const { search, lines, cached } = aSearch({ sources: [failing('the download', 'no network'), working] });
    expect(await findTemporal(search)).toEqual({ kind: 'binary', binary: cached, from: 'fetched' });
    expect(lines).toEqual(['Temporal from the download: no network']);
    expect(await findTemporal(search)).toEqual({ kind: 'binary', binary: cached, from: 'cache' });
    expect(readdirSync(search.cacheDir)).toHaveLength(1);
  });

  test('if every source fails, one error gives every reason and what to do', async () => {
    const { search } = aSearch({ sources: [failing('the download', 'no network'), failing('a Go build', 'no Go')] });
    const error = await findTemporal(search).catch((caught: unknown) => caught);
    expect(String(error)).toMatch(
      /- the download: no network\n- a Go build: no Go\n.*PAYRUN_TEMPORAL_CLI.*TEMPORAL_ADDRESS/s,
    );
    expect(tryLock(`${cachedTemporal(search.cacheDir)}.lock`).held).toBe(true);
  });

  test('a cached program that does not run is fetched again', async () => {
    const { search, lines, cached } = aSearch({ sources: [working] });
    mkdirSync(search.cacheDir);
    writeFileSync(cached, 'half a file', { mode: 0o755 });
    expect(await findTemporal(search)).toEqual({ kind: 'binary', binary: cached, from: 'fetched' });
    expect(lines).toEqual([`${cached} does not run; fetching it again`]);
  });

  test('a source whose program does not run has failed, and leaves no file', async () => {
    const broken: TemporalSource = {
      name: 'a copy',
      obtain: ({ target }) => {
        writeFileSync(target, 'not a program');
        return Promise.resolve();
      },
    };
    const { search, cached } = aSearch({ sources: [broken] });
    await expect(findTemporal(search)).rejects.toThrow('the program does not run');
    expect(existsSync(cached)).toBe(false);
  });

  test('of two at once only one fetches; the other reports that it waits, and finds it in the cache', async () => {
    let fetches = 0;
    const counting: TemporalSource = {
      ...working,
      obtain: (request) => {
        fetches += 1;
        return working.obtain(request);
      },
    };
    const { search, lines } = aSearch({ sources: [counting] });
    const found = await Promise.all([findTemporal(search), findTemporal(search)]);
    expect(fetches).toBe(1);
    expect(found.map((each) => (each.kind === 'binary' ? each.from : each.kind)).toSorted()).toEqual([
      'cache',
      'fetched',
    ]);
    expect(lines).toEqual([expect.stringContaining(`another payrun (process ${process.pid}) is fetching`)]);
  });
});

test.each([
  ['temporal version 0.0.0-DEV (Server 1.31.2, UI 2.50.1)', true],
  ['temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)', true],
  ['temporal version 1.1.0 (Server 1.25.0, UI 2.30.3)', false],
  ['temporal version 9.0.0 (Server 2.0.0, UI 3.0.0)', true],
])('%s: new enough is %s', (answer, expected) => {
  expect(isNewEnough(parseTemporalVersion(answer)!)).toBe(expected);
});

test('an answer without a server version is not a version', () => {
  expect(parseTemporalVersion('tctl version 1.18.0')).toBeUndefined();
});

test('the cache honours XDG_CACHE_HOME when it is absolute', () => {
  expect(payrunCacheDir({ XDG_CACHE_HOME: '/var/cache', HOME: '/a-home' })).toBe('/var/cache/payrun');
  expect(payrunCacheDir({ XDG_CACHE_HOME: 'relative', HOME: '/a-home' })).toBe('/a-home/.cache/payrun');
});

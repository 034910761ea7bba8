import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { downloadTemporal } from '../../local/embedded/download-temporal.ts';
import { readTemporalVersion, TEMPORAL_CLI_CHECKSUMS } from '../../local/embedded/temporal-version.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PLATFORM = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
const ARCHIVE = `temporal_cli_1.8.2_${PLATFORM}.tar.gz`;

function anArchive(): Buffer {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'temporal'), '#!/bin/sh\necho "temporal version 1.8.2 (Server 1.31.2, UI 2.50.1)"\n');
  return execFileSync('tar', ['-czf', '-', '-C', folder, 'temporal']);
}

/** As if the archive were the pinned one. */
const pinned = (archive: Buffer) => ({ [PLATFORM]: createHash('sha256').update(archive).digest('hex') });

/** A release site on loopback that answers with these files, and 404 for any other. */
async function aSite(files: Readonly<Record<string, Buffer | string>>): Promise<string> {
  const server = createServer((request, response) => {
    const body = files[request.url?.replace('/v1.8.2/', '') ?? ''];
    if (body === undefined) response.writeHead(404);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function aRequest() {
  const cacheDir = join(temporaryFolder(), 'cache');
  mkdirSync(cacheDir);
  return { cacheDir, target: join(cacheDir, 'temporal-cli'), report: () => undefined };
}

test('the official archive becomes a program in the cache, and nothing else stays', async () => {
  const archive = anArchive();
  const request = aRequest();
  await downloadTemporal(request, { releases: await aSite({ [ARCHIVE]: archive }), checksums: pinned(archive) });
  expect(await readTemporalVersion(request.target)).toEqual({ major: 1, minor: 31, patch: 2 });
  expect(readdirSync(request.cacheDir)).toEqual(['temporal-cli']);
});

test('a truncated or exchanged archive is refused, and no file of it stays', async () => {
  const archive = anArchive();
  for (const wrong of [archive.subarray(0, -10), Buffer.from('something else')]) {
    const request = aRequest();
    const from = { releases: await aSite({ [ARCHIVE]: wrong }), checksums: pinned(archive) };
    await expect(downloadTemporal(request, from)).rejects.toThrow(`${ARCHIVE} is damaged`);
    expect(readdirSync(request.cacheDir)).toEqual([]);
  }
});

test('a missing release is reported with its address', async () => {
  await expect(downloadTemporal(aRequest(), { releases: await aSite({}) })).rejects.toThrow(`${ARCHIVE} answered 404`);
});

test('a site that cannot be reached is named', async () => {
  const unreachable = downloadTemporal(aRequest(), { releases: 'http://127.0.0.1:1' });
  await expect(unreachable).rejects.toThrow('127.0.0.1:1 cannot be reached');
});

test('an archive is refused that the site vouches for itself, with a list beside it', async () => {
  const archive = anArchive();
  const list = `${createHash('sha256').update(archive).digest('hex')}  ${ARCHIVE}\n`;
  const releases = await aSite({ 'checksums.txt': list, [ARCHIVE]: archive });
  const request = aRequest();
  await expect(downloadTemporal(request, { releases })).rejects.toThrow(`${ARCHIVE} is damaged`);
  expect(readdirSync(request.cacheDir)).toEqual([]);
});

test('a machine without a pinned checksum downloads nothing', async () => {
  await expect(downloadTemporal(aRequest(), { checksums: {} })).rejects.toThrow('there is no release for');
  expect(Object.keys(TEMPORAL_CLI_CHECKSUMS).sort()).toEqual([
    ...['darwin_amd64', 'darwin_arm64', 'linux_amd64', 'linux_arm64'],
  ]);
  expect(Object.values(TEMPORAL_CLI_CHECKSUMS).filter((sum) => !/^[0-9a-f]{64}$/.test(sum))).toEqual([]);
});

test('download and build are pinned to the same version', () => {
  const module = readFileSync(new URL('../../local/embedded/temporal-cli/go.mod', import.meta.url), 'utf8');
  expect(module).toContain('github.com/temporalio/cli v1.8.2');
});

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { identityOf, ownIdentity } from '../../config/process-identity.ts';
import { type ServiceProcess, spawnService } from '../../local/embedded/service-process.ts';
import { reports, temporaryFolder } from './temporary-folder.ts';
import { until } from '../helpers/until.ts';

/** Starts a shell script as a service in `folder`. */
async function aService(
  script: string,
  options: {
    folder?: string;
    readyWhen?: (line: string) => boolean;
    stopGraceMs?: number;
    report?: (line: string) => void;
  } = {},
): Promise<ServiceProcess & { logFile: string; folder: string }> {
  const { folder = temporaryFolder(), report = () => undefined, ...rest } = options;
  const logFile = join(folder, 'worker.log');
  const env = { PATH: process.env['PATH'] };
  const service = await spawnService({
    name: 'worker',
    command: '/bin/sh',
    args: ['-c', script],
    env,
    logFile,
    report,
    ...rest,
  });
  onTestFinished(async () => {
    service.kill();
    await service.exited;
  });
  return { ...service, logFile, folder };
}

/** Waits for the process numbers that a script writes into a file. */
async function pidsIn(file: string, count: number): Promise<number[]> {
  return until(() => {
    if (!existsSync(file)) return undefined;
    const pids = readFileSync(file, 'utf8').trim().split('\n').map(Number);
    return pids.length === count ? pids : undefined;
  });
}

test('a service is ready once a line of its output says so, and its output is in the log', async () => {
  const service = await aService('echo starting; echo ready >&2; exec sleep 60', {
    readyWhen: (line) => line === 'ready',
  });
  expect(identityOf(service.pid)).toBeDefined();
  expect(readFileSync(service.logFile, 'utf8')).toBe('starting\nready\n');
  await service.stop();
  expect(identityOf(service.pid)).toBeUndefined();
  expect(await service.exited).toEqual({ code: null, signal: 'SIGTERM' });
});

test('a service that ends before it is ready fails with its last output', async () => {
  const starting = aService('echo the port is taken; exit 3', { readyWhen: (line) => line === 'ready' });
  await expect(starting).rejects.toThrow(/worker stopped \(exit code 3\) while starting.*\n.*\nthe port is taken/);
});

test('a missing program is one clear error', async () => {
  const logFile = join(temporaryFolder(), 'worker.log');
  const starting = spawnService({
    ...{ name: 'worker', command: '/no/such/program', args: [], env: {}, logFile, report: () => undefined },
    readyWhen: () => false,
  });
  await expect(starting).rejects.toThrow(/worker .*\/no\/such\/program/s);
});

test('a service that ignores the stop signal is killed after the grace time, with its child processes', async () => {
  const folder = temporaryFolder();
  const pids = join(folder, 'pids');
  const script = `trap '' TERM; sleep 60 & echo $! > ${pids}; echo ready; while :; do sleep 60; done`;
  const service = await aService(script, { folder, stopGraceMs: 50, readyWhen: (line) => line === 'ready' });
  const [grandchild] = await pidsIn(pids, 1);
  await service.stop();
  expect(await service.exited).toEqual({ code: null, signal: 'SIGKILL' });
  await until(() => identityOf(grandchild!) === undefined);
});

test('if its watchdog is killed, the service ends and reports it', async () => {
  const service = await aService('echo $PPID; exec sleep 60', { readyWhen: (line) => /^\d+$/.test(line) });
  process.kill(Number(readFileSync(service.logFile, 'utf8')), 'SIGKILL');
  expect((await service.exited).signal).toContain('SIGKILL');
  expect(identityOf(service.pid)).toBeUndefined();
});

test('a process left running by an earlier start is stopped before the next start', async () => {
  const folder = temporaryFolder();
  const left = await aService('exec sleep 60', { folder });
  const { report, lines } = reports();
  const next = await aService('exec sleep 60', { folder, report });
  expect(lines).toEqual([`worker of an earlier start still runs (process ${left.pid}); stopping it first`]);
  expect(identityOf(left.pid)).toBeUndefined();
  expect(identityOf(next.pid)).toBeDefined();
});

test('a service of another running payrun is not stopped: the start is refused', async () => {
  const folder = temporaryFolder();
  const service = await aService('exec sleep 60', { folder });
  const other = identityOf(process.ppid);
  writeFileSync(join(folder, 'worker.pid'), JSON.stringify({ child: identityOf(service.pid), owner: other }));
  await expect(aService('exec sleep 60', { folder })).rejects.toThrow(`another payrun (process ${process.ppid}`);
  expect(identityOf(service.pid)).toBeDefined();
});

test('an unrelated process with the same process number is not stopped', async () => {
  const folder = temporaryFolder();
  const stranger = { ...ownIdentity(), startedAt: 'earlier' };
  writeFileSync(join(folder, 'worker.pid'), JSON.stringify({ child: stranger, owner: stranger }));
  const { report, lines } = reports();
  await aService('exec sleep 60', { folder, report });
  expect(lines).toEqual([]);
});

test('a log is kept in two files of limited size', async () => {
  const service = await aService("head -c 11000000 /dev/zero | tr '\\0' x | fold -w 9999");
  await service.exited;
  expect(statSync(`${service.logFile}.1`).size).toBeLessThanOrEqual(10 * 1024 * 1024);
  expect(statSync(service.logFile).size + statSync(`${service.logFile}.1`).size).toBeGreaterThan(11_000_000);
});

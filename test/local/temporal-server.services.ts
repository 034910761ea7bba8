import { createServer } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { expect, onTestFinished, test } from 'vitest';
import { findTemporal } from '../../local/embedded/find-temporal.ts';
import { payrunCacheDir } from '../../local/embedded/temporal-cache.ts';
import { startTemporal, type TemporalOptions, type TemporalServer } from '../../local/embedded/temporal-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from '../helpers/until.ts';

const NAMESPACE = 'payrun-test';

async function aTemporal(dataDir: string, searchAttributes: TemporalOptions['searchAttributes'] = {}) {
  const found = await findTemporal({
    temporalCli: process.env['PAYRUN_TEMPORAL_CLI'],
    env: process.env,
    cacheDir: payrunCacheDir(process.env),
    report: (line) => console.error(line),
  });
  if (found.kind !== 'binary') throw new Error('a program was expected');
  const { binary } = found;
  const server = await startTemporal({
    ...{ binary, dataDir, namespace: NAMESPACE, searchAttributes },
    report: () => undefined,
  });
  onTestFinished(() => server.stop());
  return server;
}

async function aClient(server: TemporalServer): Promise<Client> {
  const connection = await Connection.connect({ address: server.address });
  onTestFinished(() => connection.close());
  return new Client({ connection, namespace: NAMESPACE });
}

async function attributesOf(server: TemporalServer): Promise<string[]> {
  const { connection } = await aClient(server);
  const answer = await connection.operatorService.listSearchAttributes({ namespace: NAMESPACE });
  return Object.keys(answer.customAttributes).filter((name) => name.startsWith('payrun'));
}

test('a started workflow survives a kill -9, on the same ports', async () => {
  const dataDir = temporaryFolder();
  const first = await aTemporal(dataDir);
  const before = await aClient(first);
  await before.workflow.start('paymentRun', { workflowId: 'payment-run/1', taskQueue: 'nobody', args: [] });
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  const second = await aTemporal(dataDir);
  expect([second.address, second.uiUrl]).toEqual([first.address, first.uiUrl]);
  const after = await aClient(second);
  expect((await after.workflow.getHandle('payment-run/1').describe()).status.name).toBe('RUNNING');
});

test('search attributes exist at once, and a later start can add more', async () => {
  const dataDir = temporaryFolder();
  const first = await aTemporal(dataDir, { payrunRunId: 'Keyword' });
  expect(await attributesOf(first)).toEqual(['payrunRunId']);
  await first.stop();
  const second = await aTemporal(dataDir, { payrunRunId: 'Keyword', payrunRows: 'Int' });
  expect((await attributesOf(second)).toSorted()).toEqual(['payrunRows', 'payrunRunId']);
  const client = await aClient(second);
  const typedSearchAttributes = [{ key: defineSearchAttributeKey('payrunRows', 'INT'), value: 3 }];
  const paymentRun = { workflowId: 'payment-run/1', taskQueue: 'nobody', args: [], typedSearchAttributes };
  await client.workflow.start('paymentRun', paymentRun);
  await until(async () => (await client.workflow.count('payrunRows = 3')).count === 1);
});

test('a crash is reported, a stop is not', async () => {
  const dataDir = temporaryFolder();
  const reported: string[] = [];
  const first = await aTemporal(dataDir);
  first.onCrash(({ signal }) => reported.push(`crash by ${signal ?? 'itself'}`));
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  const second = await aTemporal(dataDir);
  second.onCrash(() => reported.push('stop'));
  await second.stop();
  expect(reported).toEqual(['crash by SIGKILL']);
});

test('if the ports of the last start are taken, others are used', async () => {
  const dataDir = temporaryFolder();
  const first = await aTemporal(dataDir);
  await first.stop();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(first.uiPort, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const second = await aTemporal(dataDir);
  expect(second.port).toBe(first.port);
  expect(second.uiPort).not.toBe(first.uiPort);
  expect((await fetch(second.uiUrl)).status).toBe(200);
});

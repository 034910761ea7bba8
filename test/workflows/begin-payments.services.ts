import { Client, Connection } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { restartLostPaymentsActivity, beginPaymentsActivity } from '../../activities/runs/begin-payments.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { paymentWorkflowId } from '../../domain/identifiers.ts';
import { ensureSearchAttributes, searchAttributeTypes } from '../../config/temporal/search-attributes.ts';
import { beginRequest } from '../../store/payments/payment-requests.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { TEST_KEY_IDS } from '../helpers/test-data-keys.ts';
import { anApprovedRun, putInto } from '../store/a-stored-run.ts';

const ANY_DAY = '2026-01-31';

let testDatabase: TestDatabase;
let connection: Connection;
let temporal: Client;
let begun: string[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  connection = await Connection.connect({ address: inject('temporalAddress') });
  await ensureSearchAttributes(connection, 'default', searchAttributeTypes());
  temporal = new Client({ connection });
});
afterAll(async () => {
  await Promise.all(
    begun.map((paymentId) =>
      workflowOf(paymentId)
        .terminate()
        .catch(() => undefined),
    ),
  );
  await connection.close();
  await testDatabase.drop();
});

// No worker serves this namespace, so that started workflows do not proceed.
async function aRunToBegin(payments: number) {
  const { runId, paymentIds } = await anApprovedRun(testDatabase.database, payments);
  begun = [...begun, ...paymentIds];
  const { database } = testDatabase;
  const dependencies = { database, temporal, now: Date.now } as ActivityDependencies;
  const activity = beginPaymentsActivity(dependencies);
  const beginInAttempt = (attempt: number, page: { afterRow: number; concurrencyLimit: number }) =>
    new MockActivityEnvironment({ attempt }).run(activity, { runId, ...page });
  const begin = (afterRow: number, concurrencyLimit: number) => beginInAttempt(1, { afterRow, concurrencyLimit });
  const restartLost = () => restartLostPaymentsActivity(dependencies)({ runId });
  return { begin, beginInAttempt, restartLost, paymentIds, runId };
}

const workflowOf = (paymentId: string) => temporal.workflow.getHandle(paymentWorkflowId(paymentId));

describe('payments of a run', () => {
  test('are begun row by row, and no more of them than may be unsent', async () => {
    const { begin, paymentIds } = await aRunToBegin(3);
    expect(await begin(0, 2)).toEqual({ kind: 'begun', lastRow: 2 });
    await expect(begin(2, 2)).rejects.toMatchObject({ type: 'limit_reached' });
    await expect(workflowOf(paymentIds[2] ?? '').describe()).rejects.toThrow(/not found/i);
    await putInto(testDatabase.database, paymentIds[0] ?? '', 'processing');
    expect(await begin(2, 2)).toEqual({ kind: 'begun', lastRow: 3 });
    expect(await begin(3, 2)).toMatchObject({ kind: 'none_due' });
  });

  test('are not begun while as many are unsent as may be, and after a time the run is answered so', async () => {
    const { begin, beginInAttempt, paymentIds } = await aRunToBegin(2);
    expect(await begin(0, 1)).toEqual({ kind: 'begun', lastRow: 1 });
    const page = { afterRow: 1, concurrencyLimit: 1 };
    await expect(beginInAttempt(2, page)).rejects.toMatchObject({ type: 'limit_reached' });
    expect(await beginInAttempt(100_000, page)).toEqual({ kind: 'limit_reached' });
    await expect(workflowOf(paymentIds[1] ?? '').describe()).rejects.toThrow(/not found/i);
  });

  test('are begun once, also if the activity is repeated, unless their workflow was terminated', async () => {
    const { begin, paymentIds } = await aRunToBegin(2);
    const [first = '', second = ''] = paymentIds;
    await begin(0, 5);
    const before = await workflowOf(second).describe();
    await workflowOf(first).terminate();
    expect(await begin(0, 5)).toEqual({ kind: 'begun', lastRow: 2 });
    expect((await workflowOf(first).describe()).status.name).toBe('RUNNING');
    expect((await workflowOf(second).describe()).runId).toBe(before.runId);
  });

  test('are restarted if they were begun, are unfunded and have no workflow, and no others', async () => {
    const { begin, restartLost, paymentIds } = await aRunToBegin(4);
    const [gone = '', there = '', funded = '', notBegun = ''] = paymentIds;
    await begin(0, 3);
    const before = await workflowOf(there).describe();
    for (const paymentId of [gone, funded]) await workflowOf(paymentId).terminate();
    await putInto(testDatabase.database, gone, 'created');
    await putInto(testDatabase.database, funded, 'funded');
    await restartLost();
    expect((await workflowOf(gone).describe()).status.name).toBe('RUNNING');
    expect((await workflowOf(there).describe()).runId).toBe(before.runId);
    expect((await workflowOf(funded).describe()).status.name).toBe('TERMINATED');
    await expect(workflowOf(notBegun).describe()).rejects.toThrow(/not found/i);
  });

  test('are restarted while a stop is active only if they have an open request', async () => {
    const { begin, restartLost, paymentIds, runId } = await aRunToBegin(2);
    const { database } = testDatabase;
    const [open = '', quiet = ''] = paymentIds;
    await begin(0, 2);
    await beginRequest(database, {
      paymentId: await quoted(open),
      operation: 'create',
      whileIn: ['quoted'],
      at: new Date(ANY_DAY),
      dataKeys: TEST_KEY_IDS,
    });
    await database.query(`insert into stops (scope, run_id) values ('run', $1)`, [runId]);
    for (const paymentId of paymentIds) await workflowOf(paymentId).terminate();
    await restartLost();
    expect((await workflowOf(open).describe()).status.name).toBe('RUNNING');
    expect((await workflowOf(quiet).describe()).status.name).toBe('TERMINATED');
  });
});

async function quoted(paymentId: string): Promise<string> {
  await putInto(testDatabase.database, paymentId, 'quoted');
  return paymentId;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  disableEndpointAs,
  enableEndpointAs,
  listEndpoints,
  retryDeliveryAs,
  rotateEndpointSecretAs,
} from '../../store/notifications/endpoints.ts';
import { newEndpointSecret } from '../../store/notifications/endpoint-secrets.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aReceiver, verified, type WebhookReceiver } from '../helpers/webhook-receiver.ts';
import { type AddedTestEndpoint, anEndpoint } from '../store/an-endpoint.ts';
import { anApprovedRun } from '../store/a-stored-run.ts';
import { deliverer, deliveriesTo, plan, queueATest } from './deliveries-under-test.ts';

let testDatabase: TestDatabase;
let ada: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  ada = await aUser(testDatabase, 'Ada', 'administrator');
});
afterAll(() => testDatabase.drop());

const onlyTests = ['run.finished'] as const;

async function aWebhook(): Promise<{ receiver: WebhookReceiver; endpoint: AddedTestEndpoint }> {
  const receiver = await aReceiver();
  // Of a type that nothing here causes: each test sends what it needs.
  return { receiver, endpoint: await anEndpoint(testDatabase, ada, { url: receiver.url, types: onlyTests }) };
}

const deliver = (endpointId: string) => deliverer(testDatabase.asWorker)({ endpointId });

async function endpointWith(endpointId: string) {
  const [endpoint] = await listEndpoints(testDatabase.asServer, endpointId);
  if (endpoint === undefined) throw new Error('there is no such endpoint');
  return endpoint;
}

describe('a delivery', () => {
  test('is signed, and verifies with the secret that was shown', async () => {
    const { receiver, endpoint } = await aWebhook();
    const notificationId = await queueATest(testDatabase, ada, endpoint.endpointId);
    expect(await deliver(endpoint.endpointId)).toEqual({ waitMs: null });
    const [received] = receiver.received;
    if (received === undefined) throw new Error('nothing arrived');
    const { name } = await endpointWith(endpoint.endpointId);
    const { endpointId } = endpoint;
    expect(verified(endpoint.secret, received)).toEqual({
      type: 'endpoint.test',
      timestamp: expect.any(String) as string,
      data: {
        ...{ endpointId, name, state: 'enabled', reason: null },
        url: `https://payrun.example.com/api/v1/notifications/endpoints/${endpointId}`,
      },
    });
    expect(received.headers['webhook-id']).toBe(notificationId);
    expect(await deliveriesTo(testDatabase, endpointId)).toMatchObject([
      { notificationId, state: 'delivered', attempts: 1, httpStatus: 204, error: null, nextAttemptAt: null },
    ]);
  });

  test('is signed with both secrets after a rotation, and with none from before that', async () => {
    const { receiver, endpoint } = await aWebhook();
    const { endpointId } = endpoint;
    const [second, third] = [newEndpointSecret(TEST_DATA_KEYS), newEndpointSecret(TEST_DATA_KEYS)];
    await rotateEndpointSecretAs(testDatabase.asServer, ada.tokenHash, endpointId, second);
    await queueATest(testDatabase, ada, endpointId);
    await deliver(endpointId);
    await rotateEndpointSecretAs(testDatabase.asServer, ada.tokenHash, endpointId, third);
    await queueATest(testDatabase, ada, endpointId);
    await deliver(endpointId);
    const [after, later] = receiver.received;
    if (after === undefined || later === undefined) throw new Error('not everything arrived');
    expect(String(after.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect([verified(endpoint.secret, after), verified(second.shown, after)]).toMatchObject([{}, {}]);
    expect([verified(second.shown, later), verified(third.shown, later)]).toMatchObject([{}, {}]);
    expect(() => verified(endpoint.secret, later)).toThrow('No matching signature');
  });

  test('is no longer signed with a former secret when its day is over', async () => {
    const { receiver, endpoint } = await aWebhook();
    const { endpointId } = endpoint;
    await rotateEndpointSecretAs(testDatabase.asServer, ada.tokenHash, endpointId, newEndpointSecret(TEST_DATA_KEYS));
    await testDatabase.database.query(
      `update endpoint_secrets set expires_at = now() where endpoint_id = $1 and expires_at is not null`,
      [endpointId],
    );
    await queueATest(testDatabase, ada, endpointId);
    await deliver(endpointId);
    expect(String(receiver.received[0]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  test('that failed is sent again with the same id and body', async () => {
    const { receiver, endpoint } = await aWebhook();
    const { endpointId } = endpoint;
    receiver.answer = (response) => response.writeHead(receiver.received.length < 3 ? 500 : 200).end();
    await queueATest(testDatabase, ada, endpointId);
    const states: unknown[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await deliver(endpointId);
      states.push((await deliveriesTo(testDatabase, endpointId)).map(({ state, httpStatus }) => [state, httpStatus]));
    }
    expect(states).toEqual([[['failing', 500]], [['failing', 500]], [['delivered', 200]]]);
    expect(new Set(receiver.received.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size).toBe(
      1,
    );
    expect((await endpointWith(endpointId)).failingSince).toBeNull();
  });

  test('is tried again after pauses that grow', async () => {
    const { receiver, endpoint } = await aWebhook();
    const { endpointId } = endpoint;
    receiver.answer = (response) => response.writeHead(500).end();
    await queueATest(testDatabase, ada, endpointId);
    const schedule = { delaysMs: [60_000, 600_000], giveUpAfterMs: 86_400_000 };
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      waits.push((await deliverer(testDatabase.asWorker, { schedule })({ endpointId })).waitMs ?? 0);
      await testDatabase.database.query('update deliveries set due_at = now() where endpoint_id = $1', [endpointId]);
    }
    const minutes = waits.map((ms) => Math.round(ms / 60_000));
    expect(minutes).toEqual([1, 10, 10]);
  });

  test('whose worker is killed between sending and recording arrives again, with the same id', async () => {
    const { receiver, endpoint } = await aWebhook();
    const { endpointId } = endpoint;
    const notificationId = await queueATest(testDatabase, ada, endpointId);
    const script = join(import.meta.dirname, 'deliver-and-die.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', script, testDatabase.workerUrl, endpointId], {
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    receiver.answer = () => child.kill('SIGKILL');
    await ended;
    expect(child.signalCode).toBe('SIGKILL');
    expect(await deliveriesTo(testDatabase, endpointId)).toMatchObject([{ state: 'delivering', attempts: 1 }]);

    receiver.answer = (response) => response.writeHead(204).end();
    expect(await deliver(endpointId)).toEqual({ waitMs: null });
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([notificationId, notificationId]);
    expect(await deliveriesTo(testDatabase, endpointId)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });

  test('that has failed for five days is given up, while others still arrive', async () => {
    const { receiver, endpoint } = await aWebhook();
    const { endpointId } = endpoint;
    const lost = await queueATest(testDatabase, ada, endpointId);
    receiver.answer = (response, { headers }) => response.writeHead(headers['webhook-id'] === lost ? 500 : 200).end();
    await deliver(endpointId);
    await queueATest(testDatabase, ada, endpointId);
    await deliver(endpointId);
    await deliver(endpointId);
    await testDatabase.database.query(
      `update deliveries set first_failed_at = now() - interval '5 days 1 minute' where notification_id = $1`,
      [lost],
    );
    await deliver(endpointId);
    const states = (await deliveriesTo(testDatabase, endpointId)).map(({ notificationId, state }) => [
      notificationId === lost,
      state,
    ]);
    expect(states.sort()).toEqual([
      [false, 'delivered'],
      [true, 'failed'],
    ]);
    expect((await endpointWith(endpointId)).state).toBe('enabled');
  });

  test('is sent again when an administrator asks for it, whatever became of it', async () => {
    const { receiver, endpoint } = await aWebhook();
    const { endpointId } = endpoint;
    await queueATest(testDatabase, ada, endpointId);
    await deliver(endpointId);
    const [delivery] = await deliveriesTo(testDatabase, endpointId);
    await retryDeliveryAs(testDatabase.asServer, ada.tokenHash, delivery?.deliveryId ?? '');
    await deliver(endpointId);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('an endpoint', () => {
  test('that is gone is disabled at once, and the other endpoints are notified', async () => {
    const { receiver, endpoint } = await aWebhook();
    const { endpointId } = endpoint;
    const other = await aReceiver();
    const { endpointId: otherId } = await anEndpoint(testDatabase, ada, {
      url: other.url,
      types: ['endpoint.disabled'],
    });
    receiver.answer = (response) => response.writeHead(410).end();
    await queueATest(testDatabase, ada, endpointId);
    expect(await deliver(endpointId)).toEqual({ waitMs: null });
    const { name, ...disabled } = await endpointWith(endpointId);
    expect(disabled).toMatchObject({ state: 'disabled', stateReason: 'gone', undelivered: 1 });
    await plan(testDatabase);
    await deliver(otherId);
    expect(other.received.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      { type: 'endpoint.disabled', data: { endpointId, name, state: 'disabled', reason: 'gone' } },
    ]);
    const { rows } = await testDatabase.database.query(
      `select actor, detail from audit_entries where kind = 'endpoint_given_up' and detail ->> 'endpoint' = $1`,
      [endpointId],
    );
    expect(rows).toEqual([{ actor: 'worker', detail: { endpoint: endpointId, reason: 'gone' } }]);
  });

  test('where nothing was delivered for five days is disabled', async () => {
    const { receiver, endpoint } = await aWebhook();
    const { endpointId } = endpoint;
    receiver.answer = (response) => response.writeHead(503).end();
    await queueATest(testDatabase, ada, endpointId);
    await deliver(endpointId);
    expect((await endpointWith(endpointId)).state).toBe('enabled');
    await testDatabase.database.query(
      `update endpoints set failing_since = now() - interval '5 days 1 minute' where endpoint_id = $1`,
      [endpointId],
    );
    await deliver(endpointId);
    expect(await endpointWith(endpointId)).toMatchObject({ state: 'disabled', stateReason: 'failing' });
  });

  test('that was disabled gets nothing, and what it missed when it is enabled again', async () => {
    const { receiver, endpoint } = await aWebhook();
    const { endpointId } = endpoint;
    const notificationId = await queueATest(testDatabase, ada, endpointId);
    await disableEndpointAs(testDatabase.asServer, ada.tokenHash, endpointId);
    expect(await deliver(endpointId)).toEqual({ waitMs: null });
    expect(receiver.received).toEqual([]);
    await enableEndpointAs(testDatabase.asServer, ada.tokenHash, endpointId);
    await deliver(endpointId);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([notificationId]);
  });

  test('whose secret cannot be read fails with a reason, and is tried again', async () => {
    const { receiver, endpoint } = await aWebhook();
    const { endpointId } = endpoint;
    await testDatabase.database.query(`update endpoint_secrets set wrapped_by = 'lost' where endpoint_id = $1`, [
      endpointId,
    ]);
    await queueATest(testDatabase, ada, endpointId);
    await deliver(endpointId);
    expect(receiver.received).toEqual([]);
    expect(await deliveriesTo(testDatabase, endpointId)).toMatchObject([
      { state: 'failing', error: 'data_key_missing' },
    ]);
  });

  test('waits for a second administrator once a run was approved: until then nothing is sent', async () => {
    await anApprovedRun(testDatabase.database);
    const receiver = await aReceiver();
    const { endpointId, change } = await anEndpoint(testDatabase, ada, { url: receiver.url });
    expect(change.state).toBe('pending');
    await expect(queueATest(testDatabase, ada, endpointId)).rejects.toMatchObject({ code: 'conflict' });
    await anApprovedRun(testDatabase.database);
    await plan(testDatabase);
    await deliver(endpointId);
    expect([receiver.received, await deliveriesTo(testDatabase, endpointId)]).toEqual([[], []]);
    await expect(enableEndpointAs(testDatabase.asServer, ada.tokenHash, endpointId)).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

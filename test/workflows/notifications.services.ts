import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliveryWorkflowId } from '../../domain/identifiers.ts';
import { type NotificationWatch, startNotificationWatch } from '../../workers/notification-watch.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { approve, newRows, submitRows, untilPaid } from '../helpers/run-under-test.ts';
import { until } from '../helpers/until.ts';
import { aUser, byTwo, type TestUser } from '../helpers/users.ts';
import { aReceiver, type Received, verified, type WebhookReceiver } from '../helpers/webhook-receiver.ts';

let payrun: PayrunUnderTest;
let watch: NotificationWatch;
let ada: TestUser;

beforeAll(async () => {
  payrun = await startPayrun();
  ada = await aUser(payrun.testDatabase, 'Ada', 'administrator');
  watch = startNotificationWatch({
    database: payrun.testDatabase.asWorker,
    temporal: payrun.temporal,
    settings: { gatherMs: 0, quietMs: 3_600_000, publicUrl: null },
    warn: () => undefined,
  });
});
afterAll(async () => {
  await watch.stop();
  await payrun.stop();
});

let added = 0;

async function anEndpointAt(receiver: WebhookReceiver): Promise<{ endpointId: string; secret: string }> {
  added += 1;
  const request = { kind: 'webhook', name: `hook-${added}`, url: receiver.url } as const;
  const { endpointId, secret, change } = await payrun.application.addEndpoint(ada, request);
  if (change.state === 'pending') {
    const ben = await aUser(payrun.testDatabase, `Ben ${added}`, 'administrator');
    await payrun.application.decideChange(ben, change.changeId, true);
  }
  return { endpointId, secret: secret ?? '' };
}

interface Body {
  type: string;
  data: { runId?: string; name?: string; state?: string };
}

const bodyOf = ({ body }: Received): Body => JSON.parse(body) as Body;

function ofRun(receiver: WebhookReceiver, runId: string): Body[] {
  return receiver.received.map(bodyOf).filter(({ data }) => data.runId === runId);
}

describe('notifications', () => {
  test('of a run arrive in order, signed, while it goes from its file to its end', async () => {
    const receiver = await aReceiver();
    const { endpointId, secret } = await anEndpointAt(receiver);
    const runId = await submitRows(payrun, newRows(2), { fileName: 'june-salaries.csv' });
    await until(() => Promise.resolve(ofRun(receiver, runId).length === 1));
    await approve(payrun, runId);
    await untilPaid(payrun, runId);
    await until(() => Promise.resolve(ofRun(receiver, runId).length === 2));
    expect(ofRun(receiver, runId).map(({ type, data }) => [type, data.name, data.state])).toEqual([
      ['run.approval_needed', 'june-salaries.csv', 'in_approval'],
      ['run.finished', 'june-salaries.csv', 'completed'],
    ]);
    for (const received of receiver.received) expect(verified(secret, received)).toEqual(bodyOf(received));
    await byTwo(payrun.testDatabase, payrun.application.disableEndpoint(ada, endpointId));
  });

  test('leave neither a name, an address nor a secret in Temporal', async () => {
    const receiver = await aReceiver();
    const { endpointId, secret } = await anEndpointAt(receiver);
    await submitRows(payrun, newRows(1), { fileName: 'a-telling-name.csv' });
    await until(() => Promise.resolve(receiver.received.some(({ body }) => body.includes('a-telling-name.csv'))));
    const handle = payrun.temporal.workflow.getHandle(deliveryWorkflowId(endpointId));
    const history = JSON.stringify(await handle.fetchHistory(), (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    );
    expect(history).toContain(endpointId);
    for (const leaked of ['a-telling-name', '127.0.0.1', 'whsec_', secret.slice(6, 20)])
      expect(history).not.toContain(leaked);
    await byTwo(payrun.testDatabase, payrun.application.disableEndpoint(ada, endpointId));
  });

  test('reach the other endpoints while one hangs, and that one when it works again', async () => {
    const [hanging, working] = [await aReceiver(), await aReceiver()];
    hanging.answer = () => undefined;
    const endpoints = [await anEndpointAt(hanging), await anEndpointAt(working)];
    const first = await submitRows(payrun, newRows(1));
    await until(() => Promise.resolve(hanging.received.length > 0));
    const second = await submitRows(payrun, newRows(1));
    const arrived = (receiver: WebhookReceiver) => [first, second].every((runId) => ofRun(receiver, runId).length > 0);
    await until(() => Promise.resolve(arrived(working)));
    hanging.answer = (response) => response.writeHead(200).end();
    await until(() => Promise.resolve(arrived(hanging)));
    await until(async () =>
      (await payrun.application.listEndpoints(ada)).every(
        ({ undelivered, state }) => state === 'disabled' || undelivered === 0,
      ),
    );
    for (const { endpointId } of endpoints)
      await byTwo(payrun.testDatabase, payrun.application.disableEndpoint(ada, endpointId));
  });

  test('arrive although the workflow was lost', async () => {
    const receiver = await aReceiver();
    receiver.answer = (response) => response.writeHead(500).end();
    const { endpointId } = await anEndpointAt(receiver);
    const { notificationId } = await payrun.application.testEndpoint(ada, endpointId);
    const tests = () => receiver.received.filter(({ headers }) => headers['webhook-id'] === notificationId);
    await until(() => Promise.resolve(tests().length > 0));
    await payrun.temporal.workflow.getHandle(deliveryWorkflowId(endpointId)).terminate();
    const before = tests().length;
    receiver.answer = (response) => response.writeHead(200).end();
    // A minute later it is started again; the clock of the test does not wait for it.
    await until(async () => {
      await payrun.database.query(
        `update endpoints set woken_at = woken_at - interval '1 minute' where endpoint_id = $1`,
        [endpointId],
      );
      const deliveries = await payrun.application.listDeliveries(ada, { endpointId, state: 'delivered', limit: 50 });
      return deliveries.some((delivery) => delivery.notificationId === notificationId);
    });
    expect(tests().length).toBeGreaterThanOrEqual(before);
  });
});

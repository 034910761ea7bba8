import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeWebhook, removeWebhooks } from '../../store/webhooks/webhook-inbox.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

test('webhooks are removed after the configured days', async () => {
  const { asServer, database } = testDatabase;
  for (const body of ['old', 'older', 'new']) {
    const entry = { account: 'default', bodySha256: body, body, kind: 'unknown', resourceId: null, saysEnded: false };
    expect(await storeWebhook(asServer, entry)).toBe(true);
  }
  await database.query(`update webhook_inbox set received_at = now() - interval '91 days' where body like 'old%'`);
  expect(await removeWebhooks(asServer, 90)).toBe(2);
  expect(await removeWebhooks(asServer, 90)).toBe(0);
  const { rows } = await database.query('select body from webhook_inbox');
  expect(rows).toEqual([{ body: 'new' }]);
});

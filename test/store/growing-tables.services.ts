import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noteCandidate } from '../../store/onboarding/case-poll.ts';
import { planDeliveries } from '../../store/notifications/plan-deliveries.ts';
import { forgetOldEvents, storeWebhook } from '../../store/webhooks/webhook-inbox.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aStoredCase, CASE_ACCOUNT } from './a-stored-case.ts';
import { anEndpoint } from './an-endpoint.ts';

/** Notifications, users that events named and requests that were not sent have an age or a cap, as every table has. */

let testDatabase: TestDatabase;
let ada: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  ada = await aUser(testDatabase, 'Ada', 'administrator');
});
afterAll(() => testDatabase.drop());

const count = async (of: string): Promise<number> => {
  const { rows } = await testDatabase.database.query<{ n: number }>(`select count(*)::int as n from ${of}`);
  return rows[0]?.n ?? 0;
};

/** Facts, each with a notification of its own. */
const tell = (times: number, type = 'change.proposed') =>
  testDatabase.database.query(
    `select enqueue_notification($2, 'change', gen_random_uuid()::text, false) from generate_series(1, $1::integer)`,
    [times, type],
  );

test('each table of the database is on the page of capacities, once', async () => {
  const page = await readFile(new URL('../../docs/capacity.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\|((?: `\w+`,?)+) \|/gmu)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/gu)].map(([, table]) => table ?? ''),
  );
  const { rows } = await testDatabase.database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'`,
  );
  const tables = new Set(rows.map(({ name }) => name));
  expect(listed.filter((name) => tables.has(name)).sort()).toEqual([...tables].sort());
});

describe('notifications', () => {
  test('are removed ninety days after they were delivered or given up, and those that wait are not', async () => {
    const { endpointId } = await anEndpoint(testDatabase, ada);
    const states = ['delivered', 'failed', 'disabled', 'queued'] as const;
    await testDatabase.database.query(
      `with told as (
         insert into outbox (type, subject, subject_id, occurred_at, planned_at, body)
         select 'endpoint.test', 'endpoint', state, now() - interval '91 days', now() - interval '91 days', '{}'
         from unnest($1::text[]) as state returning notification_id, subject_id)
       insert into deliveries (notification_id, endpoint_id, state, created_at, ended_at)
       select notification_id, $2, subject_id, now() - interval '91 days', case when subject_id in ('delivered', 'failed')
         then now() - interval '91 days' end from told`,
      [states, endpointId],
    );
    await forgetOldEvents(testDatabase.asServer);
    expect([
      await count(`deliveries where endpoint_id = '${endpointId}'`),
      await count(`outbox where subject_id = any ('{${states.join()}}')`),
    ]).toEqual([1, 1]);
  });

  test('that wait for one endpoint are so many at most: then it is disabled, and the others are told', async () => {
    await bypassTriggers(testDatabase.database, 'truncate deliveries, outbox cascade');
    const [full, other] = [await anEndpoint(testDatabase, ada), await anEndpoint(testDatabase, ada)];
    await bypassTriggers(testDatabase.database, 'truncate deliveries, outbox cascade');
    const plan = () => planDeliveries(testDatabase.asWorker, { gatherMs: 0, quietMs: 0, publicUrl: null, maxOpen: 3 });
    const changes = `(select change_id from changes limit 1)`;
    for (let times = 0; times < 6; times += 1) {
      await testDatabase.database.query(
        `select enqueue_notification('change.proposed', 'change', ${changes}::text, false)`,
      );
      await plan();
      await testDatabase.database.query(`delete from deliveries where endpoint_id <> $1`, [full.endpointId]);
    }
    await plan();
    expect(
      await count(`deliveries where endpoint_id = '${full.endpointId}' and state = 'disabled'`),
    ).toBeGreaterThanOrEqual(3);
    const { rows } = await testDatabase.database.query(
      `select state, state_reason from endpoints where endpoint_id = $1`,
      [full.endpointId],
    );
    expect(rows).toEqual([{ state: 'disabled', state_reason: 'full' }]);
    expect(await count(`outbox where type = 'endpoint.disabled' and subject_id = '${full.endpointId}'`)).toBe(1);
    expect(await count(`endpoints where endpoint_id = '${other.endpointId}' and state = 'enabled'`)).toBe(1);
  });

  test('are kept while few wait, however many came after the first of them', async () => {
    await bypassTriggers(testDatabase.database, 'truncate deliveries, outbox cascade');
    await tell(1);
    await testDatabase.database.query(
      `select setval(pg_get_serial_sequence('outbox', 'position'), (select max(position) + 200000 from outbox))`,
    );
    await tell(2);
    expect(await count('outbox')).toBe(3);
    expect(await count(`outbox where type = 'notifications.left_out'`)).toBe(0);
  });

  test('that no worker looks at are so many at most, and the last one says that there were more', async () => {
    await bypassTriggers(testDatabase.database, 'truncate deliveries, outbox cascade');
    await tell(100_001);
    await tell(5);
    expect(await count('outbox')).toBe(100_002);
    expect(await count(`outbox where type = 'notifications.left_out'`)).toBe(1);
    await planDeliveries(testDatabase.asWorker, { gatherMs: 0, quietMs: 0, publicUrl: null });
    await tell(1);
    expect(await count('outbox')).toBe(100_003);
  });
});

describe('a user that an event named', () => {
  const event = (userId: string) => ({
    ...{
      account: CASE_ACCOUNT,
      bodySha256: randomUUID(),
      body: '{}',
      kind: 'user',
      resourceId: userId,
      saysEnded: false,
    },
  });

  test('is forgotten once no sign-up waits for its outcome, or no event names it any more', async () => {
    const olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
    const caseId = await aStoredCase(testDatabase, olivia, 'unknown');
    const [named, unnamed] = [randomUUID(), randomUUID()];
    await storeWebhook(testDatabase.asServer, event(named));
    for (const userId of [named, unnamed])
      await noteCandidate(testDatabase.asWorker, CASE_ACCOUNT, { userId, result: 'shown' });
    await forgetOldEvents(testDatabase.asServer);
    expect(await count(`case_candidates where user_id = '${named}'`)).toBe(1);
    expect(await count(`case_candidates where user_id = '${unnamed}'`)).toBe(0);
    await bypassTriggers(
      testDatabase.database,
      `update cases set state = 'never_created', ended_at = now() where case_id = $1`,
      [caseId],
    );
    await forgetOldEvents(testDatabase.asServer);
    expect(await count('case_candidates')).toBe(0);
  });
});

describe('a request for a virtual account', () => {
  async function anAccountWith(...requests: [daysAgo: number, outcome: string][]): Promise<string> {
    const virtualAccountId = randomUUID();
    await testDatabase.database.query(
      `insert into virtual_accounts (virtual_account_id, account, name, tag, provider, currency, description, type, approve_async, requested_by)
       values ($1::uuid, 'default', 'name', $1::uuid::text, 'p', 'USD', 'd', 'open', false, $2)`,
      [virtualAccountId, ada.userId],
    );
    for (const [days, outcome] of requests) {
      await testDatabase.database.query(
        `insert into virtual_account_requests (virtual_account_id, begun_at, answered_at, outcome)
         values ($1, now() - make_interval(days => $2), now() - make_interval(days => $2), $3)`,
        [virtualAccountId, days, outcome],
      );
    }
    return virtualAccountId;
  }

  test('that was not sent is forgotten after thirty days, and neither the last one nor one that may have been sent', async () => {
    const refused = await anAccountWith([60, 'not_sent'], [50, 'not_sent']);
    const sent = await anAccountWith([60, 'not_seen'], [50, 'not_sent'], [1, 'not_sent']);
    await forgetOldEvents(testDatabase.asServer);
    const left = async (virtualAccountId: string): Promise<unknown> => {
      const { rows } = await testDatabase.database.query<{ outcome: string }>(
        'select outcome from virtual_account_requests where virtual_account_id = $1 order by begun_at',
        [virtualAccountId],
      );
      return rows.map(({ outcome }) => outcome);
    };
    expect([await left(refused), await left(sent)]).toEqual([['not_sent'], ['not_seen', 'not_sent']]);
  });
});

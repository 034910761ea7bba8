import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReceivedWebhook } from '../../api/webhooks/received-webhook.ts';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { listWebhooks } from '../../application/webhooks/webhook-views.ts';
import { explainRule } from '../../store/approvals/policy.ts';
import { countLeaseHolders, readRateLimiters } from '../../store/rate-limiter/rate-limiter-views.ts';
import { createLeaseTable } from '../../store/rate-limiter/lease-table.ts';
import { listReceivedWebhooks, type WebhookFilter } from '../../store/webhooks/received-webhooks.ts';
import { storeWebhook } from '../../store/webhooks/webhook-inbox.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, anApprovedRun, putInto } from './a-stored-run.ts';
import { RunsInApproval } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let runs: RunsInApproval;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
});
afterAll(() => testDatabase.drop());

const FILTER: WebhookFilter = {
  ...{ accounts: null, kind: null, resourceId: null, webhookId: null, before: null, limit: 100 },
};

async function received(kind: string, resourceId: string | null, account = ACCOUNT): Promise<void> {
  const body = JSON.stringify({ kind, resourceId, account });
  const entry = { account, bodySha256: body, body, kind, resourceId, saysEnded: false };
  await storeWebhook(testDatabase.asServer, entry);
}

describe('received webhooks', () => {
  test('lead to the row that they are about, and say whether it was read since', async () => {
    const { database, asServer } = testDatabase;
    const { runId, paymentIds } = await anApprovedRun(database, 1);
    const [paymentId = ''] = paymentIds;
    await putInto(database, paymentId, 'processing');
    const { rows } = await database.query<{ id: string }>(
      `update payments set provider_payment_id = coalesce(provider_payment_id, 'sp-1'), polled_at = null where payment_id = $1
       returning provider_payment_id as id`,
      [paymentId],
    );
    const resourceId = rows[0]?.id ?? '';
    await received('simple_payment', resourceId);
    const filter = { ...FILTER, resourceId };
    const [waiting] = await listReceivedWebhooks(asServer, filter);
    expect(waiting).toMatchObject({ isRead: false, subject: { kind: 'row', runId, id: paymentId, hasEnded: false } });
    await database.query('update payments set polled_at = clock_timestamp() where payment_id = $1', [paymentId]);
    expect(await listReceivedWebhooks(asServer, filter)).toMatchObject([{ isRead: true }]);
  });

  test('about nothing that is known, or of another account, lead to nothing', async () => {
    for (const kind of ['conversion', 'user', 'funding', 'refund', 'deposit', 'virtual_account_request']) {
      await received(kind, 'nobody');
    }
    const found = await listReceivedWebhooks(testDatabase.asServer, { ...FILTER, resourceId: 'nobody' });
    expect(found.map(({ subject }) => subject)).toEqual(Array.from({ length: 6 }, () => null));
  });

  test('are found by what came of them, wherever the others are', async () => {
    const { asServer } = testDatabase;
    for (const n of [1, 2, 3]) {
      await received('unknown', null, `results-${n}`);
      await received('refund', 'nobody', `results-${n}`);
    }
    const user = { accounts: ['results-1', 'results-2', 'results-3'] } as unknown as SignedIn;
    const dependencies = { database: asServer } as unknown as ApplicationDependencies;
    const read = (result: ReceivedWebhook['result'], before?: string) =>
      listWebhooks(dependencies, user, { result, before, limit: 2 });
    const first = await read('unparsed');
    expect(first.webhooks.map(({ account }) => account)).toEqual(['results-3', 'results-2']);
    const next = await read('unparsed', first.nextBefore ?? undefined);
    expect(next.webhooks.map(({ account }) => account)).toEqual(['results-1']);
    expect(next.nextBefore).toBeNull();
    expect((await read('ignored')).webhooks.map(({ kind }) => kind)).toEqual(['refund', 'refund']);
    expect((await read('processed')).webhooks).toEqual([]);
  });

  test('are listed by pages, the newest first, and only of the accounts that one may use', async () => {
    const { asServer } = testDatabase;
    for (const n of [1, 2, 3]) await received('unknown', `page-${n}`, 'elsewhere');
    const all = { ...FILTER, accounts: ['elsewhere'], limit: 2 };
    const first = await listReceivedWebhooks(asServer, all);
    expect(first.map(({ resourceId }) => resourceId)).toEqual(['page-3', 'page-2']);
    const next = await listReceivedWebhooks(asServer, { ...all, before: first[1]?.webhookId ?? null });
    expect(next.map(({ resourceId }) => resourceId)).toEqual(['page-1']);
    expect(await listReceivedWebhooks(asServer, { ...FILTER, accounts: [], limit: 5 })).toEqual([]);
  });
});

describe('what a run would need', () => {
  const asked = { account: ACCOUNT, currency: 'EUR', largest: '10.00', hasNewBeneficiary: false, makerId: null };

  test('is what the rule that decides says, with why the rules before it do not apply', async () => {
    await runs.follow({
      rules: [
        { name: 'dollars', when: { currencies: ['USD'] }, steps: [{ role: 'checker' }] },
        { name: 'large', when: { totalAtLeast: '100.00' }, steps: [{ role: 'checker' }, { logins: ['chris'] }] },
        { name: 'rest', when: {}, steps: [{ role: 'checker' }] },
      ],
    });
    const { asServer } = testDatabase;
    const small = await explainRule(asServer, { ...asked, total: '99.99' });
    expect(small.rule).toBe('rest');
    expect(small.skippedRules).toEqual([
      { rule: 'dollars', unmetConditions: ['currencies'] },
      { rule: 'large', unmetConditions: ['totalAtLeast'] },
    ]);
    const large = await explainRule(asServer, { ...asked, total: '100.00' });
    expect(large.rule).toBe('large');
    expect(large.steps.map(({ people }) => people.map(({ name }) => name))).toContainEqual(['Chris']);
  });

  test('never counts the maker among those who could approve', async () => {
    await runs.follow({ rules: [{ name: 'all', when: {}, steps: [{ role: 'checker' }] }] });
    const { asServer } = testDatabase;
    const people = async (makerId: string | null): Promise<string[]> =>
      (await explainRule(asServer, { ...asked, total: '1', makerId })).steps.flatMap((step) =>
        step.people.map(({ name }) => name),
      );
    expect(await people(null)).toContain('Chris');
    expect(await people(runs.chris.userId)).not.toContain('Chris');
  });

  test('is no approval at all where no rule fits', async () => {
    await runs.follow({ rules: [{ name: 'dollars', when: { currencies: ['USD'] }, steps: [{ role: 'checker' }] }] });
    const found = await explainRule(testDatabase.asServer, { ...asked, total: '1' });
    expect(found).toEqual({
      rule: null,
      skippedRules: [{ rule: 'dollars', unmetConditions: ['currencies'] }],
      steps: [],
    });
  });
});

test('a server sees the leases of the rate limiter and its pause', async () => {
  const { asWorker, asServer } = testDatabase;
  const table = createLeaseTable(asWorker);
  await table.pause(ACCOUNT, 60_000);
  const [rateLimiter] = await readRateLimiters(asServer);
  expect(rateLimiter).toMatchObject({ account: ACCOUNT, pausedForSeconds: 60 });
  expect(rateLimiter?.pauseLeftSeconds).toBeGreaterThan(0);
  expect(await countLeaseHolders(asServer)).toBe(0);
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NOTIFICATION_TYPES, ruleOf } from '../../domain/notifications/notification-types.ts';
import { MANUAL_OUTCOME_AUDIT_KINDS, WORKER_KINDS } from '../../store/audit/audit-kinds.ts';
import { decideChangeAs, proposeChangeAs } from '../../store/approvals/changes.ts';
import { inTransaction } from '../../store/database/database.ts';
import { decideRunAs } from '../../store/approvals/run-decisions.ts';
import { readContentHash } from '../../store/approvals/run-approval.ts';
import { moveCase } from '../../store/onboarding/case-transition.ts';
import { planDeliveries, type PlanSettings } from '../../store/notifications/plan-deliveries.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { transitionRun } from '../../store/runs/run-transition.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { readSqlFunctions } from '../../store/database/sql-files.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anEndpoint } from './an-endpoint.ts';
import { anApprovedRun, aStoredRun, openForDecision, putInto } from './a-stored-run.ts';
import { aStoredCase } from './a-stored-case.ts';
import { aStoredOrder } from './a-stored-order.ts';

const AT_ONCE: PlanSettings = { gatherMs: 0, quietMs: 0, publicUrl: null };
const QUIET: PlanSettings = { ...AT_ONCE, quietMs: 3_600_000 };

let testDatabase: TestDatabase;
let ada: TestUser;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  await anEndpoint(testDatabase, ada);
  await plan();
  await testDatabase.database.query('delete from deliveries; delete from outbox');
});
afterEach(() => testDatabase.drop());

async function plan(settings = AT_ONCE): Promise<void> {
  while ((await planDeliveries(testDatabase.asWorker, settings)) > 0);
}

interface Notified {
  type: string;
  data: Record<string, unknown>;
}

/** The bodies that are to be sent, in order. */
async function notified(): Promise<Notified[]> {
  const { rows } = await testDatabase.database.query<{ body: string }>(
    'select body from deliveries join outbox using (notification_id) order by position',
  );
  return rows.map(({ body }) => JSON.parse(body) as Notified);
}

async function waiting(): Promise<string[]> {
  const { rows } = await testDatabase.database.query<{ type: string }>(
    'select type from outbox where planned_at is null order by position',
  );
  return rows.map(({ type }) => type);
}

async function hold(paymentId: string, to: 'held' | 'unknown' = 'held'): Promise<void> {
  await transitionPayment(testDatabase.asWorker, { paymentId, to, kind: 'held', update: {} });
}

describe('rows of a run', () => {
  test('that are held, three hundred of them each in its own transaction, are one notification', async () => {
    const run = await anApprovedRun(testDatabase.database, 300);
    await plan();
    await testDatabase.database.query('delete from deliveries');
    for (let from = 0; from < 300; from += 20)
      await Promise.all(run.paymentIds.slice(from, from + 20).map((paymentId) => hold(paymentId)));
    await plan(QUIET);
    expect(await notified()).toEqual([
      {
        type: 'run.rows_held',
        timestamp: expect.any(String) as string,
        data: {
          runId: run.runId,
          account: 'default',
          name: 'test.csv',
          state: 'running',
          status: expect.stringMatching(/^The run is approved/) as unknown,
          reason: null,
          rows: { held: 300 },
        },
      },
    ]);
  });

  test('that are held later are notified once the quiet time is over', async () => {
    const { paymentIds } = await anApprovedRun(testDatabase.database, 3);
    await hold(paymentIds[0] ?? '');
    await plan(QUIET);
    await hold(paymentIds[1] ?? '');
    await hold(paymentIds[2] ?? '');
    await plan(QUIET);
    expect(await waiting()).toEqual(['run.rows_held']);
    await testDatabase.database.query(`update deliveries set state = 'delivered'`);
    await plan({ ...QUIET, quietMs: 0 });
    const held = (await notified()).filter(({ type }) => type === 'run.rows_held');
    expect(held.map(({ data }) => data['rows'])).toEqual([{ held: 1, ready: 2 }, { held: 3 }]);
  });

  test('that are held while the one before is not delivered yet are part of that one', async () => {
    const { paymentIds } = await anApprovedRun(testDatabase.database, 2);
    for (const paymentId of paymentIds) {
      await hold(paymentId);
      await plan();
    }
    expect((await notified()).filter(({ type }) => type === 'run.rows_held')).toHaveLength(1);
  });

  test('of several runs, in several states, are notified for each run and state', async () => {
    const runs = [await anApprovedRun(testDatabase.database, 3), await anApprovedRun(testDatabase.database, 1)];
    const [first, second, third] = runs[0]?.paymentIds ?? [];
    await hold(first ?? '');
    await hold(second ?? '', 'unknown');
    await putInto(testDatabase.database, third ?? '', 'created');
    await transitionPayment(testDatabase.asWorker, {
      ...{ paymentId: third ?? '', to: 'awaiting_funds', kind: 'provider_state_recorded', update: {} },
    });
    await hold(runs[1]?.paymentIds[0] ?? '');
    await plan();
    const ofRows = (await notified()).map(({ type, data }) => [type, data['runId']]);
    expect(ofRows).toEqual(
      expect.arrayContaining([
        ['run.rows_held', runs[0]?.runId],
        ['run.rows_unknown', runs[0]?.runId],
        ['run.awaiting_funds', runs[0]?.runId],
        ['run.rows_held', runs[1]?.runId],
      ]),
    );
  });

  test('whose transaction is rolled back are not notified', async () => {
    const { paymentIds } = await anApprovedRun(testDatabase.database, 1);
    await plan();
    const failing = inTransaction(testDatabase.asWorker, async (transaction) => {
      await transitionPayment(transaction, { paymentId: paymentIds[0] ?? '', to: 'held', kind: 'held', update: {} });
      throw new Error('the power is gone');
    });
    await expect(failing).rejects.toThrow('the power is gone');
    expect(await waiting()).toEqual([]);
  });

  test('do not wait for a transaction of another row of their run, nor for whoever plans', async () => {
    const { paymentIds } = await anApprovedRun(testDatabase.database, 3);
    const [first = '', second = '', third = ''] = paymentIds;
    await plan();
    await inTransaction(testDatabase.asWorker, async (transaction) => {
      await transitionPayment(transaction, { paymentId: first, to: 'held', kind: 'held', update: {} });
      // Committed while the other transaction is open: with a lock between them this would never return.
      await hold(second);
    });
    const planner = await testDatabase.asWorker.connect();
    await planner.query('begin');
    await planner.query('select from outbox where planned_at is null for update');
    await hold(third);
    await planner.query('rollback');
    planner.release();
    await plan();
    const held = (await notified()).filter(({ type }) => type === 'run.rows_held');
    expect(held.map(({ data }) => data['rows'])).toEqual([{ held: 3 }]);
  });

  test('that are being held are not notified before their transaction is over, and then are', async () => {
    const { paymentIds } = await anApprovedRun(testDatabase.database, 2);
    const [first = '', second = ''] = paymentIds;
    await hold(first);
    await inTransaction(testDatabase.asWorker, async (transaction) => {
      await transitionPayment(transaction, { paymentId: second, to: 'held', kind: 'held', update: {} });
      await plan(QUIET);
    });
    await plan(QUIET);
    const held = (await notified()).filter(({ type }) => type === 'run.rows_held');
    expect(held.map(({ data }) => data['rows'])).toEqual([{ held: 2 }]);
  });

  test('are held even if notifications are broken', async () => {
    const { paymentIds } = await anApprovedRun(testDatabase.database, 1);
    await testDatabase.database.query('alter table outbox add constraint broken check (false) not valid');
    await expect(hold(paymentIds[0] ?? '')).resolves.toBeUndefined();
    const { rows } = await testDatabase.database.query('select state from payments');
    expect(rows).toEqual([{ state: 'held' }]);
  });
});

describe('a run', () => {
  test('that waits for approval is notified, and not if it was decided on before', async () => {
    const undecided = await aStoredRun(testDatabase.database);
    await openForDecision(testDatabase.asWorker, undecided.runId);
    await anApprovedRun(testDatabase.database);
    await plan();
    const needed = (await notified()).filter(({ type }) => type === 'run.approval_needed');
    expect(needed.map(({ data }) => [data['runId'], data['state']])).toEqual([[undecided.runId, 'in_approval']]);
  });

  test('whose first step is approved waits for the next one, and is notified again', async () => {
    const step = { role: 'checker' };
    const policy = { rules: [{ steps: [step, step] }], changes: { delayHours: 72 } };
    await testDatabase.database.query('insert into policies (policy) values ($1)', [JSON.stringify(policy)]);
    const chris = await aUser(testDatabase, 'Chris', 'checker');
    const { runId } = await aStoredRun(testDatabase.database);
    await openForDecision(testDatabase.asWorker, runId);
    await plan();
    const contentHash = await readContentHash(testDatabase.asServer, runId);
    await decideRunAs(testDatabase.asServer, chris.tokenHash, { runId, kind: 'approved', contentHash, comment: null });
    await plan();
    expect((await notified()).map(({ type }) => type)).toEqual(['run.approval_needed', 'run.approval_needed']);
  });

  test('that ends is notified with how it ended', async () => {
    const { runId } = await anApprovedRun(testDatabase.database);
    await transitionRun(testDatabase.asWorker, runId, { to: 'failed', finished: true });
    await plan();
    expect((await notified()).at(-1)).toMatchObject({ type: 'run.finished', data: { runId, state: 'failed' } });
  });
});

test('a case is notified when it needs an onboarder, without who the applicant is', async () => {
  const olga = await aUser(testDatabase, 'Olga', 'onboarder');
  const caseId = await aStoredCase(testDatabase, olga, 'preparing');
  await moveCase(testDatabase.asWorker, caseId, 'incomplete', {
    reason: 'details_missing',
    missing: ['gender', 'passport'],
  });
  await plan();
  expect((await notified()).at(-1)).toEqual({
    type: 'case.input_needed',
    timestamp: expect.any(String) as string,
    data: { caseId, account: 'default', state: 'incomplete', reason: 'details_missing', missing: 2 },
  });
});

test('an order to convert is notified when it waits for an approval, and when people have to look at it', async () => {
  const tessa = await aUser(testDatabase, 'Tessa', 'treasurer');
  const { orderId, sellCurrency, buyCurrency } = await aStoredOrder(testDatabase, tessa);
  await moveOrder(testDatabase.asWorker, orderId, 'in_approval', { reason: 'approval_needed' });
  await plan();
  const data = {
    orderId,
    account: 'default',
    sellCurrency,
    buyCurrency,
    state: 'in_approval',
    reason: 'approval_needed',
  };
  expect((await notified()).at(-1)).toMatchObject({ type: 'order.approval_needed', data });
  const { orderId: held } = await aStoredOrder(testDatabase, tessa, 'approved');
  await moveOrder(testDatabase.asWorker, held, 'held', { reason: 'fees_not_understood' });
  await plan();
  expect((await notified()).at(-1)).toMatchObject({
    type: 'order.action_needed',
    data: { orderId: held, state: 'held' },
  });
});

test('a change of roles is notified when it is proposed, and when it takes effect', async () => {
  const ben = await aUser(testDatabase, 'Ben', 'administrator');
  const eve = await aUser(testDatabase, 'Eve', 'viewer');
  await anApprovedRun(testDatabase.database);
  await plan();
  const detail = { roles: ['checker'] };
  const change = { kind: 'grant_roles', userId: eve.userId, detail } as const;
  const { changeId } = await proposeChangeAs(testDatabase.asServer, ada.tokenHash, change);
  await plan();
  await decideChangeAs(testDatabase.asServer, ben.tokenHash, changeId, true);
  await plan();
  expect((await notified()).slice(-2)).toMatchObject([
    {
      type: 'change.proposed',
      data: { changeId, kind: 'grant_roles', state: 'pending', user: 'Eve', proposedBy: 'Ada' },
    },
    { type: 'change.decided', data: { changeId, state: 'effective', roles: ['checker'], decidedBy: 'Ben' } },
  ]);
});

test('every audit kind that a notification follows is written by somebody', () => {
  const written = [
    ...WORKER_KINDS,
    ...MANUAL_OUTCOME_AUDIT_KINDS,
    // Functions of the database write kinds as they are, or put together from these.
    ...readSqlFunctions().flatMap(({ statement }) =>
      [...statement.matchAll(/'([a-z_]+)'/g)].map(([, word = '']) => word),
    ),
    ...['decision_approved', 'decision_rejected', 'change_replaced'],
  ];
  const followed = NOTIFICATION_TYPES.flatMap((type) =>
    ruleOf(type).on.flatMap((fact) => ('audit' in fact ? [fact.audit] : [])),
  );
  expect(followed.length).toBeGreaterThan(10);
  expect(followed.filter((kind) => !written.includes(kind))).toEqual([]);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { InboxItem, InboxKind } from '../../api/inbox/inbox.ts';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { createApplication } from '../../application/create-application.ts';
import type { ApprovalPolicy } from '../../domain/approvals/approval-policy.ts';
import type { Role } from '../../domain/users/role.ts';
import { proposeVirtualAccountAs, requestVirtualAccountAs } from '../../store/accounts/virtual-account-decisions.ts';
import { addBeneficiaryLinesAs } from '../../store/beneficiaries/beneficiary-accounts.ts';
import { beginVirtualAccountRequest, giveUpVirtualAccountRequest } from '../../store/accounts/virtual-accounts.ts';
import { readContentHash } from '../../store/approvals/run-approval.ts';
import { sendRunAs } from '../../store/approvals/run-decisions.ts';
import { proposeCaseManualOutcomeAs } from '../../store/onboarding/case-decisions.ts';
import { signBookDayAs } from '../../store/reconciliation/book-days.ts';
import { listBookDays } from '../../store/reconciliation/day-views.ts';
import { proposeOrderManualOutcomeAs } from '../../store/treasury/order-decisions.ts';
import { aSchedule, SWEEP } from '../domain/treasury-schedules.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { lineOf } from './a-book.ts';
import { aProposedSchedule } from './a-schedule.ts';
import { aStoredCase } from './a-stored-case.ts';
import { aStoredOrder } from './a-stored-order.ts';
import { ACCOUNT, aCheckedRun, aStoredRun, openForDecision } from './a-stored-run.ts';
import { addAccountWithBooks, FIRST_DAY, NEXT_DAY } from './an-account-with-books.ts';
import { OTHER } from './limited-users.ts';
import { RunsInApproval } from './runs-in-approval.ts';

/** What waits for whom, of each kind: only for those who may do something about it. */

const HOUR_MS = 3_600_000;

let testDatabase: TestDatabase;
let clockMs: number;
let users: Record<'tina' | 'tom' | 'chris' | 'olivia' | 'other' | 'mia' | 'stranger', TestUser>;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const user = (name: string, ...roles: Role[]) => aUser(testDatabase, name, ...roles);
  users = {
    tina: await user('Tina', 'treasurer'),
    tom: await user('Tom', 'treasurer'),
    chris: await user('Chris', 'checker'),
    olivia: await user('Olivia', 'onboarder'),
    other: await user('Other Onboarder', 'onboarder'),
    mia: await user('Mia', 'maker'),
    stranger: await user('Lea Limited', 'treasurer', 'checker', 'onboarder', 'maker'),
  };
  await limitTo(testDatabase.database, users.stranger, OTHER);
  users.stranger.accounts = [OTHER];
});
afterAll(() => testDatabase.drop());
beforeEach(() => {
  clockMs = Date.now();
});

const application = () =>
  createApplication({
    database: testDatabase.asServer,
    accounts: [],
    now: () => clockMs,
    settings: { decisionWithinMs: 24 * HOUR_MS },
  } as unknown as ApplicationDependencies);

async function itemsOf(user: TestUser, kind: InboxKind): Promise<InboxItem[]> {
  const { groups } = await application().readInbox(user);
  return groups.filter((group) => group.kind === kind).flatMap(({ items }) => items);
}

/** The names of those whose inbox has the item. */
async function whoSees(kind: InboxKind, id: string): Promise<string[]> {
  const names: string[] = [];
  for (const [name, user] of Object.entries(users)) {
    if ((await itemsOf(user, kind)).some((item) => item.id === id)) names.push(name);
  }
  return names;
}

test('accounts of the book wait for checkers of the account, but for who added them', async () => {
  const payees = await payeesIn(testDatabase.database);
  const add = (by: TestUser) => {
    const lines = [lineOf('S-INBOX', 'Nordlicht GmbH', randomUUID())];
    return addBeneficiaryLinesAs(testDatabase.asServer, payees, by.tokenHash, {
      account: ACCOUNT,
      source: 'import',
      lines,
    });
  };
  await add(users.chris);
  expect(await whoSees('unconfirmed_account', `${ACCOUNT} S-INBOX`)).toEqual([]);
  await add(users.mia);
  expect(await whoSees('unconfirmed_account', `${ACCOUNT} S-INBOX`)).toEqual(['chris']);
  expect(await itemsOf(users.chris, 'unconfirmed_account')).toMatchObject([{ title: 'S-INBOX', count: 1 }]);
});

test('a run is to be decided until its own period is over, whatever the setting says by now', async () => {
  const { runId } = await aStoredRun(testDatabase.database);
  await openForDecision(testDatabase.database, runId);
  const { rows } = await testDatabase.database.query<{ until: Date }>(
    `update runs set decide_within = '3 hours' where run_id = $1 returning opened_at + decide_within as until`,
    [runId],
  );
  const expiresAt = rows[0]?.until.toISOString();
  const items = await itemsOf(users.chris, 'approval');
  expect(items).toContainEqual(expect.objectContaining({ id: runId, expiresAt }));
  expect(await application().findRunFor(users.chris, runId)).toMatchObject({ expiresAt });
});

test('a version of a schedule waits for those who did not propose it', async () => {
  const id = await aProposedSchedule(testDatabase, users.tina, aSchedule(SWEEP));
  expect(await whoSees('schedule_approval', id)).toEqual(['tom', 'chris']);
  expect(await itemsOf(users.chris, 'schedule_approval')).toMatchObject([
    { title: 'Euros for suppliers, version 1', account: ACCOUNT, state: 'pending' },
  ]);
});

test('an outcome of a conversion waits for those who may confirm it, checkers among them', async () => {
  const { orderId } = await aStoredOrder(testDatabase, users.tina, 'unknown');
  expect(await whoSees('unknown_order', orderId)).toEqual(['tina', 'tom']);
  expect(await whoSees('order_manual_outcome', orderId)).toEqual([]);
  await proposeOrderManualOutcomeAs(testDatabase.asServer, users.tom.tokenHash, {
    ...{ orderId, outcome: 'never_created', reason: 'told by the provider' },
  });
  expect(await whoSees('order_manual_outcome', orderId)).toEqual(['chris']);
});

test('an outcome of a sign-up waits for another person than who proposed it', async () => {
  const caseId = await aStoredCase(testDatabase, users.olivia, 'unknown');
  await proposeCaseManualOutcomeAs(testDatabase.asServer, users.olivia.tokenHash, {
    ...{ caseId, outcome: 'never_created', userId: null, reason: 'told by the provider' },
  });
  expect(await whoSees('case_manual_outcome', caseId)).toEqual(['chris', 'other']);
});

test('a virtual account of unknown outcome waits for treasurers, and its outcome for another person', async () => {
  const virtualAccountId = randomUUID();
  await requestVirtualAccountAs(testDatabase.asServer, users.tina.tokenHash, ACCOUNT, {
    ...{ virtualAccountId, name: 'Sales', tag: virtualAccountId.slice(0, 8), provider: 'code 1', currency: 'USD' },
    ...{ description: 'customers', type: 'open', amount: null, expiryDuration: null, approveAsync: true },
  });
  expect(await whoSees('unknown_virtual_account', virtualAccountId)).toEqual([]);
  await beginVirtualAccountRequest(testDatabase.asWorker, virtualAccountId);
  await giveUpVirtualAccountRequest(testDatabase.asWorker, virtualAccountId);
  expect(await whoSees('unknown_virtual_account', virtualAccountId)).toEqual(['tina', 'tom']);
  expect(await whoSees('virtual_account_manual_outcome', virtualAccountId)).toEqual([]);
  await proposeVirtualAccountAs(testDatabase.asServer, users.tina.tokenHash, virtualAccountId, {
    ...{ outcome: 'rejected', requestId: null, number: null, reason: 'told by the provider' },
  });
  expect(await whoSees('virtual_account_manual_outcome', virtualAccountId)).toEqual(['tom', 'chris']);
});

describe('the books of an account', () => {
  test('have money that nothing explains, for treasurers, once the lists of the provider had their time', async () => {
    await addAccountWithBooks(testDatabase, 'receipts', { entryId: 'entry' });
    const ofIt = async (user: TestUser) =>
      (await itemsOf(user, 'receipt')).filter(({ account }) => account === 'receipts');
    expect(await ofIt(users.tina)).toEqual([]);
    clockMs += 2 * HOUR_MS;
    expect(await ofIt(users.tina)).toMatchObject([{ id: 'USD entry', title: '100.00 USD', count: 1 }]);
    expect(await ofIt(users.chris)).toEqual([]);
    await testDatabase.database.query(
      `update receipts set explained_by = 'deposit', explained_at = clock_timestamp() where account = 'receipts'`,
    );
    expect(await ofIt(users.tina)).toEqual([]);
  });

  test('have the first day that is not signed, for checkers', async () => {
    await addAccountWithBooks(testDatabase, 'days', { entryId: 'entry' });
    const toSign = async (user: TestUser) => (await itemsOf(user, 'day')).filter(({ account }) => account === 'days');
    expect(await toSign(users.chris)).toMatchObject([{ title: 'days', day: FIRST_DAY, count: 2 }]);
    expect(await toSign(users.tina)).toEqual([]);
    expect(await toSign(users.stranger)).toEqual([]);
    const days = await listBookDays(testDatabase.asServer, {
      ...{ accounts: ['days'], fromDay: null, toDay: null, isOpen: false, limit: 10 },
    });
    for (const [index, day] of days.entries()) {
      await signBookDayAs(testDatabase.asServer, users.chris.tokenHash, day);
      const left = index === 0 ? [{ day: NEXT_DAY, count: 1 }] : [];
      expect(await toSign(users.chris)).toMatchObject(left);
    }
  });

  test('have no day to sign that was reconciled before it was over', async () => {
    await addAccountWithBooks(testDatabase, 'early', { entryId: 'entry' });
    await bypassTriggers(
      testDatabase.database,
      `update book_days set reconciled_at = (day + 1)::timestamp at time zone 'UTC' where account = 'early'`,
    );
    expect((await itemsOf(users.chris, 'day')).map(({ account }) => account)).not.toContain('early');
  });
});

describe('a run that nobody can approve', () => {
  let runs: RunsInApproval;
  beforeAll(async () => {
    runs = await RunsInApproval.of(testDatabase);
  });

  /** Submitted by the user, and shown with its proposal. */
  async function aRunOf({ userId }: TestUser): Promise<string> {
    const { runId } = await runs.aRun();
    const contentHash = await readContentHash(testDatabase.asServer, runId);
    await bypassTriggers(
      testDatabase.database,
      'update runs set submitted_by = $2, proposal = $3, proposal_is_stale = false where run_id = $1',
      [runId, userId, JSON.stringify({ contentHash })],
    );
    return runId;
  }

  type Rule = ApprovalPolicy['rules'][number];
  const rule = (...steps: Rule['steps']): { rules: Rule[] } => ({ rules: [{ name: 'all', when: {}, steps }] });

  test('waits for its maker, with the reason', async () => {
    const runId = await aRunOf(users.mia);
    await runs.follow(rule({ role: 'checker' }));
    expect(await whoSees('no_approver', runId)).toEqual([]);
    await runs.follow(rule({ role: 'checker' }, { logins: ['nobody.there'] }));
    expect(await whoSees('no_approver', runId)).toEqual(['mia']);
    const [item] = await itemsOf(users.mia, 'no_approver');
    expect(item).toMatchObject({ title: 'test.csv', count: 1 });
    expect(item?.reason).toBe(
      'Nobody can take step 2: it is for nobody.there, and nobody approves their own run. ' +
        'An administrator adds somebody who may, or its maker withdraws it, or a checker rejects it.',
    );
    expect(item?.expiresAt).not.toBeNull();
    await runs.follow({ rules: [{ name: 'euros', when: { currencies: ['EUR'] }, steps: [{ role: 'checker' }] }] });
    expect((await itemsOf(users.mia, 'no_approver')).map(({ reason }) => reason)).toEqual([
      'No rule of the policy covers it: an administrator changes the policy, or its maker withdraws it, or a checker rejects it.',
    ]);
  });

  test('and was checked only waits for its maker alone, until it is sent', async () => {
    await runs.follow(rule({ role: 'checker' }));
    const { runId } = await aCheckedRun(testDatabase.database);
    await testDatabase.database.query('update runs set submitted_by = $2 where run_id = $1', [runId, users.mia.userId]);
    expect([await whoSees('checked', runId), await whoSees('approval', runId)]).toEqual([['mia'], []]);
    const contentHash = await readContentHash(testDatabase.asServer, runId);
    await sendRunAs(testDatabase.asServer, users.mia.tokenHash, runId, contentHash);
    await bypassTriggers(
      testDatabase.database,
      'update runs set proposal = $2, proposal_is_stale = false where run_id = $1',
      [runId, JSON.stringify({ contentHash })],
    );
    expect(await whoSees('checked', runId)).toEqual([]);
    expect((await itemsOf(runs.chris, 'approval')).map(({ id }) => id)).toContain(runId);
  });

  test('is one whose steps take more people than there are', async () => {
    const runId = await aRunOf(users.mia);
    await runs.follow(rule({ logins: ['chris'] }, { logins: ['chris'] }));
    const found = (await itemsOf(users.mia, 'no_approver')).find(({ id }) => id === runId);
    expect(found?.reason).toBe(
      'Its steps take more people than there are who may, as each person counts once. ' +
        'An administrator adds somebody who may, or its maker withdraws it, or a checker rejects it.',
    );
  });
});

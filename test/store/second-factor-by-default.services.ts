import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import type { ApplicationError } from '../../application/application-error.ts';
import { addUser } from '../../application/users/invite-users.ts';
import { decideChangeAs, proposeChangeAs } from '../../store/approvals/changes.ts';
import { readSecondFactorNeed } from '../../store/approvals/policy.ts';
import { eraseRemarkAs } from '../../store/audit/remarks.ts';
import { cancelRunAs, liftStopAs, stopPaymentsAs } from '../../store/approvals/stops.ts';
import type { Refused } from '../../store/database/call-as-user.ts';
import { newEndpointSecret } from '../../store/notifications/endpoint-secrets.ts';
import { addEndpointAs, removeEndpointAs, rotateEndpointSecretAs } from '../../store/notifications/endpoints.ts';
import { beginTotpAs, type StoredSubject, stepUpWithTotpAs } from '../../store/users/second-factors.ts';
import { redeemInvitation } from '../../store/users/tokens.ts';
import { newCode, newToken, storedHashOf, TokenHash } from '../../store/users/token-hash.ts';
import { addUserAs, disableUserAs, inviteUserAs, limitUserAs, removeRoleAs } from '../../store/users/users.ts';
import { startOccurrenceAs } from '../../store/treasury/occurrences.ts';
import { pauseScheduleAs, resumeScheduleAs } from '../../store/treasury/schedules.ts';
import { eraseCaseAs } from '../../store/onboarding/case-decisions.ts';
import { aSchedule, SWEEP } from '../domain/treasury-schedules.ts';
import { eraseRunAs } from '../../store/runs/erasure.ts';
import {
  addBeneficiaryLinesAs,
  confirmBeneficiaryLinesAs,
  readBeneficiaryLines,
} from '../../store/beneficiaries/beneficiary-accounts.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { aStoredRun, beneficiaryAt } from './a-stored-run.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aConfirmedSchedule } from './a-schedule.ts';
import { aStoredCase } from './a-stored-case.ts';
import { anOrder, placed } from './a-stored-order.ts';
import { anApprovedRun } from './a-stored-run.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';

/** With a real provider every approval and every change takes a second factor, unless the policy says otherwise. */

let testDatabase: TestDatabase;
let ada: TestUser;
let ben: TestUser;
let made = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  ben = await aUser(testDatabase, 'Ben', 'administrator');
  for (const user of [ada, ben]) await withApp(user);
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  made += 1;
  await recorded(false);
  await execute(`insert into policies (policy) select current_policy() - 'secondFactor'`);
});

const execute = (statement: string, ...values: unknown[]) => testDatabase.database.query(statement, values);

/** Live, so that what is asked for here is not that. */
async function recorded(isSandbox: boolean): Promise<void> {
  await execute('delete from provider_accounts');
  await execute(
    `insert into provider_accounts (account, api_address, access_key, is_sandbox) values ('default', 'https://a', 'k', $1)`,
    isSandbox,
  );
  await execute(
    `insert into changes (kind, proposed_by, decided_by, state, decided_at)
     select 'go_live', $1, $2, 'effective', now() where not exists (select from changes where kind = 'go_live')`,
    ada.userId,
    ben.userId,
  );
}

const withApp = ({ userId, tokenId }: TestUser) =>
  execute(
    `insert into totp_factors (totp_id, user_id, session_id, wrapped, wrapped_by, confirmed_at)
     values (gen_random_uuid(), $1, $2, '', 'key', now())`,
    userId,
    tokenId,
  );

/** Refused without a second factor, which the refusal names, and with one for something else; done with one for exactly this, once. */
async function takesOne(by: TestUser, change: () => Promise<unknown>): Promise<void> {
  const refused = await change().then(
    () => null,
    (error: unknown) => error as Refused,
  );
  expect(refused).toMatchObject({ ...refusedWith('second_factor_needed'), facts: { factors: ['totp'] } });
  const subject = refused?.facts['subject'] as StoredSubject;
  expect(subject).toMatchObject({ kind: 'change', id: by.userId, decision: 'changed' });
  await show(by, { ...subject, contentHash: 'a'.repeat(64) });
  await expect(change()).rejects.toMatchObject(refusedWith('second_factor_needed'));
  await show(by, subject);
  await change();
}

async function show(by: TestUser, subject: StoredSubject): Promise<void> {
  await execute('update totp_factors set last_step = 0');
  const step = Math.floor(Date.now() / 30_000);
  await stepUpWithTotpAs(testDatabase.asServer, by.tokenHash, subject, {
    step,
    newTokenHash: TokenHash.of(newToken()),
  });
}

const aName = () => `user-${made}-${randomUUID().slice(0, 6)}`;
const eve = (roles = ['checker']) => {
  const login = aName();
  return { login, name: login, roles };
};

describe('with a real provider', () => {
  test('an approval takes one, and none where the policy says so', async () => {
    const runs = await RunsInApproval.of(testDatabase);
    await withApp(runs.chris);
    const { runId } = await runs.aRun();
    await expect(runs.decide(runs.chris, runId)).rejects.toMatchObject(refusedWith('second_factor_needed'));
    await execute(`insert into policies (policy) select current_policy() || '{"secondFactor": {"approvals": false}}'`);
    await runs.decide(runs.chris, runId);
    expect(await runs.stateOf(runId)).toBe('running');
    expect(await readSecondFactorNeed(testDatabase.asServer)).toEqual({ approvals: false, changes: true });
  });

  test('a user is added, limited, given a code, loses a role and is disabled with one each', async () => {
    const { asServer } = testDatabase;
    const added = eve(['auditor']);
    let userId = '';
    await takesOne(ada, async () => {
      userId = (await addUserAs(asServer, ada.tokenHash, added)).userId;
    });
    await takesOne(ada, () => limitUserAs(asServer, ada.tokenHash, userId, ['default']));
    const expiresAt = new Date(Date.now() + 60_000);
    await takesOne(ada, () =>
      inviteUserAs(asServer, ada.tokenHash, { userId, codeHash: storedHashOf(TokenHash.of(newCode())), expiresAt }),
    );
    await takesOne(ada, () => removeRoleAs(asServer, ada.tokenHash, userId, 'auditor'));
    await takesOne(ada, () => disableUserAs(asServer, ada.tokenHash, userId));
  });

  test('a user is added with a code by one alone', async () => {
    const added = { ...eve([]), roles: ['auditor' as const], mail: null };
    const dependencies = { database: testDatabase.asServer, now: Date.now } as ApplicationDependencies;
    const needed = await addUser(dependencies, ada, added).catch((error: unknown) => error as ApplicationError);
    expect(needed).toMatchObject({ code: 'second_factor_needed' });
    await show(ada, (needed as ApplicationError).details?.['subject'] as StoredSubject);
    const { userId, invitation } = await addUser(dependencies, ada, added);
    expect(invitation?.code).toMatch(/./);
    const { rows } = await execute('select created_by from invitations where user_id = $1', userId);
    expect(rows).toEqual([{ created_by: ada.userId }]);
  });

  test('a change is proposed and confirmed with one each, and rejected without', async () => {
    const { asServer } = testDatabase;
    const { rows } = await execute('select current_policy() as policy');
    const { policy } = rows[0] as { policy: object };
    const propose = () =>
      proposeChangeAs(asServer, ada.tokenHash, { kind: 'set_policy', userId: null, detail: { policy } });
    let changeId = '';
    await takesOne(ada, async () => {
      changeId = (await propose()).changeId;
    });
    await takesOne(ben, () => decideChangeAs(asServer, ben.tokenHash, changeId, true));
    await takesOne(ada, async () => {
      changeId = (await propose()).changeId;
    });
    await decideChangeAs(asServer, ben.tokenHash, changeId, false);
  });

  test('a stop is lifted with one, by each of the two, and made without', async () => {
    const { asServer } = testDatabase;
    const checkers = [
      await aUser(testDatabase, aName(), 'checker'),
      await aUser(testDatabase, aName(), 'checker'),
    ] as const;
    for (const checker of checkers) await withApp(checker);
    const { stopId } = await stopPaymentsAs(asServer, checkers[0].tokenHash, { scope: 'all' }, 'why');
    await takesOne(checkers[0], () => liftStopAs(asServer, checkers[0].tokenHash, { stopId, askedBy: null }));
    const askedBy = checkers[0].userId;
    await takesOne(checkers[1], () => liftStopAs(asServer, checkers[1].tokenHash, { stopId, askedBy }));
  });

  test('an endpoint is added, changed and removed, and a comment erased, with one each', async () => {
    const { asServer } = testDatabase;
    const endpointId = randomUUID();
    const secret = newEndpointSecret(TEST_DATA_KEYS);
    const to = { kind: 'webhook' as const, url: 'https://hooks.example.com/payrun', secret };
    const endpoint = { ...{ endpointId, name: aName(), types: null, to }, target: 'https://hooks.example.com' };
    await takesOne(ada, () => addEndpointAs(asServer, ada.tokenHash, endpoint));
    await takesOne(ada, () =>
      rotateEndpointSecretAs(asServer, ada.tokenHash, endpointId, newEndpointSecret(TEST_DATA_KEYS)),
    );
    await takesOne(ada, () => removeEndpointAs(asServer, ada.tokenHash, endpointId));
    const { stopId } = await stopPaymentsAs(asServer, ada.tokenHash, { scope: 'account', account: 'default' }, 'why');
    const { rows } = await execute('select remark_id from stops where stop_id = $1', stopId);
    const [{ remark_id: remarkId }] = rows as [{ remark_id: string }];
    await takesOne(ada, () => eraseRemarkAs(asServer, ada.tokenHash, remarkId));
    const { runId } = await aStoredRun(testDatabase.database);
    await bypassTriggers(
      testDatabase.database,
      `update runs set state = 'expired', finished_at = now() - interval '10 years' where run_id = $1`,
      [runId],
    );
    await takesOne(ada, () => eraseRunAs(asServer, ada.tokenHash, runId));
  });

  test('an account of the book is confirmed with one', async () => {
    const { asServer, database } = testDatabase;
    const payees = await payeesIn(database);
    const [maker, checker] = await Promise.all([
      aUser(testDatabase, aName(), 'maker'),
      aUser(testDatabase, aName(), 'checker'),
    ]);
    await withApp(checker);
    const { beneficiary } = beneficiaryAt('1');
    if (beneficiary.kind !== 'details') throw new Error('it has no details');
    const lines = [{ key: 'S-1', currency: 'GBP', details: beneficiary.details }];
    await addBeneficiaryLinesAs(asServer, payees, maker.tokenHash, { account: 'default', source: 'by_hand', lines });
    const seen = { account: 'default', lines: await readBeneficiaryLines(asServer, payees, 'default', ['S-1']) };
    await takesOne(checker, () =>
      confirmBeneficiaryLinesAs(asServer, payees, checker.tokenHash, seen, {
        called: null,
        note: 'as in the contract',
      }),
    );
  });

  test('what one person does, and nobody else decides on, takes one each', async () => {
    const { asServer } = testDatabase;
    const [tina, tom, chris, olivia] = await Promise.all([
      aUser(testDatabase, aName(), 'treasurer'),
      aUser(testDatabase, aName(), 'treasurer'),
      aUser(testDatabase, aName(), 'checker'),
      aUser(testDatabase, aName(), 'onboarder'),
    ]);
    await execute(
      `insert into policies (policy) select current_policy() || '{"secondFactor": {"changes": false, "approvals": false}, "unconfirmedAccounts": "warn"}'`,
    );
    const scheduleId = await aConfirmedSchedule(testDatabase, [tina, tom], aSchedule(SWEEP, { name: aName() }));
    const caseId = await aStoredCase(testDatabase, olivia, 'withdrawn');
    await execute('update cases set ended_at = now() where case_id = $1', caseId);
    const { runId } = await anApprovedRun(testDatabase.database);
    await stopPaymentsAs(asServer, chris.tokenHash, { scope: 'run', runId }, 'why');
    await execute(`insert into policies (policy) select current_policy() - 'secondFactor'`);
    for (const user of [tina, chris]) await withApp(user);
    const today = new Date().toLocaleDateString('sv', { timeZone: SWEEP.time_zone });
    await takesOne(tina, () =>
      startOccurrenceAs(asServer, tina.tokenHash, {
        ...{ scheduleId, occurrenceId: randomUUID(), localDate: today, slot: 0, movedFrom: [], calendarVersion: 1 },
      }),
    );
    await pauseScheduleAs(asServer, chris.tokenHash, scheduleId, null);
    await takesOne(chris, () => resumeScheduleAs(asServer, chris.tokenHash, scheduleId, null));
    await takesOne(chris, () => cancelRunAs(asServer, chris.tokenHash, runId, null));
    await takesOne(ada, () => eraseCaseAs(asServer, ada.tokenHash, caseId));
    const order = anOrder();
    const conversions = { limits: { [order.sellCurrency]: { approvalAbove: '500' } } };
    await execute('insert into policies (policy) select current_policy() || $1::jsonb', { conversions });
    await takesOne(tina, () => placed(testDatabase, tina, order));
    await placed(testDatabase, tina, anOrder());
  });

  test('whoever has used a code at the command line adds the first one, within 15 minutes', async () => {
    const vic = await aUser(testDatabase, aName(), 'checker');
    const begin = ({ tokenHash }: Pick<TestUser, 'tokenHash'>) =>
      beginTotpAs(testDatabase.asServer, tokenHash, TEST_DATA_KEYS, Buffer.alloc(20));
    await expect(begin(vic)).rejects.toMatchObject(refusedWith('conflict'));
    const code = newCode();
    await execute(
      `insert into invitations (user_id, code_hash, expires_at) values ($1, $2, now() + interval '1 hour')`,
      vic.userId,
      storedHashOf(TokenHash.of(code)),
    );
    const tokenHash = TokenHash.of(newToken());
    const expiresAt = new Date(Date.now() + 60_000);
    await redeemInvitation(testDatabase.asServer, TokenHash.of(code), {
      newTokenHash: tokenHash,
      label: 'x',
      expiresAt,
    });
    await begin({ tokenHash });
    await bypassTriggers(
      testDatabase.database,
      `update invitations set redeemed_at = now() - interval '16 minutes' where user_id = $1`,
      [vic.userId],
    );
    await expect(begin({ tokenHash })).rejects.toMatchObject(refusedWith('conflict'));
  });
});

test('with the sandbox none is asked for, unless the policy says so', async () => {
  await recorded(true);
  const { asServer } = testDatabase;
  expect(await readSecondFactorNeed(asServer)).toEqual({ approvals: false, changes: false });
  await addUserAs(asServer, ada.tokenHash, eve());
  await execute(`insert into policies (policy) select current_policy() || '{"secondFactor": {"changes": true}}'`);
  const added = eve();
  await takesOne(ada, () => addUserAs(asServer, ada.tokenHash, added));
});

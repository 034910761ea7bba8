import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decideChangeAs, listChanges, proposeChangeAs } from '../../store/approvals/changes.ts';
import { disableEndpointAs } from '../../store/notifications/endpoints.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { codeBy, redeemed } from '../helpers/codes.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { inviteAdministrator } from '../../store/users/owner-users.ts';
import { readGoingLive } from '../../store/users/going-live.ts';
import { findTokenHolder, issueTokenAs } from '../../store/users/tokens.ts';
import { newToken, TokenHash } from '../../store/users/token-hash.ts';
import { addUserAs, inviteUserAs } from '../../store/users/users.ts';
import { decideOrderAs } from '../../store/treasury/order-decisions.ts';
import { conversionOrderHash } from '../../domain/treasury/conversion-order.ts';
import { anEndpoint } from './an-endpoint.ts';
import { aStoredCase } from './a-stored-case.ts';
import { aStoredOrder } from './a-stored-order.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { aScheduleToConfirm, aVirtualAccountToAskFor } from './before-live.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';
import { withoutSecondFactors } from '../helpers/going-live.ts';

/** With a real provider nothing is approved before two administrators have gone live, which ends what others sign in by. */

const DAY_MS = 86_400_000;
const NOT_LIVE = { ...refusedWith('conflict'), message: expect.stringContaining('not live') as string };

let testDatabase: TestDatabase;
let ada: TestUser;
let ben: TestUser;

beforeEach(async () => {
  testDatabase = await createTestDatabase({ provider: 'none' });
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  ben = await aUser(testDatabase, 'Ben', 'administrator');
});
afterEach(() => testDatabase.drop());

async function recorded({ isSandbox }: { isSandbox: boolean }): Promise<void> {
  await testDatabase.database.query(
    `insert into provider_accounts (account, api_address, access_key, is_sandbox) values ($1, 'https://a.example', 'k', $2)`,
    [ACCOUNT, isSandbox],
  );
  await withoutSecondFactors(testDatabase.database);
}

const propose = (by: Pick<TestUser, 'tokenHash'> = ada) =>
  proposeChangeAs(testDatabase.asServer, by.tokenHash, { kind: 'go_live', userId: null, detail: {} });
const confirm = (changeId: string, by: Pick<TestUser, 'tokenHash'> = ben) =>
  decideChangeAs(testDatabase.asServer, by.tokenHash, changeId, true);
const goLive = async () => confirm((await propose()).changeId);
const stateOf = async () => (await readGoingLive(testDatabase.asServer)).state;
const worksStill = async ({ tokenHash }: Pick<TestUser, 'tokenHash'>): Promise<boolean> => {
  const holder = await findTokenHolder(testDatabase.asServer, tokenHash);
  return holder !== null && !('why' in holder);
};
const inADay = () => new Date(Date.now() + DAY_MS);

describe('before payrun is live with a real provider', () => {
  beforeEach(() => recorded({ isSandbox: false }));

  test('no run is approved, and one is rejected', async () => {
    const runs = await RunsInApproval.of(testDatabase);
    const { runId } = await runs.aRun();
    await expect(runs.decide(runs.chris, runId)).rejects.toMatchObject(NOT_LIVE);
    expect(await runs.refusalsOf(runId)).toContainEqual(expect.objectContaining({ why: 'not_live' }));
    expect(await runs.frozenRows(runId)).toBe(0);
    await runs.decide(runs.sam, runId, 'rejected');
    const next = await runs.aRun();
    await goLive();
    const chris = await aUser(testDatabase, 'Chris', 'checker');
    await runs.decide(chris, next.runId);
    expect(await runs.stateOf(next.runId)).toBe('running');
  });

  test('no order is approved, nor goes through without an approval where the policy asks for none', async () => {
    const tina = await aUser(testDatabase, 'Tina', 'treasurer');
    const chris = await aUser(testDatabase, 'Chris', 'checker');
    const terms = await aStoredOrder(testDatabase, tina, 'in_approval');
    const { orderId } = terms;
    const decision = { orderId, orderHash: conversionOrderHash(terms), reason: null, decision: 'approved' as const };
    await expect(decideOrderAs(testDatabase.asServer, chris.tokenHash, decision)).rejects.toMatchObject(NOT_LIVE);
    const conversions = { limits: { [terms.sellCurrency]: { approvalAbove: '5000' } } };
    await testDatabase.database.query(`insert into policies (policy) select current_policy() || $1::jsonb`, [
      { conversions },
    ]);
    const isAuthorized = async (): Promise<unknown> => {
      const { rows } = await testDatabase.database.query(
        'select conversion_is_authorized(orders, 1000) as may from conversion_orders orders where order_id = $1',
        [orderId],
      );
      return rows;
    };
    expect(await isAuthorized()).toEqual([{ may: false }]);
    await goLive();
    expect(await isAuthorized()).toEqual([{ may: true }]);
  });

  test('no schedule is confirmed', async () => {
    const confirmSchedule = await aScheduleToConfirm(testDatabase);
    await expect(confirmSchedule()).rejects.toMatchObject(NOT_LIVE);
  });

  test('nobody is signed up, and no virtual account is asked for', async () => {
    const olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
    await expect(aStoredCase(testDatabase, olivia)).rejects.toMatchObject(NOT_LIVE);
    const ask = await aVirtualAccountToAskFor(testDatabase);
    await expect(ask()).rejects.toMatchObject(NOT_LIVE);
  });

  test('the owner of the database gives each of several administrators a code', async () => {
    const added = { login: 'cleo', name: 'Cleo', recover: false };
    const { code } = await inviteAdministrator(testDatabase.url, added, Date.now);
    const cleo = await redeemed(testDatabase, code);
    await confirm((await propose()).changeId, cleo);
    expect(await stateOf()).toBe('live');
    const late = inviteAdministrator(testDatabase.url, { ...added, login: 'dora', name: 'Dora' }, Date.now);
    await expect(late).rejects.toMatchObject(refusedWith('conflict'));
  });
});

describe('going live', () => {
  test('takes another administrator than who proposed it, and no waiting, also while one may set up alone', async () => {
    await recorded({ isSandbox: false });
    await testDatabase.database.query(
      `insert into policies (policy) select current_policy() || '{"changes": {"delayHours": 72}}'`,
    );
    const begun = await propose();
    expect(begun).toMatchObject({ state: 'pending', takesEffectAt: null });
    expect(await stateOf()).toBe('proposed');
    await expect(propose(ben)).rejects.toMatchObject(refusedWith('conflict'));
    await expect(confirm(begun.changeId, ada)).rejects.toMatchObject(refusedWith('not_allowed'));
    const chris = await aUser(testDatabase, 'Chris', 'checker');
    await expect(propose(chris)).rejects.toMatchObject(refusedWith('not_allowed'));
    await expect(confirm(begun.changeId, chris)).rejects.toMatchObject(refusedWith('not_allowed'));
    const again = (await decideChangeAs(testDatabase.asServer, ada.tokenHash, begun.changeId, false)).state;
    expect(again).toBe('rejected');
    expect((await goLive()).state).toBe('effective');
    expect(await readGoingLive(testDatabase.asServer)).toMatchObject({
      ...{ state: 'live', proposedBy: 'Ada', confirmedBy: 'Ben' },
    });
    await expect(propose()).rejects.toMatchObject(refusedWith('conflict'));
  });

  test('takes two whose codes the owner of the database has made, not one of the two', async () => {
    await recorded({ isSandbox: false });
    const added = { login: 'cleo', name: 'Cleo', roles: ['administrator'] };
    const { userId } = await addUserAs(testDatabase.asServer, ada.tokenHash, added);
    const cleo = await redeemed(testDatabase, await codeBy(testDatabase, ada, userId));
    await expect(propose(cleo)).rejects.toMatchObject(refusedWith('not_allowed'));
    const { changeId } = await propose();
    await expect(confirm(changeId, cleo)).rejects.toMatchObject(refusedWith('not_allowed'));
    expect(await stateOf()).toBe('proposed');
  });

  test('is for what was set up when it was proposed: what one administrator changes meanwhile replaces it', async () => {
    await recorded({ isSandbox: false });
    const { changeId } = await propose();
    await addUserAs(testDatabase.asServer, ada.tokenHash, { login: 'eve', name: 'Eve', roles: ['checker'] });
    await expect(confirm(changeId)).rejects.toMatchObject(refusedWith('conflict'));
    expect(await stateOf()).toBe('not_live');
  });

  test('shows both where notifications go, and is replaced if that changes meanwhile', async () => {
    await recorded({ isSandbox: false });
    const { endpointId } = await anEndpoint(testDatabase, ada, { url: 'https://hooks.example.com/secret-path' });
    const { changeId } = await propose();
    const [shown] = await listChanges(testDatabase.asServer, { pendingOnly: true, limit: 1, accounts: null });
    const setUp = shown?.detail['setUp'] as string[];
    expect(setUp).toEqual(
      expect.arrayContaining([
        'ada is administrator',
        'provider default at https://a.example, with the access key whose SHA-256 is k',
        expect.stringMatching(/^notifications to endpoint-\w+ at https:\/\/hooks.example.com, enabled/),
      ]),
    );
    expect(setUp.join()).not.toContain('secret-path');
    await disableEndpointAs(testDatabase.asServer, ada.tokenHash, endpointId);
    await expect(confirm(changeId)).rejects.toMatchObject(refusedWith('conflict'));
    expect(await stateOf()).toBe('not_live');
    await goLive();
    expect(await stateOf()).toBe('live');
  });

  test('is replaced if codes of a user go elsewhere meanwhile', async () => {
    await recorded({ isSandbox: false });
    const { changeId } = await propose();
    const moved = { kind: 'set_mail', userId: ben.userId, detail: { mail: 'ada@example.com' } } as const;
    expect((await proposeChangeAs(testDatabase.asServer, ada.tokenHash, moved)).state).toBe('effective');
    await expect(confirm(changeId)).rejects.toMatchObject(refusedWith('conflict'));
  });

  test('is replaced if a schedule is in force or a virtual account is there that was not when it was proposed', async () => {
    for (const prepare of [aVirtualAccountToAskFor, aScheduleToConfirm]) {
      await testDatabase.database.query('delete from provider_accounts');
      await recorded({ isSandbox: true });
      const make = await prepare(testDatabase);
      await testDatabase.database.query('update provider_accounts set is_sandbox = false');
      const { changeId } = await propose();
      // As nobody can: it stands for every way in which it may come there.
      await testDatabase.database.query('update provider_accounts set is_sandbox = true');
      await make();
      await testDatabase.database.query('update provider_accounts set is_sandbox = false');
      await expect(confirm(changeId)).rejects.toMatchObject(refusedWith('conflict'));
    }
  });

  test('ends what everybody else could sign in by, and codes that one administrator could still make', async () => {
    await recorded({ isSandbox: false });
    const { asServer, database } = testDatabase;
    const { userId } = await addUserAs(asServer, ada.tokenHash, { login: 'eve', name: 'Eve', roles: ['checker'] });
    const code = await codeBy(testDatabase, ada, userId);
    const chris = await aUser(testDatabase, 'Chris', 'checker');
    await database.query(`insert into passwords (user_id, salt, verifier) values ($1, $2, '')`, [
      chris.userId,
      Buffer.alloc(16),
    ]);
    const further = TokenHash.of(newToken());
    await issueTokenAs(asServer, ada.tokenHash, {
      newTokenHash: further,
      label: 'script',
      expiresAt: inADay(),
      scopes: [],
    });
    // Confirmed by the administrator alone, as everything before.
    await database.query(
      `insert into changes (kind, user_id, detail, proposed_by, state, decided_at)
       values ('invite_again', $1, '{"forRoles": ["checker"]}', $2, 'effective', now())`,
      [chris.userId, ada.userId],
    );
    await goLive();
    expect(await worksStill(chris)).toBe(false);
    expect((await database.query('select from passwords')).rowCount).toBe(0);
    await expect(redeemed(testDatabase, code)).rejects.toMatchObject(refusedWith('unauthenticated'));
    expect(await worksStill({ tokenHash: further })).toBe(false);
    expect([await worksStill(ada), await worksStill(ben)]).toEqual([true, true]);
    const invited = await inviteUserAs(asServer, ada.tokenHash, {
      ...{ userId: chris.userId, codeHash: Buffer.alloc(32), expiresAt: inADay() },
    });
    expect(invited).toMatchObject({ change: { state: 'pending' } });
  });

  test('disables administrators who have never signed in, as the one of the first start', async () => {
    const { database, url } = testDatabase;
    await inviteAdministrator(url, { login: 'admin', name: 'Administrator', recover: false }, Date.now);
    const used = await aUser(testDatabase, 'Used', 'administrator');
    await recorded({ isSandbox: false });
    await goLive();
    const { rows } = await database.query('select login from users where disabled_at is not null order by login');
    expect(rows).toEqual([{ login: 'admin' }]);
    expect(await worksStill(used)).toBe(false);
  });

  test('shows which administrators stay, and is replaced if another one signs in meanwhile, who would stay then', async () => {
    const added = { login: 'admin', name: 'Administrator', recover: false };
    const { code } = await inviteAdministrator(testDatabase.url, added, Date.now);
    await recorded({ isSandbox: false });
    const { changeId } = await propose();
    const [shown] = await listChanges(testDatabase.asServer, { pendingOnly: true, limit: 1, accounts: null });
    expect(shown?.detail['setUp']).toEqual(
      expect.arrayContaining([
        'ada is administrator',
        'admin is administrator, has never signed in, and is disabled by going live',
        'ben is administrator',
      ]),
    );
    await redeemed(testDatabase, code);
    await expect(confirm(changeId)).rejects.toMatchObject(refusedWith('conflict'));
    expect(await stateOf()).toBe('not_live');
  });

  test('ends the time in which one administrator sets up alone', async () => {
    await recorded({ isSandbox: false });
    await goLive();
    const added = { login: 'eve', name: 'Eve', roles: ['checker'] };
    expect((await addUserAs(testDatabase.asServer, ada.tokenHash, added)).change?.state).toBe('pending');
  });

  test('is neither asked for nor possible with the sandbox', async () => {
    expect(await stateOf()).toBe('no_provider');
    await expect(propose()).rejects.toMatchObject(refusedWith('conflict'));
    await recorded({ isSandbox: true });
    expect(await stateOf()).toBe('sandbox');
    await expect(propose()).rejects.toMatchObject(refusedWith('conflict'));
    const runs = await RunsInApproval.of(testDatabase);
    const { runId } = await runs.aRun();
    await runs.decide(runs.chris, runId);
    expect(await runs.stateOf(runId)).toBe('running');
  });
});

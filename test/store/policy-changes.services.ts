import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ApprovalPolicy, approvalPolicySchema } from '../../domain/approvals/approval-policy.ts';
import { addUserAs, listUsers } from '../../store/users/users.ts';
import {
  applyDueChanges,
  type BegunChange,
  decideChangeAs,
  listChanges,
  proposeChangeAs,
} from '../../store/approvals/changes.ts';
import { readPolicy } from '../../store/approvals/policy.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { listStaleProposals } from '../../store/runs/run-proposals.ts';
import { anApprovedRun, aStoredRun, openForDecision } from './a-stored-run.ts';
import { setDelay } from './changes-after-a-delay.ts';
import { refusedWith } from './runs-in-approval.ts';
import { withoutSecondFactors } from '../helpers/going-live.ts';

let testDatabase: TestDatabase;
let ada: TestUser;
let ben: TestUser;
let chris: TestUser;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  ben = await aUser(testDatabase, 'Ben', 'administrator');
  chris = await aUser(testDatabase, 'Chris', 'checker');
});
afterEach(() => testDatabase.drop());

async function rolesOf(login: string): Promise<{ roles: string[]; pendingRoles: string[] }> {
  const user = (await listUsers(testDatabase.asServer)).find((candidate) => candidate.login === login);
  return { roles: user?.roles ?? [], pendingRoles: user?.pendingRoles ?? [] };
}

/** After this, no administrator may change deciding roles alone; a change takes effect after three days if nobody objects. */
async function afterTheFirstApproval(): Promise<void> {
  await anApprovedRun(testDatabase.database);
  await setDelay(testDatabase.database);
}

/** Adds Eve as a checker, in Ada's name. */
async function addEve(): Promise<{ userId: string; change: BegunChange }> {
  const { userId, change } = await addUserAs(testDatabase.asServer, ada.tokenHash, {
    login: 'eve',
    name: 'Eve',
    roles: ['checker', 'auditor'],
  });
  if (change === null) throw new Error('nothing was begun');
  return { userId, change };
}

async function passTime(changeId: string): Promise<void> {
  await testDatabase.database.query(`update changes set takes_effect_at = now() where change_id = $1`, [changeId]);
}

async function auditKinds(): Promise<string[]> {
  const { rows } = await testDatabase.database.query<{ kind: string }>(
    'select kind from audit_entries where run_id is null order by entry_id',
  );
  return rows.map(({ kind }) => kind);
}

describe('the policy', () => {
  const stricter: ApprovalPolicy = {
    rules: [{ name: 'two', when: {}, steps: [{ role: 'checker' }, { role: 'checker' }] }],
    changes: { delayHours: null },
  };

  test('is changed like a deciding role, and its new delay applies from then on', async () => {
    await afterTheFirstApproval();
    const { asServer } = testDatabase;
    const set = { kind: 'set_policy' as const, userId: null, detail: { policy: stricter } };
    await expect(proposeChangeAs(asServer, chris.tokenHash, set)).rejects.toMatchObject(refusedWith('not_allowed'));
    const { changeId } = await proposeChangeAs(asServer, ada.tokenHash, set);
    await decideChangeAs(asServer, ben.tokenHash, changeId, true);
    const { change } = await addEve();
    expect(change.takesEffectAt).toBeNull();
    await testDatabase.database.query('select apply_due_changes()');
    expect((await rolesOf('eve')).pendingRoles).toEqual(['checker']);
  });

  const setPolicy = (name: string, basis?: number) => {
    const policy = { ...stricter, rules: [{ name, when: {}, steps: [{ role: 'checker' as const }] }] };
    const change = { kind: 'set_policy' as const, userId: null, detail: { policy }, basis };
    return proposeChangeAs(testDatabase.asServer, ada.tokenHash, change);
  };
  const versionInForce = async () => approvalPolicySchema.parse(await readPolicy(testDatabase.asServer)).version;

  test('has one proposal at a time, so that the one that takes effect last reverts no other', async () => {
    await afterTheFirstApproval();
    const { changeId } = await setPolicy('first');
    await expect(setPolicy('second')).rejects.toMatchObject(refusedWith('conflict'));
    await decideChangeAs(testDatabase.asServer, ben.tokenHash, changeId, true);
    expect((await setPolicy('second')).state).toBe('pending');
  });

  test('is not replaced by a proposal that was made from an earlier one', async () => {
    await afterTheFirstApproval();
    const seen = await versionInForce();
    const { changeId } = await setPolicy('first', seen);
    await decideChangeAs(testDatabase.asServer, ben.tokenHash, changeId, true);
    await expect(setPolicy('second', seen)).rejects.toMatchObject(refusedWith('conflict'));
    expect((await setPolicy('second', await versionInForce())).state).toBe('pending');
  });

  test('has runs proposed again that wait for a decision when another one changes what a payment may cost', async () => {
    await afterTheFirstApproval();
    const { runId } = await aStoredRun(testDatabase.database);
    await openForDecision(testDatabase.asWorker, runId);
    const confirm = async (costBound: ApprovalPolicy['costBound']) => {
      const change = { kind: 'set_policy' as const, userId: null, detail: { policy: { ...stricter, costBound } } };
      const { changeId } = await proposeChangeAs(testDatabase.asServer, ada.tokenHash, change);
      await decideChangeAs(testDatabase.asServer, ben.tokenHash, changeId, true);
      return listStaleProposals(testDatabase.asWorker);
    };
    expect(await confirm(undefined)).not.toContain(runId);
    expect(await confirm({ rateBasisPoints: 150 })).toContain(runId);
  });

  test.each(['is confirmed', 'has waited for its delay'])(
    'keeps what is in force when a proposal that was based on another %s, and that ends as replaced',
    async (how) => {
      await afterTheFirstApproval();
      const { asServer, database } = testDatabase;
      const { changeId } = await setPolicy('second');
      await database.query(`insert into policies (policy) values ($1)`, [stricter]);
      if (how === 'is confirmed') {
        const confirmed = decideChangeAs(asServer, ben.tokenHash, changeId, true);
        await expect(confirmed).rejects.toMatchObject(refusedWith('conflict'));
      } else {
        await passTime(changeId);
        expect(await applyDueChanges(asServer)).toBe(0);
      }
      expect(await readPolicy(asServer)).toMatchObject(stricter);
      const [change] = await listChanges(asServer, { pendingOnly: false, limit: 1, accounts: null });
      expect(change).toMatchObject({ changeId, state: 'replaced' });
      expect(await auditKinds()).toContain('change_replaced');
    },
  );
});

test('a change of the provider that was based on another one ends as replaced', async () => {
  await afterTheFirstApproval();
  const { asServer, database } = testDatabase;
  await database.query(
    `insert into provider_accounts (account, api_address, access_key, is_sandbox) values ('real', 'https://a', 'k', false)`,
  );
  await withoutSecondFactors(database);
  const detail = (apiAddress: string) => ({ account: 'real', apiAddress, accessKey: 'k' });
  const change = { kind: 'change_provider' as const, userId: null };
  const first = await proposeChangeAs(asServer, ada.tokenHash, { ...change, detail: detail('https://b') });
  const second = await proposeChangeAs(asServer, ada.tokenHash, { ...change, detail: detail('https://c') });
  await decideChangeAs(asServer, ben.tokenHash, second.changeId, true);
  await expect(decideChangeAs(asServer, ben.tokenHash, first.changeId, true)).rejects.toMatchObject(
    refusedWith('conflict'),
  );
  const { rows } = await database.query(`select api_address from provider_accounts where account = 'real'`);
  expect(rows).toEqual([{ api_address: 'https://c' }]);
});

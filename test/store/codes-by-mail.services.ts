import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { acceptInvitation, setMail } from '../../application/users/manage-users.ts';
import { addUser, inviteUser } from '../../application/users/invite-users.ts';
import type { DeliveryError } from '../../domain/notifications/delivery-errors.ts';
import type { CodeMail } from '../../domain/users/code-mail.ts';
import type { Role } from '../../domain/users/role.ts';
import { decideChangeAs, listChanges } from '../../store/approvals/changes.ts';
import { listUsers } from '../../store/users/users.ts';
import { linesWith, plainColumns } from '../helpers/plain-columns.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anApprovedRun } from './a-stored-run.ts';

/** Where the server sends mails, a code goes to its user alone. */

let testDatabase: TestDatabase;
let ada: TestUser;
let ben: TestUser;
let sent: CodeMail[];
let failure: DeliveryError | null;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  ben = await aUser(testDatabase, 'Ben', 'administrator');
  // payrun is set up once a run was approved: from then on changes wait.
  await anApprovedRun(testDatabase.database);
});
afterAll(() => testDatabase.drop());
beforeEach(() => {
  sent = [];
  failure = null;
});

const dependencies = (): ApplicationDependencies =>
  ({
    database: testDatabase.asServer,
    now: Date.now,
    settings: { publicUrl: 'https://payrun.example.com' },
    mailCode: (mail) => {
      sent.push(mail);
      return Promise.resolve(failure);
    },
  }) as Partial<ApplicationDependencies> as ApplicationDependencies;

const codeOf = (mail: CodeMail | undefined): string => /#link=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
const redeem = (code: string) => acceptInvitation(dependencies(), { code, label: 'sign-in', validDays: 1 });

function add(roles: Role[] = ['auditor'], mail: string | null = 'new@example.com') {
  const login = `new-${randomUUID()}`;
  return addUser(dependencies(), ada, { login, name: login, roles, mail });
}

const confirm = (changeId: string | undefined) =>
  decideChangeAs(testDatabase.asServer, ben.tokenHash, changeId ?? '', true);

describe('a code', () => {
  test('goes to its user, is in no answer, and in the database as a hash alone', async () => {
    const answer = await add();
    expect(answer).toMatchObject({ invitation: null, mailed: { to: 'new@example.com', problem: null } });
    expect(sent).toMatchObject([{ address: 'new@example.com' }]);
    const code = codeOf(sent[0]);
    expect(JSON.stringify(answer)).not.toContain(code);
    expect(linesWith(await plainColumns(testDatabase.database), code)).toEqual([]);
    await expect(redeem(code)).resolves.toBeDefined();
  });

  test('is not made for a user without an address', async () => {
    await expect(add(['auditor'], null)).rejects.toThrow('codes go to users by mail');
    const without = await aUser(testDatabase, 'Without', 'auditor');
    await expect(inviteUser(dependencies(), ada, without.userId)).rejects.toThrow('codes go to users by mail');
    expect(sent).toEqual([]);
  });

  test('that is not sent is said to be so, and works no more', async () => {
    failure = 'unreachable';
    const answer = await add();
    const { userId } = answer;
    expect(answer.mailed?.problem).toContain('cannot be reached');
    const [unsent] = sent.map(codeOf);
    expect(JSON.stringify(answer)).not.toContain(unsent);
    await expect(redeem(unsent ?? '')).rejects.toThrow('the code is unknown');
    const { rows } = await testDatabase.database.query(
      `select detail from audit_entries where kind = 'invitation_ended' and detail ->> 'user' = $1`,
      [userId],
    );
    expect(rows).toEqual([{ detail: { user: userId, why: 'not_sent' } }]);
    failure = null;
    const again = await inviteUser(dependencies(), ada, userId);
    expect(again).toMatchObject({ mailed: { to: 'new@example.com', problem: null } });
    await expect(redeem(codeOf(sent[1]))).resolves.toBeDefined();
  });

  test('of a user who decides goes to the address that the second administrator was shown', async () => {
    const { userId, change, invitationChange } = await add(['checker']);
    const pending = await listChanges(testDatabase.asServer, { pendingOnly: true, limit: 10, accounts: null });
    expect(pending.find(({ kind, user }) => kind === 'invite_again' && user?.userId === userId)?.detail).toEqual({
      mail: 'new@example.com',
    });
    for (const waits of [change, invitationChange]) await confirm(waits?.changeId);
    expect(await inviteUser(dependencies(), ada, userId)).toMatchObject({ mailed: { to: 'new@example.com' } });
  });

  test('is shown to who has made it, where no mails are sent', async () => {
    const shown = await addUser({ ...dependencies(), mailCode: null }, ada, {
      ...{ login: 'shown', name: 'Shown', roles: ['auditor'], mail: null },
    });
    expect(shown.mailed).toBeNull();
    await expect(redeem(shown.invitation?.code ?? '')).resolves.toBeDefined();
  });
});

describe('the address of a user', () => {
  const addressOf = async (userId: string) =>
    (await listUsers(testDatabase.asServer)).find((user) => user.userId === userId)?.mail;

  test('is changed by two administrators, never by waiting, and ends codes of before', async () => {
    const { userId } = await add();
    await testDatabase.database.query(
      `insert into policies (policy) select current_policy() || '{"changes": {"delayHours": 0}}'`,
    );
    const change = await setMail(dependencies(), ada, userId, 'ada@example.com');
    await testDatabase.database.query(
      `insert into policies (policy) select current_policy() || '{"changes": {"delayHours": null}}'`,
    );
    expect(change).toMatchObject({ state: 'pending', takesEffectAt: null });
    await expect(decideChangeAs(testDatabase.asServer, ada.tokenHash, change.changeId, true)).rejects.toMatchObject({
      code: 'not_allowed',
    });
    expect(await addressOf(userId)).toBe('new@example.com');
    await confirm(change.changeId);
    expect(await addressOf(userId)).toBe('ada@example.com');
    await expect(redeem(codeOf(sent[0]))).rejects.toThrow('the code is unknown');
  });

  test('that is changed ends an invitation to the former one', async () => {
    const { userId, change, invitationChange } = await add(['checker']);
    for (const waits of [change, invitationChange]) await confirm(waits?.changeId);
    await confirm((await setMail(dependencies(), ada, userId, 'ada@example.com')).changeId);
    expect(await inviteUser(dependencies(), ada, userId)).toMatchObject({ change: { state: 'pending' } });
    expect(sent).toEqual([]);
  });
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChangeSummary } from '../../api/approvals/change.ts';
import type { UserSummary } from '../../api/users/user.ts';
import { approvalPolicySchema } from '../../domain/approvals/approval-policy.ts';
import { TOKENS } from '../server/fake-application.ts';
import { aCommandLine } from './cli-harness.ts';

const EVE = '018f2a00-0000-7000-8000-0000000000e1';

const CHANGE: ChangeSummary = {
  changeId: '018f2a00-0000-7000-8000-0000000000c3',
  kind: 'grant_roles',
  user: { userId: 'user-eve', name: 'Eve\u001b[2J' },
  detail: { roles: ['checker'] },
  proposedBy: { userId: 'user-ada', name: 'Ada' },
  proposedAt: '2026-01-05T09:00:00.000Z',
  takesEffectAt: '2026-01-08T09:00:00.000Z',
  state: 'pending',
  decidedBy: null,
  decidedAt: null,
};

describe('the acting user', () => {
  it('cannot be given by PAYRUN_TOKEN and --as together, which may name two people', async () => {
    const { run } = await aCommandLine();
    const { code, stderr } = await run(['whoami', '--as', 'mia'], { role: 'maker' });
    expect(code).toBe(2);
    expect(stderr).toContain('PAYRUN_TOKEN already says who acts');
  });

  it('is shown the pending changes by every command that changes something', async () => {
    const { application, run } = await aCommandLine();
    application.changes = [CHANGE];
    const { stderr } = await run(['tokens', 'create'], { role: 'viewer' });
    expect(stderr).toContain('Acting as A viewer (viewer), viewer.');
    expect(stderr).toContain('Eve\\u{1b}[2J becomes checker, proposed by Ada');
    expect(stderr).toContain('2026-01-08 09:00 UTC');
  });
});

describe('users', () => {
  it('add prints only the code on stdout, so that it can be piped', async () => {
    const { application, run } = await aCommandLine();
    const roles = ['--role', 'auditor'];
    const { stdout, stderr } = await run(['users', 'add', 'eve', '--name', 'Eve', ...roles]);
    expect(stdout).toBe('a-code-that-works-once\n');
    expect(stderr).toContain("The user runs 'payrun login'");
    expect(application.calls).toMatchObject([
      { method: 'addUser', asked: { login: 'eve', name: 'Eve', roles: ['auditor'] } },
    ]);
  });

  it.each([
    ['add', ['--name', 'Eve', '--role', 'auditor', '--mail', 'eve@example.com']],
    ['invite', []],
    ['link', []],
  ])('%s says where the code went, and not what it is', async (command, options) => {
    const { application, run } = await aCommandLine();
    const times = { disabledAt: null, createdAt: '2026-01-05T09:00:00.000Z', lastUsedAt: null };
    application.listedUsers = [
      {
        ...{ userId: EVE, login: 'eve', name: 'Eve', mail: 'eve@example.com', roles: ['auditor'], pendingRoles: [] },
        ...{ accounts: null, ...times },
      },
    ];
    application.mailed = { to: 'eve@example.com', expiresAt: '2026-01-06T09:00:00.000Z', problem: null };
    const { code, stdout } = await run(['users', command, 'eve', ...options]);
    expect([code, stdout]).toEqual([
      0,
      'The code for eve was sent to eve@example.com. It works once, until 2026-01-06 09:00 UTC.\n',
    ]);
    application.mailed = { ...application.mailed, problem: 'The mail server cannot be reached.' };
    const failed = await run(['users', command, 'eve', ...options]);
    expect([failed.code, failed.stdout, failed.stderr]).toEqual([
      3,
      '',
      expect.stringMatching(/was not sent to eve@example.com, and works no more[^]*payrun users invite eve/),
    ]);
  });

  it('mail proposes another address', async () => {
    const { application, run } = await aCommandLine();
    const times = { disabledAt: null, createdAt: '2026-01-05T09:00:00.000Z', lastUsedAt: null };
    application.listedUsers = [
      {
        ...{ userId: EVE, login: 'eve', name: 'Eve', mail: null, roles: ['auditor'], pendingRoles: [] },
        ...{ accounts: null, ...times },
      },
    ];
    expect((await run(['users', 'mail', 'eve', 'no address'])).code).toBe(2);
    const { code, stdout } = await run(['users', 'mail', 'eve', 'eve@example.com']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('needs a second administrator')]);
    expect(application.calls).toMatchObject([{ method: 'setMail', asked: { userId: EVE, mail: 'eve@example.com' } }]);
  });

  it('add says what to do if the code and the roles are pending', async () => {
    const { run } = await aCommandLine();
    const { stdout, stderr } = await run(['users', 'add', 'bob', '--name', 'Bob', '--role', 'checker']);
    expect(stdout).toBe('');
    expect(stderr).toContain("The user's roles take effect once a second administrator confirms them");
    expect(stderr).toContain('The code to sign in: The change needs a second administrator');
    expect(stderr).toContain("When both are in effect, run 'payrun users invite bob' to get the code.");
  });

  it('are named by their login', async () => {
    const { application, run } = await aCommandLine();
    const times = { disabledAt: null, createdAt: '2026-01-05T09:00:00.000Z', lastUsedAt: null };
    application.listedUsers = [
      {
        userId: '018f2a00-0000-7000-8000-0000000000e1',
        login: 'eve',
        name: 'Eve',
        mail: null,
        roles: ['viewer'],
        pendingRoles: ['checker'],
        accounts: null,
        ...times,
      },
    ];
    expect((await run(['users', 'list'])).stdout).toMatch(/eve +Eve +viewer, \(checker\) +never +enabled/);
    expect((await run(['users', 'revoke', 'eve', '--role', 'viewer'])).stdout).toBe('eve is no longer viewer.\n');
    expect((await run(['users', 'disable', 'eve'])).code).toBe(0);
    expect((await run(['users', 'grant', 'eve', '--role', 'checker'])).stdout).toContain(
      'needs a second administrator',
    );
    expect((await run(['users', 'disable', 'mallory'])).code).toBe(2);
    expect(application.calls.map(({ method, asked }) => [method, asked])).toEqual([
      ['removeRole', { userId: '018f2a00-0000-7000-8000-0000000000e1', role: 'viewer' }],
      ['disableUser', { userId: '018f2a00-0000-7000-8000-0000000000e1' }],
      ['grantRoles', { userId: '018f2a00-0000-7000-8000-0000000000e1', roles: ['checker'] }],
    ]);
  });
});

describe('users limit', () => {
  const eve: UserSummary = {
    ...{
      userId: EVE,
      login: 'eve',
      name: 'Eve',
      mail: null,
      roles: ['viewer'],
      pendingRoles: [],
      accounts: ['subsidiary'],
    },
    ...{ disabledAt: null, createdAt: '2026-01-05T09:00:00.000Z', lastUsedAt: null },
  };

  it('limits a user to accounts or gives them all, and says whether that waits', async () => {
    const { application, run } = await aCommandLine();
    application.listedUsers = [eve];
    const fewer = await run(['users', 'limit', 'eve', '--account', 'subsidiary', 'default']);
    expect(fewer.stdout).toBe('eve may only use subsidiary, default.\n');
    const all = await run(['users', 'limit', 'eve', '--all-accounts']);
    expect(all.stdout).toContain('The change needs a second administrator');
    const json = await run(['users', 'limit', 'eve', '--account', 'default', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ change: null });
    expect(application.calls.map(({ method, asked }) => [method, asked])).toEqual([
      ['limitUser', { userId: EVE, accounts: ['subsidiary', 'default'] }],
      ['limitUser', { userId: EVE, accounts: null }],
      ['limitUser', { userId: EVE, accounts: ['default'] }],
    ]);
  });

  it('needs either accounts or all of them', async () => {
    const { application, run } = await aCommandLine();
    application.listedUsers = [eve];
    expect((await run(['users', 'limit', 'eve'])).code).toBe(2);
    expect((await run(['users', 'limit', 'eve', '--account', 'default', '--all-accounts'])).code).toBe(2);
    expect(application.calls).toEqual([]);
  });

  it('is shown in the list of users, in whoami and in pending changes', async () => {
    const { application, run } = await aCommandLine();
    application.listedUsers = [eve, { ...eve, userId: 'user-2', login: 'max', accounts: null }];
    const list = (await run(['users', 'list'])).stdout;
    expect(list).toMatch(/eve +Eve +viewer +subsidiary +never/);
    expect(list).toMatch(/max +Eve +viewer +all +never/);
    const viewer = application.users.get(TOKENS.viewer);
    if (viewer === undefined) throw new Error('there is no viewer');
    application.users.set(TOKENS.viewer, { ...viewer, accounts: ['subsidiary'] });
    expect((await run(['whoami'], { role: 'viewer' })).stdout).toContain('viewer, limited to subsidiary, at');
    application.changes = [
      { ...CHANGE, kind: 'set_accounts', detail: { accounts: ['default', 'subsidiary'] } },
      { ...CHANGE, kind: 'set_accounts', detail: { accounts: null } },
    ];
    const changes = (await run(['changes', 'list'])).stdout;
    expect(changes).toContain('may use only default, subsidiary');
    expect(changes).toContain('may use all accounts');
  });
});

describe('policy', () => {
  it('check explains a file and changes nothing, and set proposes it', async () => {
    const { application, folder, run } = await aCommandLine();
    const policy = {
      rules: [
        {
          name: 'large',
          when: { currencies: ['EUR'], totalAtLeast: '50000.00' },
          steps: [{ role: 'checker' }, { logins: ['cfo'] }],
        },
        { name: 'rest', when: {}, steps: [{ role: 'checker' }] },
      ],
      changes: { delayHours: null },
    };
    await writeFile(join(folder, 'policy.json'), JSON.stringify(policy));
    const checked = await run(['policy', 'check', 'policy.json']);
    expect(checked.stdout).toContain(
      '1. large: the currency is EUR, and the total is at least 50,000.00: approved by a checker, then cfo',
    );
    expect(checked.stdout).toContain('each person counts once');
    for (const part of ['Second factor', 'Conversions that sell a currency without limits', 'Personal data of other']) {
      expect(checked.stdout).toContain(part);
    }
    expect(checked.stdout).toContain('Note: a run in several currencies needs the steps of every rule');
    expect(checked.stdout).toContain('Note: with one administrator alone, no such change ever takes effect');
    expect(application.calls).toEqual([]);
    await run(['policy', 'set', 'policy.json']);
    expect(application.calls).toMatchObject([{ method: 'setPolicy', asked: policy }]);
    expect(await readFile(join(folder, 'policy.json'), 'utf8')).toBe(JSON.stringify(policy));
  });

  it('show says everything that the policy says, as the console does', async () => {
    const { application, run } = await aCommandLine();
    const limits = { EUR: { maxOrder: '90000.00', approvalAbove: '1000.00' } };
    application.policy = approvalPolicySchema.parse({
      ...application.policy,
      secondFactor: { approvals: true },
      conversions: { limits },
      retention: { decidedDays: 2_000, otherDays: 0 },
    });
    const { stdout } = await run(['policy', 'show']);
    expect(stdout).toContain('Second factor at approvals: each takes one');
    expect(stdout).toContain(
      'Conversions that sell EUR: those above 1,000.00 EUR need the approval of a second person; at most 90,000.00 EUR an order',
    );
    expect(stdout).toContain('approved or rejected: is kept for 2,000 days after the end of the case');
  });

  it('lists all of what a change does, however long', async () => {
    const { application, run } = await aCommandLine();
    const setUp = ['a policy of two people for all runs', 'an address for notifications', 'statements of all accounts'];
    application.changes = [{ ...CHANGE, kind: 'go_live', user: null, detail: { setUp } }];
    const { stdout } = await run(['changes', 'list']);
    for (const part of setUp) expect(stdout).toContain(part);
    expect(stdout).toContain('proposed by Ada');
  });

  it('is in the list of changes with what a pending one would change', async () => {
    const { application, run } = await aCommandLine();
    const policy = { ...application.policy, secondFactor: { approvals: true } };
    application.changes = [{ ...CHANGE, kind: 'set_policy', user: null, detail: { policy } }];
    const { stdout } = await run(['changes', 'list']);
    expect(stdout).toContain(`${CHANGE.changeId} changes the policy:`);
    expect(stdout).toMatch(
      /Second factor at approvals\n +in force: each takes one with a real provider, none with the sandbox\n +proposed: each takes one/,
    );
  });

  it.each([
    ['{', 'not JSON'],
    ['{"rules": [], "changes": {"delayHours": 1}}', 'rules'],
    [
      '{"rules": [{"name": "a", "when": {}, "steps": [{"role": "maker"}]}], "changes": {"delayHours": 1}}',
      'rules.0.steps.0',
    ],
  ])('a file that is wrong (%s) is refused with its place', async (text, place) => {
    const { folder, run } = await aCommandLine();
    await writeFile(join(folder, 'policy.json'), text);
    const { code, stderr } = await run(['policy', 'check', 'policy.json']);
    expect(code).toBe(2);
    expect(stderr).toContain('policy.json');
    expect(stderr).toContain(place);
  });
});

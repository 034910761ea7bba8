import { describe, expect, it } from 'vitest';
import type { SessionSummary } from '../../api/users/session.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { aRunToDecide, HASH, RUN } from '../application/a-review.ts';
import { aCommandLine } from './cli-harness.ts';

const SESSION: SessionSummary = {
  sessionId: '018f2a00-0000-7000-8000-0000000000d1',
  userId: 'user-mia',
  login: 'mia',
  name: 'Mia',
  method: 'password',
  browser: 'Browser\u001b[2J',
  address: '10.0.0.9',
  createdAt: '2026-01-05T09:00:00.000Z',
  lastUsedAt: null,
  endsAt: '2026-01-05T21:00:00.000Z',
  endedAt: null,
  isActive: true,
  isThis: false,
};

describe('users link', () => {
  it('prints a link to the console alone on stdout, under a name that passkeys work with', async () => {
    const { application, run, url } = await aCommandLine();
    const invitation = { code: 'a-code-that-works-once', expiresAt: SESSION.endsAt };
    application.inviteUser = () => Promise.resolve({ invitation });
    application.listedUsers = [
      {
        ...{
          userId: SESSION.sessionId,
          login: 'mia',
          name: 'Mia',
          mail: null,
          roles: ['maker'],
          pendingRoles: [],
          accounts: null,
        },
        ...{ disabledAt: null, createdAt: SESSION.createdAt, lastUsedAt: null },
      },
    ];
    const { code, stdout, stderr } = await run(['users', 'link', 'mia']);
    expect(code).toBe(0);
    const { port } = new URL(url);
    expect(stdout).toBe(`http://localhost:${port}/sign-in#link=a-code-that-works-once\n`);
    expect(stderr).toContain('works once');
  });
});

describe('users sessions', () => {
  it('lists them, without control characters of browsers, and ends one', async () => {
    const { application, run } = await aCommandLine();
    application.listedSessions = [SESSION];
    const { stdout } = await run(['users', 'sessions']);
    expect(stdout).toMatch(/mia +password +10\.0\.0\.9/);
    expect(stdout).not.toContain('\u001b');
    expect(JSON.parse((await run(['users', 'sessions', '--json'])).stdout)).toEqual({ sessions: [SESSION] });
    expect((await run(['users', 'end-session', SESSION.sessionId])).code).toBe(0);
    expect(application.ended).toEqual([SESSION.sessionId]);
  });
});

describe('approve, where the policy asks for a second factor', () => {
  it('shows a code of the app for exactly what is approved', async () => {
    const { application, run } = await aRunToDecide();
    expect((await run(['approve', RUN, '--yes', '--code', '123456'])).code).toBe(0);
    const subject = { kind: 'run', id: RUN, contentHash: HASH, decision: 'approved' };
    expect(application.stepUps).toEqual([{ subject, code: '123456' }]);
  });

  it('says what is missing without one, with exit code 4', async () => {
    const { application, run } = await aRunToDecide();
    application.failures.set('approveRun', new ApplicationError('second_factor_needed', 'show a second factor'));
    const { code, stderr } = await run(['approve', RUN, '--yes']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('show a second factor') as string]);
  });
});

import { describe, expect, it } from 'vitest';
import { aCaseDetail, aSignUpPause, CASE } from '../server/case-records.ts';
import { aCommandLine } from './cli-harness.ts';

const NOTICE =
  'Sign-ups on default have been paused since 2026-01-06 09:00 UTC: 10 sign-ups were refused one after the other with the same answer ' +
  '(HTTP 422), and 990 cases wait.';

async function aLineWithAPause() {
  const line = await aCommandLine();
  line.application.signUpPauses = [aSignUpPause()];
  line.application.cases.set(CASE, aCaseDetail({ state: 'refused', stateReason: 'sign_up_refused' }));
  return line;
}

describe('paused sign-ups', () => {
  it.each([
    ['list', ['onboard', 'list']],
    ['list --json', ['onboard', 'list', '--json']],
  ])('are written to standard error by %s', async (_, command) => {
    const { run } = await aLineWithAPause();
    const { code, stderr } = await run(command);
    expect(code).toBe(0);
    expect(stderr).toContain(NOTICE);
    expect(stderr).toContain('payrun onboard resume --account default --retry');
  });

  it('are listed, and go on when an onboarder says so', async () => {
    const { application, run } = await aLineWithAPause();
    expect((await run(['onboard', 'pauses'])).stdout).toContain(NOTICE);
    const { pauses } = JSON.parse((await run(['onboard', 'pauses', '--json'])).stdout) as { pauses: unknown };
    expect(pauses).toEqual([aSignUpPause()]);
    const resumed = await run(['onboard', 'resume', '--account', 'default', '--retry']);
    expect([resumed.code, resumed.stdout]).toEqual([
      0,
      'Sign-ups go on, within ten minutes. 10 refused sign-ups are tried again.\n',
    ]);
    expect(application.calls).toMatchObject([{ asked: { account: 'default', retry: true } }]);
    expect((await run(['onboard', 'pauses'])).stdout).toBe('Sign-ups are not paused.\n');
    expect((await run(['onboard', 'list'])).stderr).not.toContain('paused');
  });
});

describe('onboard retry', () => {
  it('has a refused sign-up tried again', async () => {
    const { application, run } = await aLineWithAPause();
    const { code, stdout } = await run(['onboard', 'retry', CASE]);
    expect([code, stdout]).toEqual([0, `The applicant is signed up again: payrun onboard show ${CASE}\n`]);
    expect(application.calls).toMatchObject([{ method: 'retryCase', asked: { caseId: CASE } }]);
  });
});

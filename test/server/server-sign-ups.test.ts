import { describe, expect, it } from 'vitest';
import { aSignUpPause } from './case-records.ts';
import { anApp } from './server-harness.ts';

const PAUSES = '/api/v1/sign-ups/pauses';
const RESUME = '/api/v1/sign-ups/resume';

describe('pauses of sign-ups', () => {
  it('are listed for whoever may see cases', async () => {
    const { as, application } = anApp();
    application.signUpPauses = [aSignUpPause()];
    for (const role of ['checker', 'onboarder', 'viewer', 'administrator'] as const) {
      expect((await as(role, { url: PAUSES })).json()).toEqual({ pauses: [aSignUpPause()] });
    }
    expect((await as('maker', { url: PAUSES })).statusCode).toBe(403);
  });

  it('are lifted by onboarders, who name the account', async () => {
    const { as, application } = anApp();
    application.signUpPauses = [aSignUpPause()];
    const payload = { account: 'default', retry: true };
    expect((await as('administrator', { method: 'POST', url: RESUME, payload })).statusCode).toBe(403);
    expect((await as('onboarder', { method: 'POST', url: RESUME, payload: {} })).statusCode).toBe(400);
    expect((await as('onboarder', { method: 'POST', url: RESUME, payload })).json()).toEqual({
      retried: 10,
      notRetried: 0,
    });
    expect(application.calls).toMatchObject([{ method: 'resumeSignUps', login: 'onboarder', asked: payload }]);
  });
});

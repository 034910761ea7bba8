import { describe, expect, test } from 'vitest';
import type { UserLedger } from '../../local/demo/onboarding-script.ts';
import { isAlive, servicePids, startDemo, untilShown } from './demo-process.ts';

describe('payrun demo --onboarding', () => {
  test('ends as expected: both applicants are approved, and nobody is signed up twice', async () => {
    const demo = startDemo('--onboarding');
    await untilShown(demo, 'preparing');
    const pids = servicePids(demo);
    const { code, stdout } = await demo.ended;
    expect(code, demo.output()).toBe(0);
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(1);
    const { cases, seconds, ledger } = JSON.parse(stdout) as {
      cases: Record<string, number>;
      seconds: number;
      ledger: UserLedger;
    };
    expect(cases).toEqual({ approved: 2 });
    expect(seconds).toBeGreaterThan(0);
    expect(ledger).toMatchObject({ users: { approved: 2 }, signedUpMoreThanOnce: [] });
    expect(ledger).toMatchObject({ rejectedByLimit: 0, credentialLeaks: 0 });
    expect(ledger.mostInAnySecond).toBeLessThanOrEqual(5);
    // The person's passport is uploaded twice, and their screening is requested twice.
    expect(ledger.requests.byOperation).toMatchObject({
      'user-signup-v2': 2,
      'company-patch': 1,
      'document-create': 5,
      'document-upload-file': 6,
      'user-screen': 3,
    });
    expect(demo.output()).toContain('resubmission');
    // What the states mean, and what an onboarder is shown of a case.
    expect(demo.output()).toContain('signing_up (the sign-up is sent)');
    expect(demo.output()).toMatch(/upload passport +1/);
    expect(pids.length).toBeGreaterThanOrEqual(5);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('leaves no process behind when it is interrupted', async () => {
    const demo = startDemo('--onboarding');
    await untilShown(demo, 'preparing');
    const pids = servicePids(demo);
    demo.child.kill('SIGINT');
    const { code } = await demo.ended;
    expect(code).toBe(130);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

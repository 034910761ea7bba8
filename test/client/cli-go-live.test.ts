import { expect, test } from 'vitest';
import type { GoingLive } from '../../domain/approvals/going-live.ts';
import { aCommandLine } from './cli-harness.ts';

const NOT_LIVE: GoingLive = { state: 'not_live', changeId: null, proposedBy: null, confirmedBy: null, since: null };

test('go-live proposes it once it was asked, and says who confirms it and how', async () => {
  const { application, run } = await aCommandLine();
  application.goingLive = NOT_LIVE;
  const refused = await run(['go-live']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') as string });
  expect(application.calls).toEqual([]);
  const { code, stdout } = await run(['go-live', '--yes']);
  expect(code).toBe(0);
  expect(stdout).toContain('payrun changes confirm 018f2a00-0000-7000-8000-0000000000c3');
  expect(application.calls).toMatchObject([{ method: 'goLive', login: 'administrator' }]);
});

test.each([
  [{ state: 'sandbox' }, /sandbox: no real money/],
  [{ state: 'no_provider' }, /first worker/],
  [
    { state: 'proposed', changeId: 'a-change', proposedBy: 'Ada' },
    /Ada has proposed[^]*payrun changes confirm a-change/,
  ],
  [
    { state: 'live', proposedBy: 'Ada', confirmedBy: 'Ben', since: '2026-01-05T09:00:00.000Z' },
    /Live since 2026-01-05 09:00 UTC: Ada proposed it, and Ben confirmed it/,
  ],
] as const)('go-live says %j, and proposes nothing', async (step, says) => {
  const { application, run } = await aCommandLine();
  application.goingLive = { ...NOT_LIVE, ...step };
  for (const args of [['go-live'], ['go-live', '--status']]) {
    const { code, stdout } = await run(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(says);
  }
  expect(application.calls).toEqual([]);
});

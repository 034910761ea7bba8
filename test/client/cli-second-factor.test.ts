import { expect, test } from 'vitest';
import { ApplicationError } from '../../application/application-error.ts';
import { aCommandLine } from './cli-harness.ts';

const SUBJECT = {
  kind: 'change',
  id: '018f2a00-0000-7000-8000-0000000000c2',
  contentHash: 'a'.repeat(64),
  decision: 'changed',
} as const;
const CHANGE = '018f2a00-0000-7000-8000-0000000000c3';

/** The first confirmation is refused until a second factor was shown. */
async function aCommandLineThatAsks(factors = ['totp']) {
  const line = await aCommandLine();
  const { application } = line;
  const shown: { subject: unknown; code: string }[] = [];
  const needed = new ApplicationError('second_factor_needed', 'show one', { details: { subject: SUBJECT, factors } });
  application.failures.set('decideChange', needed);
  application.stepUpWithTotp = (_user, subject, code) => {
    shown.push({ subject, code });
    application.failures.delete('decideChange');
    return Promise.resolve({ secret: 'x', validUntil: '2026-01-05T09:05:00.000Z' });
  };
  return { ...line, shown };
}

test('a change that takes a second factor is made again with the code that --code gave, after the command as well', async () => {
  for (const args of [
    ['changes', 'confirm', CHANGE, '--code', '123456'],
    ['--code', '123456', 'changes', 'confirm', CHANGE],
  ]) {
    const { run, shown } = await aCommandLineThatAsks();
    const { code, stdout } = await run(args);
    expect([code, stdout]).toEqual([0, 'The change is in effect.\n']);
    expect(shown).toEqual([{ subject: SUBJECT, code: '123456' }]);
  }
});

test('the code is asked for at a terminal, where the user has an app', async () => {
  const { run, shown } = await aCommandLineThatAsks();
  expect((await run(['changes', 'confirm', CHANGE], { typed: ['654321'] })).code).toBe(0);
  expect(shown).toEqual([{ subject: SUBJECT, code: '654321' }]);
});

test('without an app or a terminal the refusal is said', async () => {
  const passkeys = await aCommandLineThatAsks(['passkey']);
  expect((await passkeys.run(['changes', 'confirm', CHANGE], { typed: ['654321'] })).code).toBe(4);
  const { run, shown } = await aCommandLineThatAsks();
  const { code, stderr } = await run(['changes', 'confirm', CHANGE]);
  expect([code, stderr]).toEqual([4, expect.stringContaining('show one (--code DIGITS)') as string]);
  expect([...shown, ...passkeys.shown]).toEqual([]);
});

test('second-factor prints the secret of a new app alone on stdout, and confirms it with a code', async () => {
  const { application, run } = await aCommandLine();
  const codes: string[] = [];
  application.beginTotp = () => Promise.resolve({ secret: 'SECRET', uri: 'otpauth://totp/x' });
  const confirmTotp = (_user: unknown, code: string) => {
    codes.push(code);
    return Promise.resolve({ secret: 'x' });
  };
  Object.assign(application, { confirmTotp });
  const { stdout, stderr } = await run(['second-factor']);
  expect(stdout).toBe('SECRET\n');
  expect(stderr).toContain('payrun second-factor --code');
  expect((await run(['second-factor', '--code', '123456'])).code).toBe(0);
  expect((await run(['second-factor'], { typed: ['222222'] })).stdout).toBe('SECRET\n');
  expect(codes).toEqual(['123456', '222222']);
});

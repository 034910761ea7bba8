import { expect, test } from 'vitest';
import { readEnvironment } from '../../config/environment.ts';
import { activitySettings } from '../../workers/activity-settings.ts';

const limits = (name: string) => ({
  name,
  requestsPerSecond: 10,
  requestsPerDay: 1_000,
  requestsReservedPerDay: 10,
});

test('an account that a worker does not know has no limits there: it is never taken for one without a limit', () => {
  const accounts = [limits('europe')];
  const { limitOf } = activitySettings(readEnvironment({}), accounts);
  expect(limitOf('europe')).toEqual({ perSecond: 10, perDay: 1_000, reservedPerDay: 10 });
  expect(() => limitOf('asia')).toThrow('account asia is not configured for this worker');
  accounts.push(limits('asia'));
  expect(limitOf('asia')).toEqual({ perSecond: 10, perDay: 1_000, reservedPerDay: 10 });
});

test('mails are encrypted beyond this machine, unless the operator allows otherwise', () => {
  const mailOf = (variables: Record<string, string>) =>
    activitySettings(readEnvironment({ PAYRUN_MAIL_FROM: 'payrun@example.com', ...variables }), []).notifications.mail;
  expect(mailOf({ PAYRUN_SMTP_URL: 'smtp://mail.example.com' })?.requireTls).toBe(true);
  expect(mailOf({ PAYRUN_SMTP_URL: 'smtp://127.0.0.1:2525' })?.requireTls).toBe(false);
  const allowed = { PAYRUN_SMTP_URL: 'smtp://mail.example.com', PAYRUN_ALLOW_PLAINTEXT: 'mail' };
  expect(mailOf(allowed)?.requireTls).toBe(false);
  expect(activitySettings(readEnvironment({}), []).notifications.mail).toBeNull();
});

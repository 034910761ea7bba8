import { expect, test } from 'vitest';
import { lineOf } from '../../operations/finding.ts';
import { notificationFinding } from '../../operations/notification-finding.ts';

type Endpoint = Parameters<typeof notificationFinding>[0][number];

const anEndpoint = (name: string, parts: Partial<Endpoint> = {}): Endpoint => ({
  ...{ name, kind: 'webhook', state: 'enabled', stateReason: null, failingSince: null },
  ...parts,
});

function said(endpoints: Endpoint[], mailServer: boolean | null = null): string | null {
  const finding = notificationFinding(endpoints, mailServer);
  return finding === null ? null : lineOf(finding);
}

test('the doctor says nothing of notifications where none are sent', () => {
  expect(said([])).toBeNull();
  expect(said([anEndpoint('new', { state: 'pending' })])).toBeNull();
});

test('an endpoint that was given up is wrong, and named with what to do', () => {
  expect(said([anEndpoint('ops'), anEndpoint('old', { state: 'disabled', stateReason: 'failing' })])).toBe(
    "FAIL  notifications: old is disabled (failing): correct its receiver, then 'payrun notifications endpoints enable old'",
  );
});

test('an endpoint that an administrator disabled is as it is meant to be', () => {
  expect(said([anEndpoint('ops', { state: 'disabled', stateReason: 'by_administrator' })])).toBe(
    'ok    notifications: go to nobody',
  );
});

test('an endpoint that fails is a reason to warn', () => {
  expect(said([anEndpoint('ops', { failingSince: new Date(0) }), anEndpoint('desk')])).toBe(
    'ok    notifications: go to ops, desk; WARNING: nothing can be delivered to ops',
  );
});

test('mail addresses without a mail server are a reason to warn where mails are sent', () => {
  const mail = anEndpoint('desk', { kind: 'mail' });
  expect(said([mail], false)).toMatch(
    /^ok {4}notifications: .*; WARNING: .* set PAYRUN_SMTP_URL and PAYRUN_MAIL_FROM$/,
  );
  expect(said([mail], true)).toBe('ok    notifications: go to desk');
  expect(said([mail], null)).toBe('ok    notifications: go to desk');
});

import { expect, test } from 'vitest';
import { moneyFinding } from '../../operations/money-finding.ts';
import type { BalanceView } from '../../store/accounts/balance-views.ts';

const aBalance = (parts: Partial<BalanceView> = {}): BalanceView => ({
  account: 'default',
  currency: 'EUR',
  amount: '1.00',
  readAt: new Date(0),
  ageSeconds: 5,
  lastAmount: '1.00',
  lastDatedAt: new Date(0),
  gapSince: null,
  unfollowedSince: null,
  free: '1.00',
  committed: '0.00',
  alarms: [],
  ...parts,
});

test('the doctor names the currencies whose history is followed, and none without one', () => {
  expect(moneyFinding([])).toBeNull();
  expect(moneyFinding([aBalance({ lastAmount: null })])).toBeNull();
  const finding = moneyFinding([aBalance(), aBalance({ currency: 'USD', lastAmount: null })]);
  expect(finding).toEqual({ subject: 'money', problem: null, detail: 'its history is followed: EUR on default' });
});

test('a history that lacks entries is a problem, and so is an alarm', () => {
  const raisedAt = '2026-01-31T00:00:00Z';
  const alarm = { kind: 'free_negative', ledgerAccount: 'free', amount: '-1', raisedAt } as const;
  const finding = moneyFinding([
    aBalance({ unfollowedSince: new Date(0) }),
    aBalance({ currency: 'USD', alarms: [alarm] }),
  ]);
  expect(finding?.problem).toBe(
    'the history of EUR on default lacks entries; others have taken more USD on default than was free. See payrun accounts balances',
  );
  const taken = { ...alarm, kind: 'debit_of_unpaid', ledgerAccount: 'payment/p-1' } as const;
  expect(moneyFinding([aBalance({ alarms: [taken] })])?.problem).toContain(
    'EUR on default was taken for payment/p-1, whose state says that it is not paid',
  );
});

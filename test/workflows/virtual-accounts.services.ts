import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { RECEIPT_SETTINGS } from '../../domain/accounts/receipt-schedule.ts';
import type { VirtualAccount } from '../../api/accounts/virtual-account.ts';
import { type PayrunUnderTest, startPayrun, WEBHOOK_HEADERS } from '../helpers/payrun-under-test.ts';
import { clearFaults, forceVirtualAccount, orderFaults, webhooksOf } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** Virtual accounts of a provider that lets no request be read: people say what became of them. */

let payrun: PayrunUnderTest;
let treasurer: TestUser;

beforeAll(async () => {
  payrun = await startPayrun({ settings: { receipts: { ...RECEIPT_SETTINGS, virtualAccountEveryMs: 500 } } });
  treasurer = await aUser(payrun.testDatabase, 'Tess Treasurer', 'treasurer');
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

const ORDER = {
  ...{ account: 'default', name: 'Sales Europe', provider: 'code 1', currency: 'USD', description: 'customers' },
  ...{ type: 'open' as const, amount: null, expiryDuration: null, approveAsync: true },
};
const shown = (id: string) => payrun.application.findVirtualAccount(treasurer, id);
const untilState = (id: string, state: VirtualAccount['state']) =>
  until(async () => {
    const one = await shown(id);
    return one.state === state ? one : null;
  });
const propose = (id: string, outcome: 'approved' | 'cancelled' | 'pending' | 'never_created', number: string | null) =>
  payrun.application.proposeVirtualAccount(treasurer, id, {
    outcome,
    number,
    requestId: null,
    reason: 'the dashboard',
  });
const creations = (): number => {
  const { byOperation } = payrun.sandbox.ledger().requests as { byOperation: Record<string, number> };
  return byOperation['virtual-account-request-create'] ?? 0;
};

test('one is asked for once, and approved by two people and by no notification', async () => {
  const { virtualAccountId: id } = await payrun.application.requestVirtualAccount(treasurer, ORDER);
  const pending = await untilState(id, 'pending');
  expect(pending).toMatchObject({ number: null, requestId: expect.any(String) as string });
  await forceVirtualAccount(payrun.sandbox, pending.requestId ?? '', 'approved');
  const { url } = await webhooksOf(payrun.sandbox);
  const body = JSON.stringify({ action: 'request', status: 'approved', requestId: pending.requestId, forged: true });
  const headers = { 'content-type': 'application/json', ...WEBHOOK_HEADERS };
  expect((await fetch(url, { method: 'POST', headers, body })).ok).toBe(true);
  await propose(id, 'approved', '8800123456789012');
  const [proposal] = (await shown(id)).manualOutcomes;
  expect(await shown(id)).toMatchObject({ state: 'pending', number: null });
  const seen = { manualOutcomeId: proposal?.manualOutcomeId ?? '' };
  await expect(payrun.application.confirmVirtualAccount(treasurer, id, seen)).rejects.toThrow('second person');
  await payrun.application.confirmVirtualAccount(payrun.checker, id, seen);
  expect(await shown(id)).toMatchObject({ state: 'approved', number: '8800123456789012' });
  expect(creations()).toBe(1);
  const onboarder = { ...treasurer, roles: ['onboarder' as const] };
  expect((await payrun.application.findVirtualAccount(onboarder, id)).number).toBeNull();
  const stranger = { ...treasurer, accounts: ['another'] };
  await expect(payrun.application.findVirtualAccount(stranger, id)).rejects.toThrow('no such');
  const { rows } = await payrun.database.query(
    `select from audit_entries where detail::text like '%8800123456789012%' or detail::text like '%Sales Europe%'`,
  );
  expect(rows).toEqual([]);
});

test('one whose creation is not answered is unknown, is not asked for again, and is resolved by two people', async () => {
  const before = creations();
  await orderFaults(payrun.sandbox, { operation: 'virtual-account-request-create', kind: 'reset_after' });
  const { virtualAccountId: id } = await payrun.application.requestVirtualAccount(treasurer, ORDER);
  await untilState(id, 'unknown');
  await propose(id, 'never_created', null);
  await expect(propose(id, 'pending', null)).rejects.toThrow('open proposal');
  const manualOutcomeId = (await shown(id)).manualOutcomes[0]?.manualOutcomeId ?? '';
  await payrun.application.rejectVirtualAccount(payrun.checker, id, { manualOutcomeId, reason: 'I see it there' });
  expect(await shown(id)).toMatchObject({ state: 'unknown' });
  await propose(id, 'pending', null);
  const open = (await shown(id)).manualOutcomes.find(({ state }) => state === 'proposed');
  await payrun.application.confirmVirtualAccount(payrun.checker, id, { manualOutcomeId: open?.manualOutcomeId ?? '' });
  expect(await shown(id)).toMatchObject({ state: 'pending', number: null });
  expect(creations() - before).toBe(1);
});

test('one that provably was not created is asked for again, and one that is refused is rejected', async () => {
  const before = creations();
  await orderFaults(payrun.sandbox, { operation: 'virtual-account-request-create', kind: 'rate_limited' });
  const { virtualAccountId: id } = await payrun.application.requestVirtualAccount(treasurer, ORDER);
  await untilState(id, 'pending');
  expect(creations() - before).toBeGreaterThanOrEqual(2);
  const refused = await payrun.application.requestVirtualAccount(treasurer, { ...ORDER, currency: 'XXX' });
  expect(await untilState(refused.virtualAccountId, 'rejected')).toMatchObject({ stateReason: 'request_refused' });
});

test('one of an account that is not configured is refused: nobody would ever send it', async () => {
  await expect(payrun.application.requestVirtualAccount(treasurer, { ...ORDER, account: 'typo' })).rejects.toThrow(
    'no provider account "typo"',
  );
});

test('who is no treasurer cannot ask for one', async () => {
  await expect(payrun.application.requestVirtualAccount(payrun.maker, ORDER)).rejects.toThrow(
    'request virtual account',
  );
});

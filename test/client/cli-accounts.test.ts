import { expect, test } from 'vitest';
import type { AccountBalances, HistoryEntry } from '../../api/accounts/balance.ts';
import { aCommandLine } from './cli-harness.ts';

const BALANCES: AccountBalances = {
  account: 'default',
  historyReadAt: '2026-01-31T12:00:00.000Z',
  historyFrom: '2026-01-29T12:00:00.000Z',
  balances: [
    {
      currency: 'EUR',
      amount: '1250.50',
      readAt: '2026-01-31T12:00:00.000Z',
      ageSeconds: 75,
      historyStatus: 'complete',
      amountByHistory: '1250.50',
      lastEntryAt: '2026-01-31T11:00:00.000Z',
      missingSince: null,
      free: '1000.25',
      committed: '250.25',
      alarms: [],
    },
    {
      currency: 'USD',
      amount: null,
      readAt: null,
      ageSeconds: null,
      historyStatus: 'abandoned',
      amountByHistory: '10.00',
      lastEntryAt: '2026-01-30T11:00:00.000Z',
      missingSince: '2026-01-30T12:00:00.000Z',
      free: '-5.00',
      committed: '15.00',
      alarms: [
        { kind: 'free_negative', ledgerAccount: 'free', amount: '-5.00', raisedAt: '2026-01-30T12:00:00.000Z' },
        { kind: 'debit_of_unpaid', ledgerAccount: 'payment/p-1', amount: '7.00', raisedAt: '2026-01-30T12:00:00.000Z' },
      ],
    },
  ],
};

const anEntry = (n: number, account = 'default'): HistoryEntry => ({
  account,
  currency: 'EUR',
  entryId: `e-${n}`,
  position: n,
  at: '2026-01-31T11:00:00.000Z',
  change: '-1000.50',
  before: '2251.00',
  after: '1250.50',
  total: '1000.50',
  transactionId: '71',
  type: 'payment',
  firstSeenAt: '2026-01-31T12:00:00.000Z',
  disregarded: null,
});

test('balances are shown with their age, and with how far the history can be followed', async () => {
  const { application, run } = await aCommandLine();
  application.balances = [BALANCES];
  const { code, stdout } = await run(['accounts', 'balances'], { role: 'viewer' });
  expect(code).toBe(0);
  expect(stdout).toContain('last read on 2026-01-31 12:00 UTC');
  expect(stdout).toMatch(/EUR +1,250\.50 +2 min ago +1,250\.50 +250\.25 +1,000\.25 .*complete/);
  expect(stdout).toContain('taken USD 5.00 more than was free');
  expect(stdout).toContain('USD 7.00 was taken for payment/p-1, whose state says that it is not paid');
  expect(stdout).toMatch(/USD +– .*missing since 2026-01-30 12:00 UTC: ask the provider/);
  const asJson = await run(['accounts', 'balances', '--json'], { role: 'viewer' });
  expect(JSON.parse(asJson.stdout)).toEqual({ accounts: [BALANCES] });
});

test('the history is listed in pages, for a currency and a time', async () => {
  const { application, run } = await aCommandLine();
  application.entries = Array.from({ length: 1_200 }, (_, index) => anEntry(1_200 - index));
  const options = ['--currency', 'eur', '--from', '2026-01-01', '--limit', '1100', '--json'];
  const { code, stdout } = await run(['accounts', 'history', ...options], { role: 'viewer' });
  expect(code).toBe(0);
  const { entries, hasMore } = JSON.parse(stdout) as { entries: HistoryEntry[]; hasMore: boolean };
  expect([entries.length, entries.at(-1)?.position, hasMore]).toEqual([1_100, 101, true]);
  expect(application.historyQueries[0]).toMatchObject({ currency: 'EUR', from: '2026-01-01', to: null });
  const table = await run(['accounts', 'history', '--limit', '1'], { role: 'viewer' });
  expect(table.stdout).toMatch(/-1,000\.50 +1,250\.50 +payment +71 +1200/);
  expect(table.stdout).toContain('and older ones');
});

test('a wrong day is refused, and a wrong limit', async () => {
  const { run } = await aCommandLine();
  const wrongDay = await run(['accounts', 'history', '--from', '31.01.2026'], { role: 'viewer' });
  expect([wrongDay.code, wrongDay.stderr]).toEqual([2, expect.stringContaining('from')]);
  expect((await run(['accounts', 'history', '--limit', 'all'], { role: 'viewer' })).code).toBe(2);
});

test('the ledger is shown with what each amount is meant for, and with the causes of its transfers', async () => {
  const { application, run } = await aCommandLine();
  const RUN = '018f2a00-0000-7000-8000-000000000001';
  const of = { account: 'default', currency: 'EUR', runId: null, rowRef: null, shortBy: null };
  application.ledger = {
    balances: [
      { ...of, ledgerAccount: 'outside', amount: '-100.00' },
      { ...of, ledgerAccount: `run/${RUN}`, amount: '60.00', runId: RUN, shortBy: '1540.00' },
      { ...of, ledgerAccount: `payment/${RUN}-1`, amount: '40.00', runId: RUN, rowRef: 'INV-1' },
    ],
    transfers: [2, 1].map((transferId) => ({
      ...{
        transferId,
        account: 'default',
        currency: 'EUR',
        at: '2026-01-31T11:00:00.000Z',
        debit: 'free',
        credit: `run/${RUN}`,
      },
      ...{ amount: '60.00', reason: 'reserve', cause: `run/${RUN}/${transferId}` },
    })),
  };
  const { code, stdout } = await run(['accounts', 'ledger', '--run', RUN, '--limit', '1'], { role: 'viewer' });
  expect(code).toBe(0);
  expect(stdout).toMatch(/outside +-100\.00 +negative: the balance/);
  expect(stdout).toContain('lacks 1,540.00');
  expect(stdout).toContain('row INV-1');
  expect(stdout).toMatch(/free +run\/\S+ +60\.00 +reserve +run\/\S+\/2/);
  expect(stdout).toContain('and older ones');
});

test('refunds are listed with their row, what they are worth and since when they are expected', async () => {
  const { application, run } = await aCommandLine();
  const refund = {
    ...{ account: 'default', refundId: 'r-1', state: 'expected' as const, currency: 'EUR', amount: '1000.50' },
    ...{
      resource: 'simple_payment',
      resourceId: 'p-1',
      runId: '018f2a00-0000-7000-8000-000000000001',
      rowRef: 'INV-1',
    },
    ...{ paymentState: 'paid', remarks: 'Account closed', firstSeenAt: '2026-01-31T11:00:00.000Z', ageSeconds: 7_200 },
    ...{ creditedAt: null, entryId: null },
  };
  const credited = { state: 'credited' as const, creditedAt: '2026-01-31T12:00:00.000Z', entryId: 'e-1' };
  const foreign = { runId: null, rowRef: null, paymentState: null };
  application.refunds = [refund, { ...refund, refundId: 'r-2', ...credited, ...foreign }];
  const { code, stdout } = await run(['accounts', 'refunds'], { role: 'viewer' });
  expect(code).toBe(0);
  expect(stdout).toMatch(/r-1 +default +EUR 1,000\.50 +expected for 2 h +INV-1 +paid +018f\S+ +Account closed/);
  expect(stdout).toMatch(/r-2 .* credited on 2026-01-31 12:00 UTC +not of a run/);
  const some = await run(['accounts', 'refunds', '--state', 'credited', '--limit', '1', '--json'], { role: 'viewer' });
  expect(JSON.parse(some.stdout)).toMatchObject({ refunds: [{ refundId: 'r-2' }], hasMore: false });
  expect((await run(['accounts', 'refunds', '--state', 'gone'], { role: 'viewer' })).code).toBe(2);
});

test('receipts are listed with their age, and are assigned by a treasurer with a reason', async () => {
  const { application, run } = await aCommandLine();
  const receipt = {
    ...{ account: 'default', currency: 'EUR', entryId: 'e-1', amount: '12.50', datedAt: '2026-01-31T11:00:00.000Z' },
    ...{ ageSeconds: 259_200, type: 'credit', transactionId: null, matchesEarlierDebit: false, explainedBy: null },
    ...{ refundId: null, fundingId: null, depositTransactionId: null, assignment: null },
  };
  const said = { by: 'Tess', at: '2026-01-31T12:00:00.000Z', reason: 'interest' };
  application.receipts = [
    receipt,
    { ...receipt, entryId: 'e-2', explainedBy: 'person', assignment: said },
    { ...receipt, entryId: 'e-3', explainedBy: 'funding', fundingId: 'f-1' },
  ];
  const open = await run(['accounts', 'receipts'], { role: 'viewer' });
  expect(open.stdout).toMatch(/e-1 +default +EUR 12\.50 +3 d +credit +not known/);
  expect(open.stdout).not.toContain('e-2');
  const all = await run(['accounts', 'receipts', '--all', '--currency', 'eur'], { role: 'viewer' });
  expect(all.stdout).toMatch(/e-2 .* Tess: interest[\s\S]*e-3 .* funding f-1/);
  const assign = ['accounts', 'receipts', 'assign', 'e-1', 'eur', '--reason', 'interest of March'];
  expect((await run(assign, { role: 'viewer' })).code).toBe(4);
  expect((await run(assign.slice(0, -2), { role: 'treasurer' })).code).toBe(2);
  expect(await run(assign, { role: 'treasurer' })).toMatchObject({ code: 0, stdout: 'e-1 is assigned.\n' });
  await run([...assign, '--refund', 'r-1', '--account', 'subsidiary'], { role: 'treasurer' });
  const assigned = { account: 'default', currency: 'EUR', entryId: 'e-1', refundId: null, reason: 'interest of March' };
  expect(application.assigned).toEqual([assigned, { ...assigned, account: 'subsidiary', refundId: 'r-1' }]);
});

test('deposits and fundings are listed with whether their money was seen', async () => {
  const { application, run } = await aCommandLine();
  application.deposits = [
    {
      ...{ account: 'default', transactionId: '71', state: 'reported', amount: '5.00', currency: null },
      ...{ status: 'completed', virtualAccountId: 'v-1', reportedAt: '2026-01-31T11:00:00.000Z', ageSeconds: 120 },
      ...{ confirmedAt: null, entryId: null },
    },
  ];
  application.fundings = [
    {
      ...{ account: 'default', fundingId: 'f-1', status: 'awaiting_funds', currency: 'EUR', amount: '9.00' },
      ...{ reference: 'FD1', firstSeenAt: '2026-01-31T11:00:00.000Z', ageSeconds: 1, creditedAt: null, entryId: null },
    },
  ];
  const deposits = await run(['accounts', 'deposits', '--state', 'reported'], { role: 'viewer' });
  expect(deposits.stdout).toMatch(/71 +default +5\.00 +reported as completed 2 min ago, not seen +v-1/);
  expect((await run(['accounts', 'deposits', '--state', 'confirmed'], { role: 'viewer' })).stdout).toContain('no such');
  const fundings = await run(['accounts', 'fundings'], { role: 'viewer' });
  expect(fundings.stdout).toMatch(/f-1 +default +EUR 9\.00 +awaiting funds +not seen +FD1/);
});

test('a virtual account is asked for, shown and resolved by two people', async () => {
  const { application, run } = await aCommandLine();
  const id = '018f2a00-0000-7000-8000-0000000000f1';
  const tess = { userId: 'u-1', name: 'Tess' };
  application.virtualAccounts.push({
    ...{
      virtualAccountId: id,
      account: 'default',
      name: 'Sales',
      sentName: 'Sales PR01',
      provider: 'code',
      currency: 'EUR',
    },
    ...{ description: 'customers', type: 'open', amount: null, state: 'pending', stateReason: null, requestId: 'q-1' },
    ...{ number: null, requestedBy: tess, requestedAt: '2026-01-31T11:00:00.000Z', readAt: null },
    manualOutcomes: [
      {
        ...{
          manualOutcomeId: '018f2a00-0000-7000-8000-0000000000f2',
          outcome: 'approved',
          requestId: null,
          number: '8800',
        },
        ...{ reason: 'the dashboard', state: 'proposed', proposedBy: tess, proposedAt: '2026-01-31T12:00:00.000Z' },
        closedBy: null,
      },
    ],
  });
  const virtual = (role: 'treasurer' | 'checker' | 'viewer', ...args: string[]) =>
    run(['accounts', 'virtual', ...args], { role });
  const request = ['request', 'Sales', '--provider', 'code', '--currency', 'eur', '--description', 'customers'];
  expect((await virtual('viewer', ...request)).code).toBe(4);
  expect((await virtual('treasurer', ...request, '--type', 'fixed')).code).toBe(2);
  expect((await virtual('treasurer', ...request)).stdout).toContain('Sales (EUR) is pending');
  expect(application.virtualCalls[0]).toMatchObject({
    name: 'Sales',
    currency: 'EUR',
    type: 'open',
    account: 'default',
  });
  expect((await virtual('viewer', 'list')).stdout).toMatch(/Sales +EUR +pending/);
  const shown = (await virtual('viewer', 'show', id)).stdout;
  expect(shown).toContain('not before it is approved');
  expect(shown).toContain('approved with number 8800 by Tess: the dashboard');
  expect((await virtual('treasurer', 'resolve', id, '--outcome', 'approved', '--reason', 'x')).code).toBe(2);
  expect((await virtual('treasurer', 'resolve', id, '--outcome', 'cancelled')).code).toBe(2);
  expect((await virtual('checker', 'resolve', id, '--outcome', 'cancelled', '--reason', 'x')).code).toBe(4);
  await virtual('checker', 'resolve', id, '--confirm');
  expect(application.virtualCalls.at(-1)).toEqual({ manualOutcomeId: '018f2a00-0000-7000-8000-0000000000f2' });
});

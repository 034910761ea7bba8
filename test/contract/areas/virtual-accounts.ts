import { expect } from 'vitest';
import type { NewVirtualAccount } from '../../../provider/accounts/virtual-account-fields.ts';
import { asText } from '../../sandbox/a-sandbox.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import type { ContractContext } from '../contract-context.ts';

const aFixedAccount: NewVirtualAccount = {
  name: 'Invoice 4711',
  provider: 'provider-one',
  currency: 'IDR',
  description: 'For one invoice',
  type: 'fixed',
  amount: '150000.00',
  expiryDuration: 24,
};

const anOpenAccount: NewVirtualAccount = {
  name: 'Deposits',
  provider: 'provider-one',
  currency: 'IDR',
  description: 'For all deposits',
  type: 'open',
  approveAsync: true,
};

const written = { ...aFixedAccount, amount: 150_000 };

/** Reads a request through the client if its path is configured as in the sandbox; else expects the refusal. */
async function readThrough(context: ContractContext, requestId: string) {
  const { virtualAccounts } = context.client;
  const path = context.setting('client-va-request-path');
  expect(virtualAccounts.canRead).toBe(path !== 'none');
  if (path === context.setting('va-request-path')) return virtualAccounts.item(requestId);
  const reading = virtualAccounts.item(requestId);
  if (path === 'none') await context.expectUnsent(reading, 'virtualAccountRequestPath');
  else await context.expectRefused(reading, { kind: 'refused', status: 404, code: 'not_found' });
  return null;
}

/** Contract: payments 2.8, 4.6, 6. */
const cases: readonly ContractCase[] = [
  {
    name: 'a request is pending, with its number at once unless it is created asynchronously',
    covers: ['virtual-account-request-create', 'virtual-account-request-retrieve'],
    calls: ['virtualAccounts.request', 'virtualAccounts.item', 'virtualAccounts.canRead'],
    run: async (context) => {
      const { virtualAccounts } = context.client;
      const fixed = await virtualAccounts.request(aFixedAccount);
      expect(fixed).toMatchObject({ ...aFixedAccount, status: 'pending', expiryDuration: '24', approveAsync: false });
      expect(fixed.virtualAccountNo).toMatch(/^\d+$/);
      const open = await virtualAccounts.request(anOpenAccount);
      expect(open).toMatchObject({ ...anOpenAccount, status: 'pending', amount: null, virtualAccountNo: null });
      expect(await context.eventsOf(fixed.requestId)).toEqual([]);
      const read = await readThrough(context, fixed.requestId);
      if (read !== null) expect(read).toEqual(fixed);
      const answer = await context.ask('virtual-account-request-create', { body: { ...written, approveAsync: true } });
      expect([answer['virtualAccountNo'], answer['userId']]).toEqual(['Creating...', expect.any(Number)]);
    },
  },
  {
    name: 'the operator approves, cancels or rejects, with a notification',
    covers: ['virtual-account-request-create', 'virtual-account-request-retrieve'],
    calls: ['virtualAccounts.request', 'virtualAccounts.item'],
    run: async (context) => {
      for (const status of ['approved', 'cancelled', 'rejected']) {
        const { requestId } = await context.client.virtualAccounts.request(anOpenAccount);
        await context.control('force', { requestId, status });
        expect(await context.notifiedStatuses(requestId)).toEqual([status]);
        await context.expectKind(requestId, 'virtual_account_request');
        const answer = await context.ask('virtual-account-request-retrieve', { params: { requestId } });
        const approved = status === 'approved';
        expect([answer['status'], 'virtualAccountId' in answer]).toEqual([status, approved]);
        const read = await readThrough(context, requestId);
        if (read === null) continue;
        expect([read.status, read.approvedAt !== null, read.virtualAccountNo !== null]).toEqual([
          status,
          approved,
          approved,
        ]);
      }
    },
  },
  {
    name: 'a deposit is notified with the number of its account, and credits the balance',
    covers: ['virtual-account-request-create'],
    calls: ['virtualAccounts.request', 'balances.history'],
    run: async (context) => {
      const { requestId } = await context.client.virtualAccounts.request(anOpenAccount);
      const early = await context.caller.post('/__sandbox/deposits', { requestId, amount: '75000.00' });
      expect(early.status).toBe(400);
      await context.control('force', { requestId, status: 'approved' });
      const account = await context.ask('virtual-account-request-retrieve', { params: { requestId } });
      const before = context.ledger().balances['IDR'];
      const deposit = await context.control('deposits', { requestId, amount: '75000.50' });
      const [notified] = await context.eventsOf(asText(deposit['transactionId']));
      expect(notified).toMatchObject({
        kind: 'deposit',
        status: 'completed',
        sourceAmount: '75000.50',
        virtualAccountId: account['virtualAccountId'],
        virtualAccountNumber: account['virtualAccountNo'],
      });
      expect([before, context.ledger().balances['IDR']]).toEqual(['50000000000.00', '50000075000.50']);
      const [entry] = await context.client.balances.history();
      expect([entry?.transactionId, entry?.totalAmount]).toEqual([deposit['transactionId'], '75000.50']);
    },
  },
  {
    name: 'a name with special characters, a too small amount and a duration out of range are refused with the field',
    covers: ['virtual-account-request-create', 'virtual-account-request-retrieve'],
    calls: ['virtualAccounts.request'],
    run: async (context) => {
      const { virtualAccounts } = context.client;
      const wrong = {
        name: 'Invoice #1',
        provider: undefined,
        currency: 'XXX',
        description: undefined,
        type: 'closed',
        amount: 9999,
        expiryDuration: 49,
      };
      const id = 'virtual-account-request-create';
      await context.expectFieldsRefused(id, {}, written, wrong);
      await context.expectFieldsRefused(id, {}, written, { amount: undefined, expiryDuration: 0.5 });
      await context.expectFieldsRefused(id, {}, written, { expiryDuration: undefined });
      await context.expectFieldsRefused(id, {}, { ...written, currency: 'USD' }, { amount: 0.99 });
      await context.expectUnsent(virtualAccounts.request({ ...aFixedAccount, amount: '9999' }), 'amount');
      await context.expectUnsent(virtualAccounts.request({ ...aFixedAccount, expiryDuration: 49 }), 'expiryDuration');
      const { requestId } = await virtualAccounts.request(anOpenAccount);
      await context.expectHidden('virtual-account-request-retrieve', { requestId });
    },
  },
];

export const virtualAccounts: Area = {
  name: 'virtual accounts',
  settings: ['va-request-path', 'client-va-request-path'],
  cases,
};

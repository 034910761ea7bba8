import { expect } from 'vitest';
import { parseWebhook } from '../../../provider/webhooks/webhooks.ts';
import { asText } from '../../sandbox/a-sandbox.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import type { ContractContext } from '../contract-context.ts';

const aFunding = async (context: ContractContext): Promise<string> =>
  asText((await context.control('fundings', { currency: 'USD', amount: '1.00' }))['fundingId']);

/** The delivery of notifications. Contract: account 6, payments 6. */
const cases: readonly ContractCase[] = [
  {
    name: 'a repeated notification has the same content',
    covers: ['funding-get'],
    calls: ['fundings.get'],
    run: async (context) => {
      await context.caller.post('/__sandbox/faults', [{ operation: 'webhook', kind: 'webhook_duplicate' }]);
      const id = await aFunding(context);
      await context.waitForEvents(id, 2);
      const [first, second] = await context.eventsOf(id);
      expect(second).toEqual(first);
      expect((await context.client.fundings.get(id)).status).toBe('completed');
    },
  },
  {
    name: 'a notification may be overtaken by a later one',
    covers: ['funding-get'],
    calls: ['fundings.get'],
    run: async (context) => {
      const fault = { operation: 'webhook', kind: 'webhook_delay', delayMs: 60_000 };
      await context.caller.post('/__sandbox/faults', [fault]);
      const id = await aFunding(context);
      await context.control('force', { fundingId: id, status: 'failed' });
      await context.waitForEvents(id, 1);
      await context.advance(60_000);
      expect(await context.notifiedStatuses(id)).toEqual(['failed', 'completed']);
      expect((await context.client.fundings.get(id)).status).toBe('failed');
    },
  },
  {
    name: 'a status whose notification is lost can only be read',
    covers: ['funding-get'],
    calls: ['fundings.get'],
    run: async (context) => {
      await context.caller.post('/__sandbox/faults', [{ operation: 'webhook', kind: 'webhook_drop' }]);
      const id = await aFunding(context);
      await context.control('force', { fundingId: id, status: 'failed' });
      expect(await context.notifiedStatuses(id)).toEqual(['failed']);
      expect((await context.client.fundings.get(id)).status).toBe('failed');
    },
  },
  {
    name: 'a notification has no id, no time and no signature, and has its deprecated fields',
    covers: ['virtual-account-request-create'],
    calls: ['virtualAccounts.request'],
    run: async (context) => {
      const { requestId } = await context.client.virtualAccounts.request({
        name: 'Deposits',
        provider: 'provider-one',
        currency: 'USD',
        description: 'For all deposits',
        type: 'open',
      });
      await context.control('force', { requestId, status: 'approved' });
      const { transactionId } = await context.control('deposits', { requestId, amount: '5.00' });
      const [approval] = await context.eventsOf(requestId);
      expect(approval?.raw).toEqual({
        action: 'request',
        status: 'approved',
        requestId,
        virtualAccountRequestId: requestId,
      });
      const [deposit] = await context.eventsOf(asText(transactionId));
      const { virtualAccountNumber, virtualAccountNo, ...rest } = deposit?.raw ?? {};
      expect(virtualAccountNo).toBe(virtualAccountNumber);
      const named = ['action', 'status', 'transactionId', 'masterAccountId', 'virtualAccountId', 'sourceAmount'];
      expect(Object.keys(rest).sort()).toEqual(named.sort());
      expect(parseWebhook(JSON.stringify({ ...rest, virtualAccountNo }))).toMatchObject({
        kind: 'deposit',
        virtualAccountNumber: virtualAccountNo,
      });
    },
  },
];

export const notifications: Area = { name: 'notifications', settings: [], cases };

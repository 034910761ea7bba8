import { expect } from 'vitest';
import { asText } from '../../sandbox/a-sandbox.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import { amountThatIs, anEndedPayment } from '../payments.ts';

/** Contract: account 2.8, 4.5. */
const cases: readonly ContractCase[] = [
  {
    name: "a failed payment is refunded, by a refund with the payment's id and no status",
    covers: ['refund-get', 'refund-list'],
    calls: ['refunds.get', 'refunds.list', 'refunds.listReadable', 'balances.byCurrency'],
    run: async (context) => {
      const { refunds, balances } = context.client;
      const before = await balances.byCurrency('USD');
      const payment = await anEndedPayment(context, amountThatIs.failed);
      const [refund, ...others] = await refunds.list();
      expect(others).toEqual([]);
      expect(await refunds.listReadable()).toEqual({ entries: [refund], unreadable: [] });
      expect(refund).toMatchObject({
        resource: 'simple_payment',
        resourceId: payment.simplePaymentId,
        currency: 'USD',
        amount: payment.totalAmount,
      });
      expect(await refunds.get(refund!.id)).toEqual(refund);
      expect((await balances.byCurrency('USD')).amount).toBe(before.amount);
      const [written] = await context.askList('refund-list');
      expect(typeof written!['amount']).toBe(context.setting('refund-amount'));
      expect(await context.ask('refund-get', { params: { refundId: refund!.id } })).toEqual(written);
      const notified = context.setting('refund-events') === 'on' ? ['pending', 'completed'] : [];
      expect(await context.notifiedStatuses(refund!.id)).toEqual(notified);
    },
  },
  {
    name: 'a completed payment can be returned: the refund is notified, and the payment stays completed',
    covers: ['refund-get'],
    calls: ['refunds.get', 'simplePayments.item'],
    run: async (context) => {
      const { simplePaymentId } = await anEndedPayment(context, amountThatIs.completed);
      const notified = await context.notifiedStatuses(simplePaymentId);
      const order = { simplePaymentId, remarks: 'Account closed', status: 'pending' };
      const refundId = asText((await context.control('refunds', order))['refundId']);
      await context.control('force', { refundId, status: 'failed' });
      await context.control('force', { refundId, status: 'completed' });
      const refund = await context.client.refunds.get(refundId);
      expect(refund).toMatchObject({ resourceId: simplePaymentId, remarks: 'Account closed' });
      expect((await context.client.simplePayments.item(simplePaymentId)).status).toBe('completed');
      expect(await context.notifiedStatuses(refundId)).toEqual(['pending', 'failed', 'completed']);
      await context.expectKind(refundId, 'refund');
      expect(await context.notifiedStatuses(simplePaymentId)).toEqual(notified);
    },
  },
  {
    name: "another caller's refund is not found",
    covers: ['refund-get', 'refund-list'],
    calls: ['refunds.get', 'refunds.list'],
    run: async (context) => {
      expect(await context.client.refunds.list()).toEqual([]);
      await anEndedPayment(context, amountThatIs.rejected);
      const [refund] = await context.client.refunds.list();
      await context.expectHidden('refund-get', { refundId: refund!.id });
      const nobodys = context.client.refunds.get('nobodys');
      await context.expectRefused(nobodys, { kind: 'refused', status: 404, code: 'not_found' });
    },
  },
];

export const refunds: Area = { name: 'refunds', settings: ['refund-amount', 'refund-events'], cases };

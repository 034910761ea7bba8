import { expect } from 'vitest';
import { asText } from '../../sandbox/a-sandbox.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import { amountThatIs, anEndedPayment } from '../payments.ts';

/** Contract: account 2.8, 4.5. */
const cases: readonly ContractCase[] = [
  {
    name: 'what a failed payment took comes back, by a refund that names the payment and shows no status',
    covers: ['refund-get', 'refund-list'],
    calls: ['refunds.get', 'refunds.list', 'balances.byCurrency'],
    run: async (context) => {
      const { refunds, balances } = context.client;
      const before = await balances.byCurrency('USD');
      const payment = await anEndedPayment(context, amountThatIs.failed);
      const [refund, ...others] = await refunds.list();
      expect(others).toEqual([]);
      expect(refund).toMatchObject({
        resource: 'simple_payment',
        resourceId: payment.simplePaymentId,
        currency: 'USD',
        amount: payment.totalAmount,
      });
      expect(await refunds.get(refund!.id)).toEqual(refund);
      expect((await balances.byCurrency('USD')).amount).toBe(before.amount);
      const [written] = await context.askList('refund-list');
      expect(typeof written!['amount']).toBe(context.word('refund-amount'));
      expect(await context.ask('refund-get', { params: { refundId: refund!.id } })).toEqual(written);
      const told = context.word('refund-events') === 'on' ? ['pending', 'completed'] : [];
      expect(await context.statusesTold(refund!.id)).toEqual(told);
    },
  },
  {
    name: "a completed payment's money can come back: the refund is told, and the payment stays completed",
    covers: ['refund-get'],
    calls: ['refunds.get', 'simplePayments.item'],
    run: async (context) => {
      const { simplePaymentId } = await anEndedPayment(context, amountThatIs.completed);
      const told = await context.statusesTold(simplePaymentId);
      const order = { simplePaymentId, remarks: 'Account closed', status: 'pending' };
      const refundId = asText((await context.control('refunds', order))['refundId']);
      await context.control('force', { refundId, status: 'failed' });
      await context.control('force', { refundId, status: 'completed' });
      const refund = await context.client.refunds.get(refundId);
      expect(refund).toMatchObject({ resourceId: simplePaymentId, remarks: 'Account closed' });
      expect((await context.client.simplePayments.item(simplePaymentId)).status).toBe('completed');
      expect(await context.statusesTold(refundId)).toEqual(['pending', 'failed', 'completed']);
      await context.expectKind(refundId, 'refund');
      expect(await context.statusesTold(simplePaymentId)).toEqual(told);
    },
  },
  {
    name: "nobody else's refund is there",
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

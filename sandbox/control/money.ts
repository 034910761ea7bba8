import Big from 'big.js';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { currencyNamed } from '../account/quotes.ts';
import { paymentStatuses, type SimplePayment } from '../account/simple-payment.ts';
import { exactNumber } from '../json.ts';
import { invalidField, notFound } from '../refusal.ts';
import type { World } from '../world.ts';
import { addControl } from './control-route.ts';
import { ledgerReport } from './ledger-report.ts';

const decimal = z.union([
  exactNumber,
  z
    .string()
    .regex(/^\d{1,15}(\.\d{1,4})?$/, 'must be a decimal, e.g. "2500.00"')
    .transform((text) => new Big(text)),
]);

const forceBody = z.object({
  simplePaymentId: z.string().optional(),
  referenceId: z.string().optional(),
  status: z.enum(paymentStatuses),
  reason: z.string().optional(),
});

const balanceBody = z.object({
  currency: z.string(),
  amount: decimal.optional().describe('What the balance becomes'),
  credit: decimal.optional().describe('What is added to the balance'),
});

/** The control calls that look at payments and balances, and move them. */
export function addMoneyControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'GET',
    path: 'ledger',
    summary: 'What happened to the money and how many requests it took',
    perform: ({ account }) => ledgerReport(account),
  });
  addControl(app, world, {
    method: 'GET',
    path: 'payments',
    summary: 'Every payment in short, oldest first',
    perform: ({ account }) => account.payments.all().map(paymentLine),
  });
  addControl(app, world, {
    method: 'POST',
    path: 'force',
    summary: 'Puts a payment into a status; what was debited for one that ends badly is credited again',
    body: forceBody,
    perform: ({ account, body }) => {
      const { simplePaymentId, referenceId, status, reason } = body;
      const payment =
        simplePaymentId === undefined
          ? account.payments.withReferenceId(referenceId ?? '').at(-1)
          : account.payments.get(simplePaymentId);
      if (!payment) throw notFound('a payment with this simplePaymentId or referenceId');
      account.payments.force(payment, status, reason ?? null);
      return paymentLine(payment);
    },
  });
  addControl(app, world, {
    method: 'POST',
    path: 'balance',
    summary: 'Sets a balance to an amount, or credits it as a deposit would',
    body: balanceBody,
    perform: ({ account, body }) => {
      const balance = account.ledger.in(currencyNamed('currency', body.currency).code);
      if (!balance || (body.amount === undefined) === (body.credit === undefined)) {
        throw invalidField('amount, credit', 'give one of the two');
      }
      const change = body.credit ?? (body.amount ?? balance.amount).minus(balance.amount);
      const { decimalPlaces } = balance.currency;
      if (!change.eq(change.round(decimalPlaces))) throw invalidField('amount', `${decimalPlaces} decimal places`);
      if (body.credit?.lt(0) || body.amount?.lt(0)) throw invalidField('amount, credit', 'must not be negative');
      account.ledger.write(balance, change, body.credit ? 'deposit' : 'adjustment', null, world.clock.now());
      return { currency: body.currency, amount: balance.amount.toFixed(decimalPlaces) };
    },
  });
}

const paymentLine = (payment: SimplePayment): Record<string, unknown> => {
  const { quote } = payment;
  return {
    id: payment.id,
    referenceId: payment.instruction.referenceId ?? null,
    status: payment.status,
    reason: payment.reason,
    sellCurrency: quote.sell.code,
    sellAmount: quote.sellAmount.toFixed(quote.sell.decimalPlaces),
    buyCurrency: quote.buy.code,
    buyAmount: quote.buyAmount.toFixed(quote.buy.decimalPlaces),
    totalAmount: quote.totalAmount.toFixed(quote.sell.decimalPlaces),
    timesFunded: payment.timesFunded,
    timesRefunded: payment.timesRefunded,
  };
};

import { z } from 'zod';
import { findLimits } from '../account/find-limits.ts';
import { createdAnswer, paymentAnswer } from '../account/simple-payment.ts';
import { readTimeRange } from '../account/time-range.ts';
import { inData, operation, type OperationLink } from '../http/operation.ts';
import { createPayment, paymentBodyOf } from './create-payment.ts';
import { simplePaymentSchema } from './payment-schemas.ts';
import { timeRangeFields } from './date-formats.ts';

const paymentLinks = (simplePaymentId: string): Record<string, OperationLink> => ({
  read: { operationId: 'simple-payment-get', parameters: { simplePaymentId } },
  fund: { operationId: 'simple-payment-fund', requestBody: { simplePaymentId } },
});

/** Contract: payments 4.4. */
export const simplePayments = [
  operation({
    ids: ['simple-payment-create'],
    method: 'POST',
    path: '/simple-payments/v1/create',
    summary: 'Creates a payment from a quote; it then awaits funds',
    bodyOf: paymentBodyOf,
    answer: inData(simplePaymentSchema),
    refusals: [404, 409],
    links: paymentLinks('$response.body#/data/simplePaymentId'),
    perform: ({ world, account, body }) => ({
      data: createdAnswer(createPayment(world, account, body), world.answers),
    }),
  }),
  operation({
    ids: ['simple-payment-get'],
    method: 'GET',
    path: '/simple-payments/v1/item/:simplePaymentId',
    summary: 'One payment',
    params: z.object({ simplePaymentId: z.string() }),
    answer: inData(simplePaymentSchema),
    perform: ({ world, account, params }) => ({
      data: paymentAnswer(account.payments.get(params.simplePaymentId), world.answers),
    }),
  }),
  operation({
    ids: ['simple-payment-find'],
    method: 'POST',
    reads: true,
    path: '/simple-payments/v1/find',
    summary: 'Payments by creation time and reference, newest first',
    body: z.object({ ...timeRangeFields, referenceId: z.string().nullish() }).optional(),
    answer: inData(z.array(simplePaymentSchema)),
    links: paymentLinks('$response.body#/data/0/simplePaymentId'),
    perform: ({ world, account, fault, body }) => {
      const range = readTimeRange(body?.startDate, body?.endDate);
      const limits = findLimits(world.options, fault);
      const payments = account.payments.find(range, body?.referenceId ?? undefined, limits);
      return { data: payments.map((payment) => paymentAnswer(payment, world.answers)) };
    },
  }),
  operation({
    ids: ['simple-payment-fund'],
    method: 'POST',
    path: '/simple-payments/v1/fund',
    summary: "Pays a payment's totalAmount from the balance of its sell currency",
    body: z.object({ simplePaymentId: z.string().min(1) }),
    answer: inData(simplePaymentSchema),
    refusals: [404, 409],
    perform: ({ world, account, body }) => ({
      data: paymentAnswer(account.payments.fund(body.simplePaymentId), world.answers),
    }),
  }),
];

import { z } from 'zod';
import { paymentAnswer } from '../account/simple-payment.ts';
import { readTimeRange } from '../account/time-range.ts';
import { inData, operation } from '../http/operation.ts';
import { createPayment, paymentBody } from './create-payment.ts';
import { simplePaymentSchema } from './payment-schemas.ts';
import { timeRangeFields } from './time-range-fields.ts';

/** Contract: payments 4.4. */
export const simplePayments = [
  operation({
    ids: ['simple-payment-create'],
    method: 'POST',
    path: '/simple-payments/v1/create',
    summary: 'Creates a payment from a quote; it then awaits funds',
    body: paymentBody,
    answer: inData(simplePaymentSchema),
    perform: ({ world, account, body }) => ({ data: paymentAnswer(createPayment(world, account, body)) }),
  }),
  operation({
    ids: ['simple-payment-get'],
    method: 'GET',
    path: '/simple-payments/v1/item/:simplePaymentId',
    summary: 'One payment',
    params: z.object({ simplePaymentId: z.string() }),
    answer: inData(simplePaymentSchema),
    perform: ({ account, params }) => ({ data: paymentAnswer(account.payments.get(params.simplePaymentId)) }),
  }),
  operation({
    ids: ['simple-payment-find'],
    method: 'POST',
    path: '/simple-payments/v1/find',
    summary: 'Payments by the time of their creation and by reference, newest first',
    body: z.object({ ...timeRangeFields, referenceId: z.string().nullish() }).optional(),
    answer: inData(z.array(simplePaymentSchema)),
    perform: ({ account, body }) => {
      const range = readTimeRange(body?.startDate, body?.endDate);
      return { data: account.payments.find(range, body?.referenceId ?? undefined).map(paymentAnswer) };
    },
  }),
  operation({
    ids: ['simple-payment-fund'],
    method: 'POST',
    path: '/simple-payments/v1/fund',
    summary: "Pays a payment's totalAmount from the balance of its sell currency",
    body: z.object({ simplePaymentId: z.string().min(1) }),
    answer: inData(simplePaymentSchema),
    perform: ({ account, body }) => ({ data: paymentAnswer(account.payments.fund(body.simplePaymentId)) }),
  }),
];

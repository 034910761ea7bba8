import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Account } from '../account/account.ts';
import { conversionStatuses } from '../account/conversion.ts';
import { fundingStatuses } from '../account/funding-book.ts';
import { refundStatuses } from '../account/refund-book.ts';
import { paymentStatuses, type SimplePayment } from '../account/simple-payment.ts';
import { userStatuses } from '../account/user.ts';
import { virtualAccountStatuses } from '../account/virtual-accounts.ts';
import { invalidField, notFound } from '../core/refusal.ts';
import type { World } from '../world.ts';
import { addControl } from './control-route.ts';
import { paymentLine } from './payment-line.ts';

const forceBody = z.object({
  simplePaymentId: z.string().optional(),
  referenceId: z.string().optional().describe('The newest payment with this reference'),
  conversionId: z.string().optional(),
  fundingId: z.string().optional(),
  refundId: z.string().optional(),
  userId: z.string().optional(),
  requestId: z.string().optional().describe('A virtual account request'),
  status: z.string(),
  reason: z.string().optional().describe("Why a payment is rejected or fails, or the operator's remarks on a user"),
});

type ForceBody = z.output<typeof forceBody>;

/** How to force each kind of resource, by the field that identifies it. */
const forceByField: Readonly<Record<string, (account: Account, id: string, body: ForceBody) => unknown>> = {
  simplePaymentId: (account, id, body) => forcePayment(account, account.payments.get(id), body),
  referenceId: (account, id, body) => {
    const payment = account.payments.withReferenceId(id).at(-1);
    if (!payment) throw notFound('a payment with this simplePaymentId or referenceId');
    return forcePayment(account, payment, body);
  },
  conversionId: ({ conversions }, id, { status }) => {
    const conversion = conversions.get(id);
    conversions.force(conversion, oneOf(conversionStatuses, status));
    return { conversionId: id, status: conversion.status };
  },
  fundingId: ({ fundings }, id, { status }) => {
    const funding = fundings.get(id);
    fundings.force(funding, oneOf(fundingStatuses, status));
    return { fundingId: id, status: funding.status };
  },
  refundId: ({ refunds }, id, { status }) => {
    const refund = refunds.get(id);
    refunds.force(refund, oneOf(refundStatuses, status));
    return { refundId: id, status: refund.status };
  },
  userId: ({ users }, id, { status, reason }) => {
    const user = users.get(id);
    users.force(user, oneOf(userStatuses, status), reason ?? null);
    return { userId: id, status: user.status, remarks: user.remarks };
  },
  requestId: ({ virtualAccounts }, id, { status }) => {
    const request = virtualAccounts.get(id);
    virtualAccounts.force(request, oneOf(virtualAccountStatuses, status));
    return { requestId: id, status: request.status, virtualAccountNo: request.number };
  },
};

function forcePayment(account: Account, payment: SimplePayment, { status, reason }: ForceBody): unknown {
  account.payments.force(payment, oneOf(paymentStatuses, status), reason ?? null);
  return paymentLine(payment);
}

function oneOf<Status extends string>(statuses: readonly Status[], given: string): Status {
  const status = statuses.find((candidate) => candidate === given);
  if (!status) throw invalidField('status', `must be one of ${statuses.join(', ')}`);
  return status;
}

/** The control call that sets the status of any resource, as the provider's operator or a bank would. */
export function addForceControl(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'POST',
    path: 'force',
    summary: 'Sets the status of a payment, conversion, funding, refund, user or virtual account request',
    body: forceBody,
    perform: ({ account, body }) => {
      const named = Object.entries(body).filter(([field]) => field in forceByField);
      const [field, id] = named[0] ?? [];
      const force = forceByField[field ?? ''];
      if (named.length !== 1 || !force || id === undefined) {
        throw invalidField(Object.keys(forceByField).join(', '), 'exactly one of these is needed');
      }
      return force(account, id, body);
    },
  });
}

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
import type { World } from '../core/world.ts';
import { addControl } from './control-route.ts';
import { paymentLine } from './payment-line.ts';

const forceBody = z.object({
  simplePaymentId: z.string().optional(),
  referenceId: z.string().optional().describe('Of a payment: the newest with this reference'),
  conversionId: z.string().optional(),
  fundingId: z.string().optional(),
  refundId: z.string().optional(),
  userId: z.string().optional(),
  requestId: z.string().optional().describe('Of a virtual account request'),
  status: z.string(),
  reason: z.string().optional().describe("Why a payment ends badly, or the operator's remarks on a user"),
});

type Force = z.output<typeof forceBody>;

/** The resources that can be forced, by the field that names them. */
const forcers: Readonly<Record<string, (account: Account, id: string, force: Force) => unknown>> = {
  simplePaymentId: (account, id, force) => forcePayment(account, account.payments.get(id), force),
  referenceId: (account, id, force) => {
    const payment = account.payments.withReferenceId(id).at(-1);
    if (!payment) throw notFound('a payment with this simplePaymentId or referenceId');
    return forcePayment(account, payment, force);
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

function forcePayment(account: Account, payment: SimplePayment, { status, reason }: Force): unknown {
  account.payments.force(payment, oneOf(paymentStatuses, status), reason ?? null);
  return paymentLine(payment);
}

function oneOf<Status extends string>(statuses: readonly Status[], given: string): Status {
  const status = statuses.find((candidate) => candidate === given);
  if (!status) throw invalidField('status', `must be one of ${statuses.join(', ')}`);
  return status;
}

/** The control call that puts any resource into any status, as the provider's operator or its banks would. */
export function addForceControl(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'POST',
    path: 'force',
    summary: 'Puts a payment, conversion, funding, refund, user or virtual account request into a status',
    body: forceBody,
    perform: ({ account, body }) => {
      const named = Object.entries(body).filter(([field]) => field in forcers);
      const [field, id] = named[0] ?? [];
      const forcer = forcers[field ?? ''];
      if (named.length !== 1 || !forcer || id === undefined) {
        throw invalidField(Object.keys(forcers).join(', '), 'give one of these');
      }
      return forcer(account, id, body);
    },
  });
}

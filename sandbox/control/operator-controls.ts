import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { fundingStatuses } from '../account/funding-book.ts';
import { refundStatuses } from '../account/refund-book.ts';
import { userStatuses } from '../account/user.ts';
import { invalidField } from '../core/refusal.ts';
import type { World } from '../world.ts';
import { balanceIn, checkIncomingAmount, decimal } from './control-fields.ts';
import { addControl } from './control-route.ts';

const fundingBody = z.object({
  currency: z.string(),
  amount: decimal,
  reference: z.string().min(1).optional(),
  status: z.enum(fundingStatuses).optional().describe('Default: completed'),
});

const depositBody = z.object({
  requestId: z.string().describe('The request of the virtual account that receives the deposit'),
  amount: decimal,
  status: z.string().min(1).optional().describe('Default: completed, which credits the balance'),
  reportedAsFunding: z.boolean().optional().describe('Whether a funding reports the same money as well'),
});

const refundBody = z.object({
  simplePaymentId: z.string(),
  remarks: z.string().optional(),
  amount: decimal.optional().describe('A part of the debit. Default: all of it'),
  status: z.enum(refundStatuses).optional().describe('Default: completed'),
});

const screeningBody = z.object({
  userId: z.string(),
  outcome: z.enum(userStatuses),
  remarks: z.string().optional().describe("The operator's remarks, for rejected and documents_need_resubmission"),
});

/** The control calls for events outside the API: incoming money, refunds, and the outcome of screenings. */
export function addOperatorControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'POST',
    path: 'fundings',
    summary: 'Adds a funding; a completed funding credits the balance',
    body: fundingBody,
    perform: ({ account, body: { currency, amount, reference, status } }) => {
      const balance = balanceIn(account, currency);
      checkIncomingAmount(amount, balance);
      const funding = account.fundings.add({ balance, amount, reference }, status ?? 'completed');
      return { fundingId: funding.id, reference: funding.reference, status: funding.status };
    },
  });
  addControl(app, world, {
    method: 'POST',
    path: 'deposits',
    summary: 'Adds a deposit on an approved virtual account',
    body: depositBody,
    perform: ({ account, body: { requestId, amount, status, reportedAsFunding } }) => {
      const request = account.virtualAccounts.get(requestId);
      const balance = balanceIn(account, request.currency.code);
      checkIncomingAmount(amount, balance);
      // Otherwise a completed funding would report money that was never credited.
      if (reportedAsFunding && status !== undefined && status !== 'completed') {
        throw invalidField('reportedAsFunding', 'needs a completed deposit');
      }
      const deposit = account.virtualAccounts.deposit(request, amount, status ?? 'completed');
      const funding = reportedAsFunding
        ? account.fundings.add({ balance, amount, reportsDeposit: true }, 'completed')
        : undefined;
      return { transactionId: String(deposit.number), status: deposit.status, fundingId: funding?.id ?? null };
    },
  });
  addControl(app, world, {
    method: 'GET',
    path: 'virtual-accounts',
    summary: 'The requests for virtual accounts, oldest first',
    perform: ({ account }) =>
      account.virtualAccounts.all().map(({ id, name, status }) => ({ requestId: id, name, status })),
  });
  addControl(app, world, {
    method: 'POST',
    path: 'refunds',
    summary: 'Refunds a payment, also after it completed; the payment keeps its status',
    body: refundBody,
    perform: ({ account, body: { simplePaymentId, remarks, amount, status } }) => {
      const payment = account.payments.get(simplePaymentId);
      if (amount?.lte(0)) throw invalidField('amount', 'must be above zero');
      const refund = account.refunds.issueManually(
        payment,
        remarks ?? 'Returned by the beneficiary bank',
        status ?? 'completed',
        amount,
      );
      return { refundId: refund.id, status: refund.status };
    },
  });
  addControl(app, world, {
    method: 'POST',
    path: 'screenings',
    summary: 'Decides the screening of a user',
    body: screeningBody,
    perform: ({ account, body: { userId, outcome, remarks } }) => {
      const user = account.users.get(userId);
      account.users.force(user, outcome, remarks ?? null);
      return { userId, status: user.status };
    },
  });
}

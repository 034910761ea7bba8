import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { fundingStatuses } from '../account/funding-book.ts';
import { refundStatuses } from '../account/refund-book.ts';
import { userStatuses } from '../account/user.ts';
import { invalidField } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import { balanceIn, checkIncoming, decimal } from '../config/control-amounts.ts';
import { addControl } from './control-route.ts';

const fundingBody = z.object({
  currency: z.string(),
  amount: decimal,
  reference: z.string().min(1).optional(),
  status: z.enum(fundingStatuses).optional().describe('completed when it is left out'),
});

const depositBody = z.object({
  requestId: z.string().describe('The virtual account request whose account is paid to'),
  amount: decimal,
  status: z.string().min(1).optional().describe('completed, which credits the balance, when it is left out'),
  reportedAsFunding: z.boolean().optional().describe('A funding reports the same money a second time'),
});

const refundBody = z.object({
  simplePaymentId: z.string(),
  remarks: z.string().optional(),
  status: z.enum(refundStatuses).optional().describe('completed when it is left out'),
});

const screeningBody = z.object({
  userId: z.string(),
  outcome: z.enum(userStatuses),
  remarks: z.string().optional().describe("The operator's, for rejected and documents_need_resubmission"),
});

/** The control calls for what begins outside the API: money that comes in or back, and the outcome of screenings. */
export function addIncomingControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'POST',
    path: 'fundings',
    summary: 'Lets money come in to a balance; a completed funding credits it',
    body: fundingBody,
    perform: ({ account, body: { currency, amount, reference, status } }) => {
      const balance = balanceIn(account, currency);
      checkIncoming(amount, balance);
      const funding = account.fundings.add({ balance, amount, reference }, status ?? 'completed');
      return { fundingId: funding.id, reference: funding.reference, status: funding.status };
    },
  });
  addControl(app, world, {
    method: 'POST',
    path: 'deposits',
    summary: 'Lets money come in on an approved virtual account',
    body: depositBody,
    perform: ({ account, body: { requestId, amount, status, reportedAsFunding } }) => {
      const request = account.virtualAccounts.get(requestId);
      const balance = balanceIn(account, request.currency.code);
      checkIncoming(amount, balance);
      // A completed funding whose money never came would be a credit that the ledger does not have.
      if (reportedAsFunding && status !== undefined && status !== 'completed') {
        throw invalidField('reportedAsFunding', 'goes with a completed deposit only');
      }
      const deposit = account.virtualAccounts.deposit(request, amount, status ?? 'completed');
      const funding = reportedAsFunding
        ? account.fundings.add({ balance, amount, reportsDeposit: true }, 'completed')
        : undefined;
      return { transactionId: String(deposit.number), status: deposit.status, fundingId: funding?.id ?? null };
    },
  });
  addControl(app, world, {
    method: 'POST',
    path: 'refunds',
    summary: "Gives a payment's money back, also after it completed; the payment keeps its status",
    body: refundBody,
    perform: ({ account, body: { simplePaymentId, remarks, status } }) => {
      const payment = account.payments.get(simplePaymentId);
      const refund = account.refunds.issueByHand(
        payment,
        remarks ?? 'Returned by the beneficiary bank',
        status ?? 'completed',
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

import { type Json, amountJson } from '../core/json.ts';
import type { Conversion } from '../account/conversion.ts';
import type { Funding } from '../account/funding-book.ts';
import type { Refund } from '../account/refund-book.ts';
import { type SimplePayment, shownStatusOf } from '../account/simple-payment.ts';
import type { User } from '../account/user.ts';
import type { Deposit, VirtualAccountRequest } from '../account/virtual-accounts.ts';

/** The notification of a payment's status. Contract: payments 6. */
export const paymentEvent = (payment: SimplePayment): Json => ({
  resource: 'simple_payment',
  resourceId: payment.id,
  status: shownStatusOf(payment),
  reason: payment.reason,
});

/** Contract: payments 6. */
export const conversionEvent = ({ id, status }: Conversion): Json => ({
  resource: 'conversion',
  resourceId: id,
  status,
});

/** `resource` is the refunded resource, not the refund. Contract: account 6. */
export const refundEvent = ({ id, status }: Refund): Json => ({ refundId: id, resource: 'simple_payment', status });

/** Contract: account 6. */
export const fundingEvent = ({ id, status }: Funding): Json => ({ fundingId: id, resource: 'funding', status });

/** Contract: account 6. */
export const userEvent = ({ id, status }: User): Json => ({ resource: 'user', resourceId: id, status });

/** Contract: payments 6. */
export const virtualAccountRequestEvent = ({ id, status }: VirtualAccountRequest): Json => ({
  action: 'request',
  status,
  requestId: id,
  virtualAccountRequestId: id,
});

/** The transaction's number is a string here and a number in the balance history. Contract: payments 6. */
export const depositEvent = (deposit: Deposit, masterAccountId: string): Json => ({
  action: 'deposit',
  status: deposit.status,
  transactionId: String(deposit.number),
  masterAccountId,
  virtualAccountId: deposit.account.id,
  virtualAccountNumber: deposit.account.number,
  virtualAccountNo: deposit.account.number,
  sourceAmount: amountJson(deposit.amount, deposit.balance.currency.decimalPlaces),
});

import { meaningOfUserStatus } from '../../domain/onboarding/user-status.ts';
import { KNOWN_EXTRA_STATUSES } from '../../domain/payments/provider-status.ts';
import { compareAmounts, withoutFloatNoise } from '../../domain/money.ts';
import type { ReportedDeposit } from '../../store/accounts/deposits.ts';
import type { WebhookEvent } from '../../provider/webhooks/webhooks.ts';
import { MalformedWebhook, parseWebhook } from '../../provider/webhooks/webhooks.ts';

/** What a webhook is about, as stored in the inbox: where to look, never a fact. */
export interface WebhookSubject {
  kind: string;
  /** Null: nothing that can be looked up. */
  resourceId: string | null;
  /** It says that a payment has ended, or that a user was decided on; false for other subjects. */
  saysEnded: boolean;
  /** What it says of a deposit; there is no call to read one. Absent: it is about something else, or says no amount. */
  deposit?: ReportedDeposit;
}

/** Null unless the body is a JSON object, as all of the provider's are. Contract: payments 6. */
export function webhookSubject(rawBody: string): WebhookSubject | null {
  try {
    const event = parseWebhook(rawBody);
    const id = resourceOf(event);
    const deposit = depositOf(event);
    return {
      kind: event.kind,
      resourceId: validOrNull(id),
      saysEnded: saysEnded(event),
      ...(deposit === null ? {} : { deposit }),
    };
  } catch (error) {
    if (error instanceof MalformedWebhook) return null;
    throw error;
  }
}

function depositOf(event: WebhookEvent): ReportedDeposit | null {
  if (event.kind !== 'deposit' || event.sourceAmount === null || !VALID_ID.test(event.transactionId)) return null;
  if (event.sourceAmount.length > MAX_AMOUNT_LENGTH || compareAmounts(event.sourceAmount, '0') <= 0) return null;
  const { transactionId, virtualAccountId, virtualAccountNumber } = event;
  return {
    transactionId,
    amount: withoutFloatNoise(event.sourceAmount),
    status: VALID_STATUS.test(event.status) ? event.status : 'unknown',
    virtualAccountId: validOrNull(virtualAccountId),
    accountNumber: validOrNull(virtualAccountNumber),
  };
}

const VALID_STATUS = /^\w{1,40}$/;
const MAX_AMOUNT_LENGTH = 40;

function validOrNull(id: string | null): string | null {
  return id !== null && VALID_ID.test(id) ? id : null;
}

function saysEnded(event: WebhookEvent): boolean {
  if (event.kind === 'simple_payment') return !NOT_ENDED.includes(event.status);
  return event.kind === 'user' && !BEFORE_DECISION.includes(meaningOfUserStatus(event.status));
}

/** payrun itself brings a user so far, and reads it then. An unknown status may be a decision. Contract: account 3. */
const BEFORE_DECISION: readonly unknown[] = ['not_screened', 'screening'];

/** Any other status may be final, an unknown one too. Contract: payments 3. */
const NOT_ENDED: readonly string[] = [
  'awaiting_funds',
  'processing',
  ...Object.keys(KNOWN_EXTRA_STATUSES).filter((status) => KNOWN_EXTRA_STATUSES[status] === 'processing'),
];

/** Bodies are not authenticated, and the id goes into a query. */
const VALID_ID = /^[!-~]{1,200}$/;

function resourceOf(event: WebhookEvent): string | null {
  switch (event.kind) {
    case 'user':
      return event.userId;
    case 'funding':
      return event.fundingId;
    case 'refund':
      return event.refundId;
    case 'conversion':
      return event.conversionId;
    case 'simple_payment':
      return event.simplePaymentId;
    case 'virtual_account_request':
      return event.requestId;
    case 'deposit':
      return event.transactionId;
    case 'unknown':
      return null;
  }
}

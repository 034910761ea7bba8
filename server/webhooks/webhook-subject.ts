import { KNOWN_OTHER_STATUSES } from '../../domain/payments/provider-status.ts';
import type { WebhookEvent } from '../../provider/webhooks/webhooks.ts';
import { MalformedWebhook, parseWebhook } from '../../provider/webhooks/webhooks.ts';

/** What a webhook is about, as the inbox files it: a hint where to look, and nothing that is believed. */
export interface WebhookSubject {
  kind: string;
  /** Null: it names nothing that could be looked up. */
  resourceId: string | null;
  /** It claims that a payment has ended. That one is on its way is no news, and of a refund it says nothing. */
  saysEnded: boolean;
}

/** Null for what is no JSON object: nothing of the provider's is. Contract: payments 6. */
export function webhookSubject(rawBody: string): WebhookSubject | null {
  try {
    const event = parseWebhook(rawBody);
    const id = resourceOf(event);
    return {
      kind: event.kind,
      resourceId: id !== null && POSSIBLE_ID.test(id) ? id : null,
      saysEnded: event.kind === 'simple_payment' && !ON_ITS_WAY.includes(event.status),
    };
  } catch (error) {
    if (error instanceof MalformedWebhook) return null;
    throw error;
  }
}

/** Any other status may be an end, also one that nobody has said the meaning of. Contract: payments 3. */
const ON_ITS_WAY: readonly string[] = [
  'awaiting_funds',
  'processing',
  ...Object.keys(KNOWN_OTHER_STATUSES).filter((status) => KNOWN_OTHER_STATUSES[status] === 'processing'),
];

/** Anyone can send anything here, and the id goes into a query. */
const POSSIBLE_ID = /^[!-~]{1,200}$/;

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

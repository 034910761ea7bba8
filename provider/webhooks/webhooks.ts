import { z } from 'zod';
import { readJson } from '../calls/exact-json.ts';
import type {
  ConversionStatus,
  DepositStatus,
  FundingStatus,
  RefundStatus,
  SimplePaymentStatus,
  UserStatus,
  VirtualAccountRequestStatus,
} from '../statuses.ts';
import { optionalAmount, optionalText } from '../calls/answer-fields.ts';

/**
 * A webhook event. Webhooks are unsigned and may come late, twice or never: use one only to decide what to read from
 * the API. Amounts are decimal strings. Contract: account 6, payments 6.
 */
export type WebhookEvent = WebhookContent & {
  /** All fields of the event, numbers as decimal strings. */
  raw: Readonly<Record<string, unknown>>;
};

type WebhookContent =
  | { kind: 'user'; userId: string; status: UserStatus }
  | { kind: 'funding'; fundingId: string; status: FundingStatus }
  | { kind: 'refund'; refundId: string; refundedResource: string | null; status: RefundStatus }
  | { kind: 'conversion'; conversionId: string; status: ConversionStatus }
  | { kind: 'simple_payment'; simplePaymentId: string; status: SimplePaymentStatus; reason: string | null }
  | { kind: 'virtual_account_request'; requestId: string; status: VirtualAccountRequestStatus }
  | ({ kind: 'deposit'; transactionId: string; status: DepositStatus } & DepositDetail)
  | { kind: 'unknown' };

/** The event has no currency: it is that of the virtual account. */
interface DepositDetail {
  masterAccountId: string | null;
  virtualAccountId: string | null;
  virtualAccountNumber: string | null;
  sourceAmount: string | null;
}

/** A body that is not a JSON object. The message quotes nothing of it. */
export class MalformedWebhook extends Error {
  override readonly name = 'MalformedWebhook';
}

const text = optionalText.catch(null);

const webhookFields = z.looseObject({
  action: text,
  resource: text,
  resourceId: text,
  status: text,
  reason: text,
  refundId: text,
  fundingId: text,
  requestId: text,
  virtualAccountRequestId: text,
  transactionId: text,
  masterAccountId: text,
  virtualAccountId: text,
  virtualAccountNumber: text,
  virtualAccountNo: text,
  sourceAmount: optionalAmount.catch(null),
});
type WebhookFields = z.output<typeof webhookFields>;

/**
 * Reads a webhook body. An unrecognized JSON object is an `unknown` event. @throws MalformedWebhook for any other body
 */
export function parseWebhook(rawBody: string): WebhookEvent {
  const raw = parseObject(rawBody);
  return { ...classify(webhookFields.parse(raw)), raw };
}

function parseObject(rawBody: string): Record<string, unknown> {
  let json: unknown;
  try {
    json = readJson(rawBody);
  } catch {
    throw new MalformedWebhook('the body of the webhook is not JSON');
  }
  const object = z.record(z.string(), z.unknown()).safeParse(json);
  if (!object.success) throw new MalformedWebhook('the body of the webhook is not a JSON object');
  return object.data;
}

/**
 * The order matters: a refund has the refunded payment's kind in `resource`, so checking `resource` first would take
 * the refund of a payment for its completion.
 */
function classify(fields: WebhookFields): WebhookContent {
  const { action, refundId, fundingId, status } = fields;
  if (status === null) return { kind: 'unknown' };
  if (action !== null) return classifyAction(fields, action, status);
  if (refundId !== null) return { kind: 'refund', refundId, refundedResource: fields.resource, status };
  if (fundingId !== null) return { kind: 'funding', fundingId, status };
  return classifyResource(fields, status);
}

function classifyAction(fields: WebhookFields, action: string, status: string): WebhookContent {
  const requestId = fields.requestId ?? fields.virtualAccountRequestId;
  if (action === 'request' && requestId !== null) return { kind: 'virtual_account_request', requestId, status };
  if (action !== 'deposit' || fields.transactionId === null) return { kind: 'unknown' };
  return {
    kind: 'deposit',
    transactionId: fields.transactionId,
    status,
    masterAccountId: fields.masterAccountId,
    virtualAccountId: fields.virtualAccountId,
    virtualAccountNumber: fields.virtualAccountNumber ?? fields.virtualAccountNo,
    sourceAmount: fields.sourceAmount,
  };
}

function classifyResource({ resource, resourceId, reason }: WebhookFields, status: string): WebhookContent {
  if (resourceId === null) return { kind: 'unknown' };
  if (resource === 'conversion') return { kind: 'conversion', conversionId: resourceId, status };
  if (resource === 'simple_payment') return { kind: 'simple_payment', simplePaymentId: resourceId, status, reason };
  if (resource === 'user' || resource === null) return { kind: 'user', userId: resourceId, status };
  return { kind: 'unknown' };
}

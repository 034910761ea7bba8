import { z } from 'zod';
import { countInQuery, instant } from '../fields.ts';

/** Webhooks of the provider, as they were received. They are unsigned: what one says is read from the provider again. */

const WEBHOOK_KINDS = [
  'simple_payment',
  'conversion',
  'user',
  'funding',
  'refund',
  'deposit',
  'virtual_account_request',
  'unknown',
] as const;

export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

const WEBHOOK_RESULTS = ['processed', 'waiting', 'ignored', 'unparsed'] as const;

export const receivedWebhookSchema = z
  .object({
    webhookId: z.string(),
    account: z.string(),
    kind: z.string().describe('What it is about; `unknown`: it is in no form that the contract has.'),
    resourceId: z.string().nullable().describe("The provider's id of that; null: it names none."),
    status: z.string().nullable().describe('What it says; never believed.'),
    times: z.int().describe('How often the same body came.'),
    firstReceivedAt: instant,
    lastReceivedAt: instant,
    result: z
      .enum(WEBHOOK_RESULTS)
      .describe(
        '`processed`: its subject was read after it came, or had ended before; `waiting`: it is not read yet; `ignored`: payrun ' +
          'has no record with this id; `unparsed`: nothing in it can be looked up.',
      ),
    subject: z
      .object({
        kind: z.enum(['row', 'order', 'case', 'funding', 'refund', 'deposit', 'virtual_account']),
        id: z.string().describe('Id of the subject; of a row, the id of its payment.'),
        name: z
          .string()
          .nullable()
          .describe('Name for people: `row_ref`, the reference of a case, the name of an account.'),
        state: z.string().nullable().describe('State of the subject now.'),
        runId: z.string().nullable(),
        line: z.int().nullable(),
        readAt: instant.nullable().describe('When it was last read from the provider.'),
      })
      .nullable()
      .describe('What it led to: what of payrun is concerned.'),
  })
  .meta({ id: 'ReceivedWebhook' });
export type ReceivedWebhook = z.infer<typeof receivedWebhookSchema>;

export const webhookPageSchema = z.object({
  webhooks: z.array(receivedWebhookSchema),
  nextBefore: z.string().nullable().describe('`before` of the next page; null: this is the last.'),
});

export const webhookDetailSchema = receivedWebhookSchema
  .extend({
    body: z
      .string()
      .nullable()
      .describe(
        'Body as it was received. Null: it may hold bank details or personal data that your roles do not let you read.',
      ),
    fields: z
      .record(z.string(), z.string().nullable())
      .nullable()
      .describe('What payrun takes from it, amounts as decimal strings; null as `body` is.'),
  })
  .meta({ id: 'ReceivedWebhookDetail' });
export type WebhookDetail = z.infer<typeof webhookDetailSchema>;

const webhookId = z.string().regex(/^[1-9]\d{0,17}$/, 'is not the id of a webhook');

export const webhookParams = z.object({ webhookId });

export const webhookListQuery = z.object({
  account: z.string().max(100).optional(),
  kind: z.enum(WEBHOOK_KINDS).optional(),
  resourceId: z.string().max(200).optional().describe("The provider's id."),
  result: z.enum(WEBHOOK_RESULTS).optional().describe('Only those with this result.'),
  before: webhookId.optional().describe('`nextBefore` of the previous page.'),
  limit: countInQuery(1, 500, 100),
});
export type WebhookListQuery = z.infer<typeof webhookListQuery>;

import { z } from 'zod';
import { SELECTABLE_TYPES } from '../../domain/notifications/notification-types.ts';
import { changeStateSchema } from '../approvals/change.ts';
import { instant } from '../fields.ts';

const notificationType = z.enum(SELECTABLE_TYPES);

/** RFC 5321, 4.5.3.1. */
const mailAddress = z
  .email('give mail addresses')
  .max(254)
  .refine((address) => address.indexOf('@') <= 64, 'has more than 64 characters before the @');

export const notificationTypeSchema = z
  .object({ type: z.string(), when: z.string().describe('A sentence after "when".') })
  .meta({ id: 'NotificationType' });
export type NotificationTypeSummary = z.infer<typeof notificationTypeSchema>;

export const notificationTypeListSchema = z.object({ types: z.array(notificationTypeSchema) });

const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'give small letters, digits and . _ -, at most 64')
  .describe('What it is called in lists.');

const types = z
  .array(notificationType)
  .min(1, 'name at least one type; null means all')
  .nullable()
  .default(null)
  .describe('Only these types; null: all, also those of later versions.');

const MAX_ADDRESSES = 20;

export const endpointRequestSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('webhook'),
      name,
      url: z.url({ protocol: /^https?$/, error: 'give an address that begins with https://' }).max(2_000),
      types,
    }),
    z.strictObject({
      kind: z.literal('mail'),
      name,
      addresses: z.array(mailAddress).min(1).max(MAX_ADDRESSES),
      types,
    }),
  ])
  .meta({ id: 'EndpointRequest' });
export type EndpointRequest = z.input<typeof endpointRequestSchema>;

export const endpointSummarySchema = z
  .object({
    endpointId: z.string(),
    name: z.string(),
    kind: z.enum(['webhook', 'mail']),
    url: z.string().nullable(),
    addresses: z.array(z.string()).nullable(),
    types: z.array(z.string()).nullable().describe('Null: all.'),
    state: z
      .enum(['pending', 'rejected', 'enabled', 'disabled'])
      .describe('`pending`: a second administrator confirms it; `rejected`: nothing is ever sent to it.'),
    stateReason: z
      .string()
      .nullable()
      .describe('Why it is disabled: `by_administrator`, `failing` for five days, or `gone` (410).'),
    stateChangedAt: instant,
    changeId: z.string().nullable().describe('The change that added it.'),
    failingSince: instant.nullable().describe('Nothing was delivered since then.'),
    undelivered: z.int().describe('Deliveries that are not delivered and not given up.'),
    addedAt: instant,
  })
  .meta({ id: 'Endpoint', description: 'Where notifications go.' });
export type EndpointSummary = z.infer<typeof endpointSummarySchema>;

export const endpointListSchema = z.object({ endpoints: z.array(endpointSummarySchema) });

export const addedEndpointSchema = z
  .object({
    endpointId: z.string(),
    secret: z
      .string()
      .nullable()
      .describe('Secret with which the receiver verifies signatures. Shown only this once; null: a mail.'),
    change: changeStateSchema.describe(
      'State of the change that adds the endpoint: nothing is sent until it is in effect.',
    ),
  })
  .meta({ id: 'AddedEndpoint' });
export type AddedEndpoint = z.infer<typeof addedEndpointSchema>;

export const rotatedSecretSchema = z
  .object({
    secret: z.string().describe('Shown only this once.'),
    formerValidUntil: instant.describe('Time until which webhooks are signed with the former secret as well.'),
  })
  .meta({ id: 'RotatedSecret' });
export type RotatedSecret = z.infer<typeof rotatedSecretSchema>;

export const testedEndpointSchema = z
  .object({ notificationId: z.string().describe('The id that the test is sent with.') })
  .meta({ id: 'TestedEndpoint' });
export type TestedEndpoint = z.infer<typeof testedEndpointSchema>;

export const endpointParams = z.object({ endpointId: z.guid('is not the id of an endpoint').toLowerCase() });

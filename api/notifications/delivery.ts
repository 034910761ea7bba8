import { z } from 'zod';
import { DELIVERY_STATES } from '../../domain/notifications/delivery-state.ts';
import { countInQuery, instant } from '../fields.ts';

const deliveryState = z.enum(DELIVERY_STATES);
export type DeliveryState = z.infer<typeof deliveryState>;

export const deliverySummarySchema = z
  .object({
    deliveryId: z.string(),
    notificationId: z.string().describe('The `webhook-id`, or the Message-ID of a mail before the @.'),
    endpointId: z.string(),
    endpointName: z.string(),
    type: z.string(),
    subjectId: z.string().describe('Id of the run, case, change or endpoint that the notification is about.'),
    state: deliveryState.describe(
      '`failing`: it is tried again; `failed`: given up after five days; `disabled`: it waits until its endpoint is enabled.',
    ),
    attempts: z.int(),
    httpStatus: z.int().nullable().describe('HTTP status of the last attempt; null: there was no answer.'),
    error: z.string().nullable().describe('A code: why the last attempt failed.'),
    createdAt: instant,
    attemptedAt: instant.nullable(),
    nextAttemptAt: instant.nullable(),
  })
  .meta({ id: 'Delivery', description: 'A notification on its way to one endpoint.' });
export type DeliverySummary = z.infer<typeof deliverySummarySchema>;

export const deliveryListSchema = z.object({ deliveries: z.array(deliverySummarySchema) });

export const deliveryListQuery = z.object({
  endpointId: z.guid('is not the id of an endpoint').toLowerCase().optional(),
  state: deliveryState.optional(),
  limit: countInQuery(1, 500, 50),
});

export const deliveryParams = z.object({ deliveryId: z.guid('is not the id of a delivery').toLowerCase() });

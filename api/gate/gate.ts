import { z } from 'zod';
import { instant } from '../fields.ts';

/** How requests to the provider are let through, and who sends them. */

const gateSchema = z
  .object({
    account: z.string(),
    limitPerSecond: z.int().describe('0: none.'),
    limitPerDay: z.int(),
    reservedPerDay: z.int().describe('How many of these are kept for payments that are begun.'),
    requestsToday: z.int().describe('Requests sent since 00:00 UTC.'),
    dayEndsInSeconds: z.number(),
    slots: z.array(
      z.object({
        slot: z.int(),
        holder: z.string().nullable().describe('The id that its process has at the gate; null: the slot is free.'),
      }),
    ),
    pause: z
      .object({ secondsLeft: z.number().describe('0: it is over.'), forSeconds: z.number(), until: instant })
      .nullable()
      .describe('The last that the provider asked for, by a 429 or `Retry-After`; null: there was none.'),
    waiting: z
      .array(z.object({ priority: z.int(), count: z.int(), oldestSeconds: z.number() }))
      .nullable()
      .describe(
        'Requests that wait for their turn, by priority, as Temporal counts them: about. Null: it does not answer.',
      ),
  })
  .meta({ id: 'Gate' });

export const gatesSchema = z.object({
  gates: z.array(gateSchema),
  processes: z.int().describe('Processes that are registered at the gates.'),
});
export type Gates = z.infer<typeof gatesSchema>;
export type Gate = Gates['gates'][number];

export const workersSchema = z.object({
  versions: z
    .array(
      z.object({
        buildId: z.string(),
        status: z.enum(['inactive', 'current', 'ramping', 'draining', 'drained']),
        firstSeenAt: instant.nullable(),
        openPayments: z.int().describe('Payments under way that began on it, as Temporal counts them: about.'),
      }),
    )
    .describe('The newest first. Payments stay on the version on which they began.'),
  workers: z.array(
    z.object({
      identity: z.string().describe('Process and machine.'),
      buildId: z.string().nullable(),
      lastSeenAt: instant,
      queues: z.array(z.string()).describe('The task queues that it polls.'),
    }),
  ),
  unservedQueues: z.array(z.string()).describe('Task queues that nobody polls: what is in them waits.'),
});
export type Workers = z.infer<typeof workersSchema>;

import { z } from 'zod';
import { instant } from '../fields.ts';

/** The rate limiters of the accounts with the provider, and the workers that send requests. */

const rateLimiterSchema = z
  .object({
    account: z.string(),
    limitPerSecond: z.int().describe('0: none.'),
    limitPerDay: z.int(),
    reservedPerDay: z.int().describe('How many of these are kept for payments that are begun.'),
    requestsToday: z.int().describe('Requests sent since 00:00 UTC.'),
    dayEndsInSeconds: z.number(),
    leases: z.array(
      z.object({
        number: z.int(),
        holder: z
          .string()
          .nullable()
          .describe('The id that its process is registered under; null: nobody has the lease.'),
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
  .meta({ id: 'RateLimiter' });

export const rateLimitersSchema = z.object({
  rateLimiters: z.array(rateLimiterSchema),
  processes: z.int().describe('Processes that are registered as holders of leases.'),
});
export type RateLimiters = z.infer<typeof rateLimitersSchema>;
export type RateLimiter = RateLimiters['rateLimiters'][number];

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

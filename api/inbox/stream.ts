import { z } from 'zod';
import { instant } from '../fields.ts';
import { runSummarySchema } from '../runs/run.ts';
import { inboxSchema } from './inbox.ts';

/** One stream of events for everything that a browser watches. */

export const MAX_TOPICS = 20;

const topic = z
  .string()
  .regex(
    /^(inbox|runs|(run|order|case):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i,
    'give inbox, runs, run:ID, order:ID or case:ID',
  )
  .toLowerCase();

export const streamQuery = z.object({
  topics: z
    .string()
    .transform((given) => [...new Set(given.split(','))])
    .pipe(z.array(topic).min(1).max(MAX_TOPICS))
    .describe('Topics separated by commas, at most 20: `inbox`, `runs`, `run:ID`, `order:ID`, `case:ID`.'),
});

const changedSchema = z.object({
  state: z.string().nullable(),
  changedAt: instant.nullable(),
});

/**
 * The events. Each carries the whole present state of its topic, so that a client which connects again misses nothing: with
 * the `Last-Event-ID` that it got last, topics that have not changed since are not sent again.
 */
export const streamEventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('inbox'), data: z.object({ topic: z.string(), inbox: inboxSchema }) }),
  /** The list of runs has changed: ask for it again. */
  z.object({
    event: z.literal('runs'),
    data: z.object({ topic: z.string(), runs: z.int(), changedAt: instant.nullable() }),
  }),
  z.object({ event: z.literal('run'), data: z.object({ topic: z.string(), run: runSummarySchema }) }),
  /** An order or a case has changed: ask for it again. */
  z.object({ event: z.literal('changed'), data: changedSchema.extend({ topic: z.string() }) }),
  /** What the topic names is not there, or not for you. No more comes of it. */
  z.object({ event: z.literal('gone'), data: z.object({ topic: z.string() }) }),
]);
export type StreamEvent = z.infer<typeof streamEventSchema>;

export const STREAM_EVENT_NAMES: readonly string[] = streamEventSchema.options.map(({ shape }) => shape.event.value);

import { z } from 'zod';
import { runSummarySchema } from './run.ts';

/** The server-sent events of a watched run. Clients ignore events of other names. */
export const runEventSchema = z.discriminatedUnion('event', [
  /** At the start, and whenever the run has changed. */
  z.object({ event: z.literal('summary'), data: runSummarySchema }),
  /** The run has ended. A stream that closes without it was interrupted: connect again. */
  z.object({ event: z.literal('end'), data: z.object({}) }),
]);
export type RunEvent = z.infer<typeof runEventSchema>;

export const RUN_EVENT_NAMES: readonly string[] = runEventSchema.options.map(({ shape }) => shape.event.value);

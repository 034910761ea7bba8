import { z } from 'zod';

const counts = z.object({
  sent: z.int().describe('Money was sent.'),
  created: z.int().describe('The provider has them, unfunded.'),
  notSent: z.int(),
  underWay: z.int().describe('With a request whose outcome is not known yet.'),
});

export const madeStopSchema = z
  .object({
    stopId: z.string(),
    counts: counts.nullable().describe('Null: the stop is not of one run, or its rows could not be counted.'),
  })
  .meta({ id: 'MadeStop' });

export const liftedStopSchema = z
  .object({
    stopId: z.string(),
    state: z.enum(['asked', 'lifted']).describe('`asked`: a checker other than who asked lifts it.'),
  })
  .meta({ id: 'LiftedStop' });

export const cancelledRunSchema = z
  .object({ cancelled: z.int().describe('Rows that were ended; others are being looked up.'), counts })
  .meta({ id: 'CancelledRun' });

const remark = z.string().trim().max(2000);
export const reasonSchema = z.strictObject({ reason: remark.nullable().default(null) });

export const stopRequestSchema = z
  .discriminatedUnion('scope', [
    z.strictObject({
      scope: z.literal('account'),
      account: z.string().min(1).max(100),
      reason: remark.nullable().default(null),
    }),
    z.strictObject({ scope: z.literal('all'), reason: remark.nullable().default(null) }),
  ])
  .meta({ id: 'StopRequest' });

export const stopParams = z.object({ stopId: z.guid('is not the id of a stop').toLowerCase() });

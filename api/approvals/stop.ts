import { z } from 'zod';
import { REFUSABLE_STEPS } from '../../domain/payments/refusal-streak.ts';
import { instant, person, remark } from '../fields.ts';

const stopCountsSchema = z.object({
  sent: z.int().describe('Money was sent.'),
  created: z.int().describe('Created with the provider, unfunded.'),
  notSent: z.int(),
  underWay: z.int().describe('Rows with a request whose outcome is not known yet.'),
});

const refusalsSchema = z
  .object({
    step: z.enum(REFUSABLE_STEPS).describe('What the provider refused.'),
    httpStatus: z.int(),
    errorCode: z.string().describe("The provider's code."),
    count: z.int().describe('So many rows in a row.'),
  })
  .meta({ id: 'EqualRefusals', description: 'Rows that were refused with the same answer.' });

export const stopSummarySchema = z
  .object({
    stopId: z.string(),
    scope: z.enum(['run', 'account', 'all']),
    runId: z.string().nullable(),
    account: z.string().nullable(),
    stoppedBy: person
      .nullable()
      .describe('Null: payrun by itself, for `refusals`; else whoever started it, at its start.'),
    refusals: refusalsSchema.nullable(),
    stoppedAt: instant,
    reason: z.string().nullable(),
    liftRequestedBy: person.nullable().describe('A checker other than this person lifts it.'),
    liftRequestedAt: instant.nullable(),
    isCancelled: z.boolean().describe('The run was ended for good.'),
  })
  .meta({ id: 'Stop', description: 'While it is active, nothing new is sent.' });
export type StopSummary = z.infer<typeof stopSummarySchema>;

export const stopListSchema = z.object({ stops: z.array(stopSummarySchema) });

export const createdStopSchema = z
  .object({
    stopId: z.string(),
    counts: stopCountsSchema.nullable().describe('Null: the stop is not of one run, or its rows could not be counted.'),
  })
  .meta({ id: 'CreatedStop' });
export type CreatedStop = z.infer<typeof createdStopSchema>;

export const stopLiftSchema = z.strictObject({
  liftRequestedBy: z
    .guid()
    .toLowerCase()
    .nullable()
    .describe(
      'Id of who has asked to lift the stop, as you saw it; null: nobody. If it is somebody else by now, it is refused (409): what ' +
        'only asks for it must not let payments go on.',
    ),
});
export type StopLift = z.output<typeof stopLiftSchema>;

export const liftedStopSchema = z
  .object({
    stopId: z.string(),
    state: z
      .enum(['lift_requested', 'lifted'])
      .describe('`lift_requested`: a checker other than the requester lifts it.'),
  })
  .meta({ id: 'LiftedStop' });
export type LiftedStop = z.infer<typeof liftedStopSchema>;

export const cancelledRunSchema = z
  .object({
    cancelled: z.int().describe('Rows that were ended; others are being looked up, and end by themselves.'),
    counts: stopCountsSchema,
  })
  .meta({ id: 'CancelledRun' });
export type CancelledRun = z.infer<typeof cancelledRunSchema>;

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

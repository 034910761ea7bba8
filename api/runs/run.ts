import { z } from 'zod';
import { PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import type { RunProposal as DomainRunProposal } from '../../domain/runs/run-proposal.ts';
import { RUN_STATES } from '../../domain/runs/run-state.ts';
import { stopSummarySchema } from '../approvals/stop.ts';
import { amount, countInQuery, instant, person } from '../fields.ts';

const runStateSchema = z.enum(RUN_STATES);
export type RunState = z.infer<typeof runStateSchema>;

const currencyTotal = z.object({ currency: z.string(), rows: z.int(), amount });

const proposalSchema = z
  .object({
    rows: z.int(),
    payable: z.int(),
    onHold: z.int().describe('Rows that wait for a person: suspected duplicates and held ones.'),
    totalsByBuyCurrency: z.array(currencyTotal),
    totalsBySellCurrency: z.array(currencyTotal),
    funds: z.array(
      z.object({
        currency: z.string(),
        needed: amount.describe('Without fees.'),
        balance: amount.nullable().describe('Null when the provider could not be asked.'),
        committed: amount.describe('What other approved runs still need of it.'),
      }),
    ),
    requests: z.int().describe('Requests to the provider that the run needs.'),
    durationSeconds: z.number().describe("Seconds of sending at the provider's limit."),
    warnings: z.array(z.string()),
    contentHash: z.string().describe('What an approval is bound to: SHA-256 over every row to be paid, in order.'),
  })
  .meta({
    id: 'RunProposal',
    description: 'What a run would do, shown before anyone approves it.',
  }) satisfies z.ZodType<DomainRunProposal>;
export type RunProposal = z.infer<typeof proposalSchema>;

export const runSummarySchema = z
  .object({
    runId: z.string(),
    account: z.string(),
    fileName: z.string(),
    state: runStateSchema,
    stateReason: z.string().nullable().describe('Why the run is in this state, where there is more to say.'),
    rowCount: z.int(),
    rows: z.partialRecord(z.enum(PAYMENT_STATES), z.int()).describe('Rows by state; states without rows are left out.'),
    proposal: proposalSchema.nullable(),
    submittedBy: person,
    submittedAt: instant,
    decidedBy: person.nullable(),
    decisionComment: z
      .string()
      .nullable()
      .describe('What they, or whoever withdrew the run, wrote with it; null: nothing, or it was erased.'),
    decidedAt: instant.nullable(),
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    ratePerSecond: z.number().describe('Payments funded or ended per second, over the last half minute.'),
    secondsLeft: z.number().nullable().describe('Seconds until every row is sent; null unless the run is under way.'),
    stops: z.array(stopSummarySchema).describe('Stops that keep it from being paid.'),
  })
  .meta({ id: 'Run', description: 'A payment run.' });
export type RunSummary = z.infer<typeof runSummarySchema>;

/** Run ids as they may appear in an address: anything else must not reach a query. */
export const runId = z.guid('is not a run id, such as 018f2a00-0000-7000-8000-000000000001').toLowerCase();
export const runParams = z.object({ runId });

export const runListQuery = z.object({
  limit: countInQuery(1, 200, 50),
  before: runId.nullable().default(null).describe('As `next` of the page before.'),
});

export const runPageSchema = z.object({ runs: z.array(runSummarySchema), next: z.string().nullable() });
export type RunPage = z.infer<typeof runPageSchema>;

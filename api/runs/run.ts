import { z } from 'zod';
import { PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import type { RunProposal as DomainRunProposal } from '../../domain/runs/run-proposal.ts';
import type { RunSentences } from '../../domain/runs/run-sentences.ts';
import { RUN_STATES } from '../../domain/runs/run-state.ts';
import { allowedActionsSchema } from '../approvals/allowed-actions.ts';
import { stopSummarySchema } from '../approvals/stop.ts';
import { runDecisionSchema } from './run-decision.ts';
import { amount, countInQuery, day, instant, person, plainText } from '../fields.ts';

const runStateSchema = z.enum(RUN_STATES);
export type RunState = z.infer<typeof runStateSchema>;

export const currencyTotalSchema = z.object({
  currency: z.string(),
  side: z.enum(['sell', 'buy']).describe('`sell`: it is to be spent; `buy`: it is to be received.'),
  rows: z.int(),
  amount,
});

const proposalSchema = z
  .object({
    composedAt: instant.describe('When balances, other runs and the requests of the day were read for it.'),
    rows: z.int(),
    payable: z.int(),
    onHold: z.int().describe('Rows that wait for a person: suspected duplicates and held ones.'),
    totals: z.array(currencyTotalSchema).describe('By the currency and side that rows fix, the most rows first.'),
    funds: z.array(
      z.object({
        currency: z.string(),
        needed: amount.describe(
          'What rows are expected to take, with `fees`; of rows without a price what they fix to be spent, without fees.',
        ),
        fees: amount.describe('Of it, the fees that are expected.'),
        unquotedRows: z
          .int()
          .describe('Rows without a price: what is missing of their cost is known when each is quoted.'),
        balance: amount.nullable().describe('Null when the provider could not be asked.'),
        committed: amount.describe('What other approved runs still need of it.'),
        dueLater: amount.describe(
          'Of it, what is reserved for rows that are due later than all of this run: it yields to them.',
        ),
      }),
    ),
    costs: z
      .array(
        z.object({
          sellCurrency: z.string(),
          buyCurrency: z.string(),
          channel: z
            .string()
            .nullable()
            .describe('As rows name it, or the local one where there is one; null: not known, the provider decides.'),
          rows: z.int(),
          sells: amount.nullable().describe('What is sold, without fees; null: the price is not known.'),
          fees: amount.nullable().describe('In the currency sold.'),
          buys: amount.nullable().describe('What the beneficiaries get.'),
          rate: amount.nullable().describe('What one unit sold buys.'),
          quotedAt: instant.nullable().describe('When the price was quoted.'),
        }),
      )
      .describe('What rows are expected to cost, by indicative prices: each payment has a quote of its own.'),
    costBound: z
      .object({
        feePercent: amount.describe('Of the amount sold.'),
        rateBasisPoints: z.int().describe('How much worse than the reference rate a rate may be.'),
        totals: z.array(
          z.object({
            currency: z.string(),
            most: amount.nullable().describe('What leaves the balance, with the fees; null: a rate is not known.'),
          }),
        ),
        rates: z.array(
          z.object({
            sellCurrency: z.string(),
            buyCurrency: z.string(),
            reference: amount
              .nullable()
              .describe('What one unit sold buys by the reference rate; null: there is none.'),
            least: amount.nullable().describe('What it buys at least.'),
          }),
        ),
      })
      .describe('What the run may cost: a payment that costs more is held.'),
    due: z
      .object({
        dates: z.array(
          z.object({
            date: day,
            weekday: z.string().describe('In English.'),
            isAtOnce: z
              .boolean()
              .describe('Due as soon as the run is approved: the date is the day of the proposal then.'),
            rows: z.int(),
            closed: z
              .array(z.object({ currency: z.string(), rows: z.int() }))
              .describe('Where banks do no business on that day, and the rows that sell or buy the currency.'),
            notKnown: z.array(z.string()).describe('Currencies without a calendar.'),
          }),
        ),
        laterDates: z.int().describe('How many further dates there are.'),
        laterRows: z.int(),
        lastDate: day.nullable().describe('The last of all; null: no row is due.'),
      })
      .describe('When rows are due, in the time zone of the account, the first 30 dates.'),
    requests: z.int().describe('Requests to the provider that the run needs.'),
    durationSeconds: z
      .number()
      .describe("Seconds of sending at the provider's limit. Days that rows wait for do not count."),
    roundTripMs: z
      .int()
      .nullable()
      .describe("How long the provider's latest answers took, which that time includes; null: none was measured."),
    warnings: z.array(z.string()),
    contentHash: z
      .string()
      .describe('What an approval is bound to: SHA-256 over every row to be paid, in order, and what each may cost.'),
  })
  .meta({
    id: 'RunProposal',
    description: 'What a run would do, shown before anyone approves it.',
  }) satisfies z.ZodType<DomainRunProposal>;
export type RunProposal = z.infer<typeof proposalSchema>;

const sentencesSchema = z
  .object({
    status: z.string().describe('How it stands, or how it ended and by whom.'),
    toDo: z
      .string()
      .nullable()
      .describe(
        'Who does what now; null: nobody needs to do anything. Of one run, not in lists, it names who can take the next step of an approval, ' +
          'or why nobody can.',
      ),
    rows: z
      .array(z.object({ state: z.enum(PAYMENT_STATES), count: z.int(), title: z.string(), hint: z.string() }))
      .describe('Of rows that are not simply on their way or paid: what it means for them.'),
  })
  .meta({ id: 'RunSentences', description: 'What is said of a run to people.' }) satisfies z.ZodType<RunSentences>;

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
    profile: z
      .object({
        name: z.string(),
        hash: z.string().describe('Its first 12 letters.'),
        wasKnown: z.boolean().describe('A run that it read had been approved before people decided on this one.'),
      })
      .nullable()
      .describe('What read its file. Null: its columns were ours, or it is erased.'),
    totals: z
      .array(currencyTotalSchema)
      .describe(
        'What it pays, by the currency and side that rows fix, the most rows first; empty before the proposal.',
      ),
    approvals: z.int().describe('Approvals of what it is now. The policy may ask for several.'),
    submittedBy: person,
    submittedAt: instant,
    decisions: z.array(runDecisionSchema).describe('What people decided on it, the oldest first.'),
    sentences: sentencesSchema,
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    ratePerSecond: z.number().describe('Payments funded or ended per second, over the last half minute.'),
    secondsLeft: z
      .number()
      .nullable()
      .describe('Seconds until every row is sent that is due by today; null: the run is not under way, or none is.'),
    dueLater: z
      .object({ rows: z.int(), lastDate: day })
      .nullable()
      .describe('Rows that wait for a later day, and the last of these days; null: none, or the run is not under way.'),
    reserved: z
      .array(
        z.object({
          currency: z.string(),
          amount,
          missing: amount.nullable().describe('What the run lacks; null: nothing, as far as is known.'),
        }),
      )
      .describe(
        'What is reserved of the balance for its payments that are not funded yet. Empty unless it is being paid, and where the ledger ' +
          'does not decide.',
      ),
    stops: z.array(stopSummarySchema).describe('Stops that keep it from being paid, also while it waits for approval.'),
  })
  .meta({ id: 'Run', description: 'A payment run.' });
export type RunSummary = z.infer<typeof runSummarySchema>;

/** Run ids as they may appear in an address: anything else must not reach a query. */
export const runId = z.guid('is not a run id, such as 018f2a00-0000-7000-8000-000000000001').toLowerCase();
export const runParams = z.object({ runId });

export const runDetailSchema = runSummarySchema
  .extend({
    allowedActions: allowedActionsSchema,
    waitingSince: instant.nullable().describe('When the run began to wait for a decision; null: it does not wait.'),
    expiresAt: instant.nullable().describe('When it expires, unless somebody decides.'),
    erasableFrom: instant
      .nullable()
      .describe(
        'From when on two administrators may erase what it has of its payees; null: it has not ended, or it is erased.',
      ),
    erasedAt: instant.nullable().describe('When what it had of its payees was erased.'),
    workflowUrl: z
      .string()
      .nullable()
      .describe("The run's workflow in Temporal's own interface; null: its address is not configured."),
  })
  .meta({ id: 'RunDetail', description: 'A payment run, and what the acting user may do with it.' });
export type RunDetail = z.infer<typeof runDetailSchema>;

const RUN_SORTS = ['submitted', 'file', 'rows', 'state'] as const;
export type RunSort = (typeof RUN_SORTS)[number];

/** One or several states, with commas. */
const statesInQuery = z
  .string()
  .transform((given) => given.split(','))
  .pipe(z.array(runStateSchema).min(1).max(RUN_STATES.length))
  .nullable()
  .default(null);

export const runListQuery = z.object({
  limit: countInQuery(1, 200, 50),
  before: runId
    .nullable()
    .default(null)
    .describe('The runs after this one, in the order asked for: `next` of the page before.'),
  state: statesInQuery.describe('Only runs in these states, with commas.'),
  q: plainText(100)
    .nullable()
    .default(null)
    .describe('Only runs whose file name contains this, or whose id begins with it.'),
  by: z
    .union([z.literal('me'), z.guid('give me, or the id of a user').toLowerCase()])
    .nullable()
    .default(null)
    .describe('Only runs submitted by this user.'),
  account: z.string().min(1).max(100).nullable().default(null).describe('Only runs of this account.'),
  sort: z.enum(RUN_SORTS).default('submitted'),
  order: z.enum(['asc', 'desc']).default('desc'),
});
export type RunListQuery = z.output<typeof runListQuery>;

export const runPageSchema = z.object({ runs: z.array(runSummarySchema), next: z.string().nullable() });
export type RunPage = z.infer<typeof runPageSchema>;

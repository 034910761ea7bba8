import { z } from 'zod';
import { allowedActionsSchema } from '../approvals/allowed-actions.ts';
import { instant, person, remark, countInQuery, day, amount } from '../fields.ts';
import { accountInQuery } from '../accounts/balance.ts';
import { CONVENTIONS } from '../../domain/treasury/business-day.ts';
import { WEEKDAYS } from '../../domain/treasury/calendar-overrides.ts';
import { CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import { OCCURRENCE_ENDS } from '../../domain/treasury/occurrence-end.ts';
import type { Schedule } from '../../domain/treasury/schedule.ts';

const limitPriceSchema = z.union([
  z.strictObject({ buy_per_sell_at_least: z.string() }),
  z.strictObject({ sell_per_buy_at_most: z.string() }),
]);

const timing = {
  name: z.string(),
  account: z.string(),
  time_zone: z.string(),
  times: z.array(z.string()).describe('Local times of day, as `09:30`.'),
  on: z.union([
    z.strictObject({ every: z.literal('day') }),
    z.strictObject({ weekdays: z.array(z.enum(WEEKDAYS)) }),
    z.strictObject({ days_of_month: z.array(z.union([z.int(), z.literal('last')])) }),
  ]),
  convention: z.enum(CONVENTIONS).describe('What happens to a date that is not a business day.'),
  from: day,
  until: day.nullable().describe('Null: it has no end.'),
};

const maxCostBps = z.string().nullable();
const pair = {
  ...timing,
  max_order: amount.describe('The most that one order sells, with the fees.'),
  max_cost_bps: maxCostBps,
  sell: z.string(),
  buy: z.string(),
  limit_price: limitPriceSchema.nullable(),
};
const minOrder = amount.nullable().describe('Less is not converted; null: any amount is.');

/** Whatever a second person confirms is shown to them: another key than these is refused, and not left out. */
const scheduleDefinitionSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('fixed_amount'), ...pair, fixed_side: z.enum(['sell', 'buy']), amount }),
    z.strictObject({ kind: z.literal('sweep'), ...pair, floor: amount, min_order: minOrder }),
    z.strictObject({ kind: z.literal('top_up'), ...pair, level: amount, min_order: minOrder }),
    z.strictObject({
      kind: z.literal('fund_run'),
      ...timing,
      max_cost_bps: maxCostBps,
      horizon_days: z.int(),
      margin_percent: z.string(),
      floors: z.record(z.string(), amount),
      buy: z.array(z.string()),
      sources: z.array(z.strictObject({ currency: z.string(), min_order: amount, max_order: amount })),
    }),
  ])
  .meta({
    id: 'ScheduleDefinition',
    description: 'A schedule with the keys of its file: see docs/treasury.md.',
  }) satisfies z.ZodType<Schedule>;
export type ScheduleDefinition = z.infer<typeof scheduleDefinitionSchema>;

type KeyOfAny<T> = T extends unknown ? keyof T : never;
/** A schedule as it is written. A value may be missing or wrong, which the server answers together with everything else. */
export type WrittenSchedule = { readonly [Key in KeyOfAny<ScheduleDefinition>]?: unknown };

export const scheduleRequestSchema = z
  .strictObject({
    schedule: z
      .record(z.string(), z.unknown())
      .describe('The keys of `ScheduleDefinition`. Everything that is wrong with it is answered at once.'),
    dryRun: z.boolean().default(false).describe('Only checks it; nothing is stored.'),
  })
  .meta({ id: 'ScheduleRequest' });

export const scheduleProblemSchema = z
  .object({
    field: z
      .string()
      .describe('Field by its path in the file, as `sources.0.min_order`. Empty: the schedule as a whole.'),
    problem: z.string(),
    fix: z.string(),
    code: z.string().describe('Code for programs. A later version may have others.'),
  })
  .meta({ id: 'ScheduleProblem', description: 'One thing that is wrong with a schedule, and its fix.' });
export type ScheduleProblem = z.infer<typeof scheduleProblemSchema>;

/** The `details` of the error `schedule_refused`. */
export const scheduleProblemsSchema = z.object({ problems: z.array(scheduleProblemSchema) });

export const acceptedScheduleSchema = z
  .object({
    scheduleId: z.string().nullable().describe('Null: a dry run.'),
    version: z.int().nullable().describe('The version that another person confirms; null: a dry run.'),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'AcceptedSchedule' });
export type AcceptedSchedule = z.infer<typeof acceptedScheduleSchema>;

const versionSchema = z.object({
  version: z.int(),
  schedule: scheduleDefinitionSchema,
  definitionHash: z.string().describe('SHA-256 over all of it: give it with the decision.'),
  proposedBy: person,
  proposedAt: instant,
  decidedBy: person.nullable(),
  decidedAt: instant.nullable(),
  comment: z.string().nullable(),
});
export type ScheduleVersion = z.infer<typeof versionSchema>;

export const scheduleSummarySchema = z
  .object({
    scheduleId: z.string(),
    account: z.string(),
    name: z.string(),
    state: z
      .enum(['pending', 'active', 'paused', 'deleted'])
      .describe('`pending`: a second person confirms its first version.'),
    stateReason: z
      .string()
      .nullable()
      .describe(
        'Why it is paused or deleted: `by_person`, `guards_refused`, `outcome_unknown`, `defect` or `restored`.',
      ),
    stateText: z.string().nullable().describe('The same for people, with what a person wrote.'),
    stateChangedBy: person.nullable().describe('Null: payrun by itself.'),
    stateChangedAt: instant,
    inForce: versionSchema.nullable().describe('Version in force; null: none yet.'),
    proposed: versionSchema.nullable().describe('A version that nobody has decided on.'),
    addedAt: instant,
  })
  .meta({ id: 'Schedule', description: 'A standing order to convert.' });
export type ScheduleSummary = z.infer<typeof scheduleSummarySchema>;

export const scheduleListSchema = z.object({ schedules: z.array(scheduleSummarySchema) });

const occurrenceSchema = z.object({
  occurrenceId: z.string(),
  version: z.int(),
  cause: z.enum(['schedule', 'trigger', 'backfill']).describe('`trigger`: by hand; `backfill`: for a past date.'),
  localDate: day,
  slot: z.int().describe('Which of the times of the day, from 1; 0: by hand.'),
  scheduledAt: instant,
  movedFrom: z.array(day).describe('Dates that calendars have moved here.'),
  ended: z.enum(OCCURRENCE_ENDS).nullable().describe('Null: it is under way.'),
  reason: z.string().nullable().describe('A code.'),
  message: z.string().nullable().describe('The reason for people.'),
  orders: z
    .array(
      z.object({
        orderId: z.string(),
        sellCurrency: z.string(),
        buyCurrency: z.string(),
        state: z.enum(CONVERSION_STATES).nullable().describe('Null: it was not placed.'),
        refused: z.string().nullable().describe('Why it was not placed: a code; null: it was.'),
      }),
    )
    .describe('What it placed, or was about to.'),
});
export type ScheduleOccurrence = z.infer<typeof occurrenceSchema>;

export const scheduleDetailSchema = z
  .object({
    schedule: scheduleSummarySchema,
    occurrences: z.array(occurrenceSchema).describe('The newest first, at most 50.'),
  })
  .meta({ id: 'ScheduleDetail' });
export type ScheduleDetail = z.infer<typeof scheduleDetailSchema>;

export const actionableScheduleSchema = scheduleDetailSchema
  .extend({ allowedActions: allowedActionsSchema })
  .meta({ id: 'ActionableSchedule' });
export type ActionableSchedule = z.infer<typeof actionableScheduleSchema>;

export const scheduleDecisionSchema = z
  .strictObject({
    version: z.int().min(1).max(2_147_483_647),
    decision: z.enum(['confirmed', 'rejected']),
    definitionHash: z.string().describe('Hash of the version that was read.'),
    comment: remark.nullable().default(null),
  })
  .meta({ id: 'ScheduleDecision' });
export type ScheduleDecision = z.input<typeof scheduleDecisionSchema>;

export const nextQuery = z.object({ count: countInQuery(1, 50, 10) });

export const nextOccurrencesSchema = z
  .object({
    occurrences: z.array(
      z.object({
        at: instant,
        localDate: day,
        slot: z.int(),
        movedFrom: z.array(day),
      }),
    ),
    today: z
      .object({
        conversions: z.array(z.object({ sell: z.string(), buy: z.string(), sellAmount: amount, buyAmount: amount })),
        reason: z.string().nullable().describe('Why it would convert nothing: a code.'),
        message: z.string().nullable().describe('The reason for people.'),
      })
      .describe('What an occurrence would do with the balances of this moment, at the prices of the last quotes.'),
    calendarVersion: z.int().describe("Of the company's own corrections of calendars."),
  })
  .meta({ id: 'NextOccurrences' });
export type NextOccurrences = z.infer<typeof nextOccurrencesSchema>;

export const occurrenceRequestSchema = z
  .strictObject({
    date: day.nullable().default(null).describe('A past date of a fixed amount to backfill; null: now.'),
    time: z.string().nullable().default(null).describe('The local time that was missed, if there are several.'),
  })
  .meta({ id: 'OccurrenceRequest' });

export const startedOccurrenceSchema = z
  .object({
    occurrenceId: z.string(),
    isNew: z.boolean().describe('False: you have started it before.'),
    needsApproval: z.boolean().describe('Its order needs the approval of another person, as any order does.'),
  })
  .meta({ id: 'StartedOccurrence' });
export type StartedOccurrence = z.infer<typeof startedOccurrenceSchema>;

export const scheduleQuery = z.object({ account: accountInQuery });

export const scheduleId = z.guid('is not the id of a schedule').toLowerCase();
export const scheduleParams = z.object({ scheduleId });

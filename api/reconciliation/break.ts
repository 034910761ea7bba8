import { z } from 'zod';
import { BREAK_TYPES } from '../../domain/reconciliation/break.ts';
import { accountInQuery } from '../accounts/balance.ts';
import { amount, countInQuery, day, instant, person, remark } from '../fields.ts';
import { dayInQuery } from './book-day.ts';

export const BREAK_STATES = ['open', 'explained', 'closed', 'no_longer_found'] as const;

export const breakSchema = z
  .object({
    breakId: z.string(),
    account: z.string(),
    day,
    type: z.enum(BREAK_TYPES),
    currency: z.string(),
    expected: amount.nullable(),
    found: amount.nullable(),
    factIds: z
      .array(z.string())
      .describe(
        '`payment/<id>-<attempt>` and `refund/<id>-<attempt>` of a row, `conversion/<id of the order>`; with ids of the ' +
          'provider: `refund/<id>`, `deposit/<id>`, `funding/<id>`, `listed/payment/<id>` and `listed/conversion/<id>`.',
      ),
    rows: z
      .array(
        z.object({ factId: z.string(), runId: z.string(), line: z.int().describe('Line of the row in its file.') }),
      )
      .describe('Rows of runs that `factIds` name.'),
    entryIds: z.array(z.string()).describe("Ids of entries in the provider's history."),
    isAmbiguous: z.boolean().describe('Others have the same amount: it may be any of them.'),
    reason: z.string().describe('What differs, in one sentence.'),
    state: z
      .enum(BREAK_STATES)
      .describe('`explained`: a second person closes it. `no_longer_found`: the day was reconciled again, and agrees.'),
    foundAt: instant,
    ageSeconds: z.int(),
    owner: person.nullable(),
    explainedBy: person.nullable(),
    explainedAt: instant.nullable(),
    explanationId: z.string().nullable(),
    explanation: z.string().nullable().describe('Null as well once it was erased.'),
    closedBy: person.nullable(),
    closedAt: instant.nullable(),
  })
  .meta({
    id: 'Break',
    description: "A difference between the provider's history and the database, which two people close.",
  });
export type BreakSummary = z.infer<typeof breakSchema>;

export const breakListSchema = z.object({ breaks: z.array(breakSchema) });

export const breakQuery = z.object({
  account: accountInQuery,
  from: dayInQuery,
  to: dayInQuery,
  state: z
    .enum([...BREAK_STATES, 'unresolved', 'all'])
    .default('unresolved')
    .describe('`unresolved`: open or explained.'),
  limit: countInQuery(1, 5000, 1000),
});
export type BreakQuery = z.output<typeof breakQuery>;

export const breakParams = z.object({ breakId: z.guid('is not the id of a break').toLowerCase() });

export const breakAssignmentSchema = z
  .strictObject({ login: z.string().min(1).max(100).describe('Login of the user who is to explain it.') })
  .meta({ id: 'BreakAssignment' });

export const breakExplanationSchema = z.strictObject({ reason: remark.min(1) }).meta({ id: 'BreakExplanation' });

export const breakClosingSchema = z
  .strictObject({ explanationId: z.guid().describe('Id of the explanation that you have read.') })
  .meta({ id: 'BreakClosing' });

export const breakReopeningSchema = z
  .strictObject({ reason: remark.nullable().default(null) })
  .meta({ id: 'BreakReopening' });

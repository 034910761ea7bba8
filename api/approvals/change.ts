import { z } from 'zod';
import { CHANGE_STATES } from '../../domain/approvals/change-kind.ts';
import { countInQuery, flagInQuery, instant, person } from '../fields.ts';

export const changeStateSchema = z
  .object({
    changeId: z.string(),
    state: z.enum(CHANGE_STATES),
    takesEffectAt: instant.nullable().describe('When a pending one takes effect, if nobody objects.'),
  })
  .meta({ id: 'ChangeState', description: 'What became of a change that takes two administrators.' });
export type ChangeState = z.infer<typeof changeStateSchema>;

export const doneOrChangeSchema = z
  .object({ change: changeStateSchema.nullable().describe('What must be confirmed; null: done at once.') })
  .meta({ id: 'DoneOrChange' });
export type DoneOrChange = z.infer<typeof doneOrChangeSchema>;

export const changeSummarySchema = changeStateSchema
  .extend({
    kind: z.string(),
    user: person.nullable(),
    detail: z.record(z.string(), z.unknown()),
    proposedBy: person.nullable(),
    proposedAt: instant,
    decidedBy: person.nullable(),
    decidedAt: instant.nullable(),
  })
  .meta({ id: 'Change' });
export type ChangeSummary = z.infer<typeof changeSummarySchema>;

export const changeListSchema = z.object({ changes: z.array(changeSummarySchema) });

export const changeListQuery = z.object({
  pending: flagInQuery.describe('Only those that are not in effect yet.'),
  limit: countInQuery(1, 200, 50),
});

export const changeParams = z.object({ changeId: z.guid('is not the id of a change').toLowerCase() });

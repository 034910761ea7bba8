import { z } from 'zod';
import { DECISION_KINDS } from '../../domain/runs/run-state.ts';
import { instant, person } from '../fields.ts';

export const runDecisionSchema = z
  .object({
    decision: z.enum(DECISION_KINDS).describe('`withdrawn`: by its maker; `cancelled`: after it was stopped.'),
    by: person,
    actsFor: person.nullable().describe('Whose deputy that person was; null: they decided for themselves.'),
    at: instant,
    comment: z.string().nullable().describe('Null: nothing was written, or it was erased.'),
    isCurrent: z.boolean().describe('False: it was made on another content, and does not count.'),
    sentence: z.string().describe('The same for people, without time and comment.'),
  })
  .meta({ id: 'RunDecision', description: 'What somebody decided on a run.' });
export type RunDecision = z.infer<typeof runDecisionSchema>;

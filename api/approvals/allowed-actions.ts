import { z } from 'zod';
import { ERROR_CODES } from '../error.ts';
import { actionTargetOf } from './action-target.ts';

/** What a user may do with a resource now. The rules themselves answer: they are tried, and undone. */

export const allowedActionSchema = z
  .object({
    action: z.string().describe('`approve` of a run, for example.'),
    isAllowed: z.boolean(),
    code: z.enum(ERROR_CODES).nullable().describe('Error with which the action would be refused; null: it is allowed.'),
    reason: z.string().nullable().describe('Why it would be refused, for people; null: it is allowed.'),
  })
  .meta({
    id: 'AllowedAction',
    description:
      'Whether the acting user may do something now, by the rule that decides when it is done. What only its request says, ' +
      'such as the content that was seen, is checked then.',
  });
export type AllowedAction = z.infer<typeof allowedActionSchema>;

export const allowedActionsSchema = z.array(allowedActionSchema).describe('What the acting user may do now.');

const actionTarget = z
  .string()
  .refine(
    (text) => actionTargetOf(text) !== null,
    'give kind and id, as run:018f2a00-0000-7000-8000-000000000001; of a row, the id of its payment; ' +
      'or receipt:ACCOUNT/CURRENCY/ENTRY_ID, day:ACCOUNT/2026-01-31',
  );

export const MAX_ACTION_TARGETS = 100;

export const actionsQuery = z.object({
  of: z
    .string()
    .transform((given) => given.split(','))
    .pipe(z.array(actionTarget).min(1).max(MAX_ACTION_TARGETS))
    .describe(
      'Up to 100, with commas: `break:ID,stop:ID`. Kinds: run, row (the payment), order, case, break, stop, change, schedule, ' +
        'virtual_account. What has no id, by its parts, which are percent-encoded: `receipt:ACCOUNT/CURRENCY/ENTRY_ID` and ' +
        '`day:ACCOUNT/2026-01-31` of the books.',
    ),
});

export const actionsAnswerSchema = z
  .object({
    actions: z
      .record(z.string(), allowedActionsSchema)
      .describe(
        'Actions by kind and id as they were given. What does not exist, or is of another account, is left out.',
      ),
  })
  .meta({ id: 'ActionsOfResources' });
export type ActionsAnswer = z.infer<typeof actionsAnswerSchema>;

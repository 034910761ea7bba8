import { z } from 'zod';
import { detailsAnswer, type UserDetails, userAnswer, userStatuses } from '../account/user.ts';
import type { SandboxOptions } from '../defaults.ts';
import { operation } from '../http/operation.ts';
import { invalidField } from '../refusal.ts';
import { detailsBody, detailsSchema } from './user-fields.ts';
import { dateProblem } from './written-dates.ts';

const userParams = z.object({ userId: z.string() });

/** Format A says something of the date of birth alone. @throws Refusal `validation_failed` that names the date */
function checkDates(details: UserDetails, format: SandboxOptions['userDateFormat']): void {
  const fields = format === 'A' ? (['dateOfBirth'] as const) : (['dateOfBirth', 'issueDate', 'expiryDate'] as const);
  for (const field of fields) {
    const date = details[field];
    const problem = date ? dateProblem(date, format) : undefined;
    if (problem) throw invalidField(field, problem);
  }
}

/** Contract: account 4.2. */
export const users = [
  operation({
    ids: ['user-get'],
    method: 'GET',
    path: '/v2/users/:userId',
    summary: 'One user, with remarks when it was rejected or documents are needed again',
    params: userParams,
    answer: z.object({
      id: z.string(),
      email: z.string(),
      firstName: z.string().nullable(),
      lastName: z.string().nullable(),
      status: z.enum(userStatuses),
      accountId: z.string(),
      remarks: z.string().optional(),
    }),
    perform: ({ account, params }) => userAnswer(account.users.get(params.userId)),
  }),
  operation({
    ids: ['user-detail-patch'],
    method: 'PATCH',
    path: '/v2/users/:userId/detail',
    summary: 'Sets details; null removes one, and what is left out stays',
    params: userParams,
    body: detailsBody,
    answer: detailsSchema,
    perform: ({ world, account, params, body }) => {
      const user = account.users.get(params.userId);
      checkDates(body, world.options.userDateFormat);
      account.users.update(user, body);
      return detailsAnswer(user);
    },
  }),
  operation({
    ids: ['user-detail-get'],
    method: 'GET',
    path: '/v2/users/:userId/detail',
    summary: 'The details, and which are still needed for a screening',
    params: userParams,
    answer: detailsSchema,
    perform: ({ account, params }) => detailsAnswer(account.users.get(params.userId)),
  }),
  operation({
    ids: ['user-screen'],
    method: 'POST',
    path: '/v2/users/:userId/screen',
    summary: 'Asks for a screening; it is decided later',
    params: userParams,
    answer: z.object({ userId: z.string(), status: z.enum(userStatuses) }),
    perform: ({ account, params }) => {
      const user = account.users.get(params.userId);
      account.users.screen(user);
      return { userId: user.id, status: user.status };
    },
  }),
];

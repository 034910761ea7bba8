import { z } from 'zod';
import { detailsAnswer, userAnswer, userStatuses } from '../account/user.ts';
import { operation, type OperationLink } from '../http/operation.ts';
import { id } from './field-types.ts';
import { detailsBodyOf, detailsSchema } from './user-fields.ts';

const userParams = z.object({ userId: z.string() });

/** Whose company it is, for who follows the description. */
const companyLink = (operationId: string): OperationLink => ({
  operationId,
  parameters: { accountId: '$response.body#/accountId' },
});

/** Contract: account 4.2. */
export const users = [
  operation({
    ids: ['user-get'],
    method: 'GET',
    path: '/v2/users/:userId',
    summary: 'One user, with remarks when it was rejected or documents are needed again',
    params: userParams,
    answer: z.object({
      id,
      email: z.string(),
      firstName: z.string().nullable(),
      lastName: z.string().nullable(),
      status: z.enum(userStatuses),
      accountId: id,
      remarks: z.string().optional(),
    }),
    links: { company: companyLink('company-get'), changeCompany: companyLink('company-patch') },
    perform: ({ account, params }) => userAnswer(account.users.get(params.userId)),
  }),
  operation({
    ids: ['user-detail-patch'],
    method: 'PATCH',
    path: '/v2/users/:userId/detail',
    summary: 'Sets details; null removes one, and what is left out stays',
    params: userParams,
    bodyOf: detailsBodyOf,
    answer: detailsSchema,
    perform: ({ world, account, params, body }) => {
      const user = account.users.get(params.userId);
      account.users.update(user, body);
      return detailsAnswer(user, world.options);
    },
  }),
  operation({
    ids: ['user-detail-get'],
    method: 'GET',
    path: '/v2/users/:userId/detail',
    summary: 'The details, and which are still needed for a screening',
    params: userParams,
    answer: detailsSchema,
    perform: ({ world, account, params }) => detailsAnswer(account.users.get(params.userId), world.options),
  }),
  operation({
    ids: ['user-screen'],
    method: 'POST',
    path: '/v2/users/:userId/screen',
    summary: 'Asks for a screening; it is decided later',
    params: userParams,
    answer: z.object({ userId: id, status: z.enum(userStatuses) }),
    perform: ({ account, params }) => {
      const user = account.users.get(params.userId);
      account.users.screen(user);
      return { userId: user.id, status: user.status };
    },
  }),
];

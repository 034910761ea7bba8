import { z } from 'zod';
import { detailFields, missingDetails, type User, userStatuses } from '../account/user.ts';
import type { SandboxOptions } from '../config/options.ts';
import type { Json } from '../core/json.ts';
import { operation, type OperationLink } from '../http/operation.ts';
import { id } from './field-types.ts';
import { detailsBodyOf, detailsSchema } from './user-fields.ts';

const userParams = z.object({ userId: z.string() });

/** Contract: account 2.3. */
const userAnswer = (user: User): Json => ({
  id: user.id,
  email: user.email,
  firstName: user.details.firstName ?? null,
  lastName: user.details.lastName ?? null,
  status: user.status,
  accountId: user.accountId,
  remarks:
    user.status === 'rejected' || user.status === 'documents_need_resubmission' ? (user.remarks ?? '') : undefined,
});

/** Contract: account 2.4. */
function detailsAnswer(user: User, { userDetailStatus }: Pick<SandboxOptions, 'userDetailStatus'>): Json {
  const missing = missingDetails(user);
  const value = missing.length === 0 ? 'complete' : 'incomplete';
  return {
    ...Object.fromEntries(detailFields.map((field) => [field, user.details[field] ?? null])),
    status: userDetailStatus === 'object' ? { value, missing_fields: missing } : value,
  };
}

/** The OpenAPI link from a user to its company. */
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
    summary: 'One user, with remarks when it was rejected or must resubmit documents',
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
    summary: 'Sets details; null removes a detail, and omitted details are unchanged',
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
    summary: 'The details, and which are missing for a screening',
    params: userParams,
    answer: detailsSchema,
    perform: ({ world, account, params }) => detailsAnswer(account.users.get(params.userId), world.options),
  }),
  operation({
    ids: ['user-screen'],
    method: 'POST',
    path: '/v2/users/:userId/screen',
    summary: 'Requests a screening; it is decided later',
    params: userParams,
    answer: z.object({ userId: id, status: z.enum(userStatuses) }),
    perform: ({ account, params }) => {
      const user = account.users.get(params.userId);
      account.users.screen(user);
      return { userId: user.id, status: user.status };
    },
  }),
];

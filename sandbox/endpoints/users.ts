import { z } from 'zod';
import { detailFields, missingDetails, type User, userStatuses } from '../account/user.ts';
import { currentViewOf, type UserView } from '../account/user-views.ts';
import type { Json } from '../core/json.ts';
import { operation, type OperationLink } from '../http/operation.ts';
import type { World } from '../world.ts';
import { id } from './field-types.ts';
import { detailsBodyOf, detailsSchema } from './user-fields.ts';

const userParams = z.object({ userId: z.string() });

/** Contract: account 2.3. */
const userAnswer = ({ id: userId, email, accountId }: User, view: UserView, { options }: World): Json => ({
  id: userId,
  email,
  firstName: view.details.firstName ?? null,
  lastName: view.details.lastName ?? null,
  status: view.status,
  accountId,
  remarks:
    view.status === 'documents_need_resubmission' ||
    (view.status === 'rejected' && options.rejectionRemarks === 'present')
      ? (view.remarks ?? '')
      : undefined,
});

/** Contract: account 2.4. */
function detailsAnswer({ company }: User, view: UserView, { options, answers }: World): Json {
  const missing = missingDetails(view.details, company && { details: view.companyDetails });
  const status = answers.detailStatus(missing);
  return {
    ...Object.fromEntries(detailFields.map((field) => [field, view.details[field] ?? null])),
    status: options.userDetailStatus === 'object' ? { ...status } : status.value,
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
    perform: ({ world, account, params }) => {
      const user = account.users.get(params.userId);
      return userAnswer(user, account.users.viewOf(user), world);
    },
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
      return detailsAnswer(user, currentViewOf(user), world);
    },
  }),
  operation({
    ids: ['user-detail-get'],
    method: 'GET',
    path: '/v2/users/:userId/detail',
    summary: 'The details, and which are missing for a screening',
    params: userParams,
    answer: detailsSchema,
    perform: ({ world, account, params }) => {
      const user = account.users.get(params.userId);
      return detailsAnswer(user, account.users.viewOf(user), world);
    },
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
      return { userId: user.id, status: account.users.screen(user) };
    },
  }),
];

import { z } from 'zod';
import type { Application } from '../../application/application-api.ts';
import { userOf } from './access.ts';
import type { Api } from '../api.ts';
import { json, errorsOf } from '../../api/answers.ts';
import { changeStateSchema } from '../../api/approvals/change.ts';
import { invitedUserSchema } from '../../api/users/invitation.ts';
import {
  accountLimitSchema,
  addedUserSchema,
  limitedUserSchema,
  roleParams,
  rolesSchema,
  userListSchema,
  userParams,
  userRequestSchema,
} from '../../api/users/user.ts';

type UserApplication = Pick<
  Application,
  'listUsers' | 'addUser' | 'inviteUser' | 'grantRoles' | 'removeRole' | 'limitUser' | 'disableUser' | 'enableUser'
>;

const done = { 204: z.undefined().describe('Done.'), ...errorsOf(400, 404, 409) };
const changed = { 200: json('What became of the change.', changeStateSchema), ...errorsOf(400, 404, 409, 415) };

/** Users and their roles. Changes that let somebody decide take a second administrator. */
export function addUserRoutes(app: Api, application: UserApplication): void {
  addRoleRoutes(app, application);
  addLimitRoute(app, application);
  app.get('/users', {
    config: { access: 'read_audit' },
    schema: {
      operationId: 'listUsers',
      tags: ['users'],
      summary: 'All users and their roles',
      response: { 200: json('The users.', userListSchema), ...errorsOf() },
    },
    handler: async () => ({ users: await application.listUsers() }),
  });

  app.post('/users', {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'addUser',
      tags: ['users'],
      summary: 'Add a user, with an invitation to sign in',
      body: userRequestSchema,
      response: { 201: json('The user.', addedUserSchema), ...errorsOf(400, 409, 415) },
    },
    handler: async (request, reply) => reply.code(201).send(await application.addUser(userOf(request), request.body)),
  });

  app.post('/users/:userId/invitation', {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'inviteUser',
      tags: ['users'],
      summary: 'Make an invitation code for a user who cannot sign in',
      params: userParams,
      response: { 200: json('A code or a change.', invitedUserSchema), ...errorsOf(400, 404, 409) },
    },
    handler: (request) => application.inviteUser(userOf(request), request.params.userId),
  });

  app.post('/users/:userId/disable', {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'disableUser',
      tags: ['users'],
      summary: 'Disable a user, at once: their tokens are no longer valid',
      params: userParams,
      response: done,
    },
    handler: async (request, reply) => {
      await application.disableUser(userOf(request), request.params.userId);
      return reply.code(204).send();
    },
  });

  app.post('/users/:userId/enable', {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'enableUser',
      tags: ['users'],
      summary: 'Enable a user again',
      params: userParams,
      response: changed,
    },
    handler: (request) => application.enableUser(userOf(request), request.params.userId),
  });
}

function addRoleRoutes(app: Api, application: Pick<UserApplication, 'grantRoles' | 'removeRole'>): void {
  app.post('/users/:userId/roles', {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'grantRoles',
      tags: ['users'],
      summary: 'Grant roles',
      params: userParams,
      body: rolesSchema,
      response: changed,
    },
    handler: (request) => application.grantRoles(userOf(request), request.params.userId, request.body.roles),
  });

  app.delete('/users/:userId/roles/:role', {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'removeRole',
      tags: ['users'],
      summary: 'Take a role away, at once',
      params: roleParams,
      response: done,
    },
    handler: async (request, reply) => {
      await application.removeRole(userOf(request), request.params.userId, request.params.role);
      return reply.code(204).send();
    },
  });
}

function addLimitRoute(app: Api, application: Pick<UserApplication, 'limitUser'>): void {
  app.put('/users/:userId/accounts', {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'limitUser',
      tags: ['users'],
      summary: 'Limit a user to some of the accounts with the provider, or give them all',
      description:
        'Fewer accounts are in force at once. More take a second administrator when the user decides on something; until ' +
        'then the accounts stay as they are. Whatever was pending for the accounts of the user is rejected.',
      params: userParams,
      body: accountLimitSchema,
      response: { 200: json('What became of it.', limitedUserSchema), ...errorsOf(400, 404, 409, 415) },
    },
    handler: (request) => application.limitUser(userOf(request), request.params.userId, request.body.accounts),
  });
}

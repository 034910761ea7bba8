import { json, nothing } from '../answers.ts';
import { changeStateSchema, doneOrChangeSchema } from '../approvals/change.ts';
import { endpoints } from '../endpoint.ts';
import { ownQuery } from '../fields.ts';
import { invitationAcceptanceSchema, invitedUserSchema } from './invitation.ts';
import { companyEndpoints, factorEndpoints, sessionEndpoints, stepUpEndpoints } from './sign-in-endpoints.ts';
import { issuedTokenSchema, tokenListSchema, tokenParams, tokenRequestSchema } from './token.ts';
import {
  accountLimitSchema,
  addedUserSchema,
  roleParams,
  rolesSchema,
  selfSchema,
  userListSchema,
  userMailSchema,
  userParams,
  userRequestSchema,
} from './user.ts';

/** Who one is, and tokens: everyone makes their own. */
export const tokenEndpoints = endpoints({
  getMe: {
    method: 'GET',
    path: '/me',
    access: 'signed_in',
    limitedBy: 'nothing',
    tag: 'users',
    summary: 'Whose token this is, their roles, and what changes are pending',
    answers: { 200: json('The user.', selfSchema) },
  },
  listTokens: {
    method: 'GET',
    path: '/tokens',
    access: 'signed_in',
    limitedBy: 'nothing',
    tag: 'users',
    summary: 'Your tokens, or all for an administrator, without their secrets',
    query: ownQuery,
    answers: { 200: json('The tokens.', tokenListSchema) },
    errors: [400],
  },
  issueToken: {
    method: 'POST',
    path: '/tokens',
    access: 'signed_in',
    limitedBy: 'nothing',
    tag: 'users',
    summary: 'Make a further token for yourself',
    description:
      'The answer is the only place where the token is ever shown. In a session: within 15 minutes after signing in, and ' +
      'after a second factor was shown, if you have one. Made with a token, it ends with that one at the latest, and is ' +
      'revoked with it.',
    body: tokenRequestSchema,
    answers: { 201: json('The token.', issuedTokenSchema) },
    errors: [400, 409, 415],
  },
  revokeToken: {
    method: 'DELETE',
    path: '/tokens/:tokenId',
    access: 'signed_in',
    limitedBy: 'nothing',
    tag: 'users',
    summary: 'Revoke a token of yours, or any as an administrator, with all that were made with it',
    params: tokenParams,
    answers: { 204: nothing('It is no longer valid.') },
    errors: [400, 404, 429],
  },
});

export const invitationEndpoints = endpoints({
  acceptInvitation: {
    method: 'POST',
    path: '/invitations/accept',
    access: 'anyone',
    limitedBy: 'nothing',
    tag: 'users',
    summary: 'Exchange the code of an invitation for a token',
    body: invitationAcceptanceSchema,
    answers: { 201: json('The token.', issuedTokenSchema) },
    errors: [400, 401, 415],
  },
});

/** Users and their roles. Changes that let somebody decide take a second administrator. */
export const userAdministrationEndpoints = endpoints({
  grantRoles: {
    method: 'POST',
    path: '/users/:userId/roles',
    access: 'manage_users',
    limitedBy: 'all_accounts',
    tag: 'users',
    summary: 'Grant roles',
    params: userParams,
    body: rolesSchema,
    answers: { 200: json('What became of the change.', changeStateSchema) },
    errors: [400, 404, 409, 415],
  },
  removeRole: {
    method: 'DELETE',
    path: '/users/:userId/roles/:role',
    access: 'manage_users',
    limitedBy: 'all_accounts',
    tag: 'users',
    summary: 'Take a role away, or propose it',
    description: 'A role that decides on something is taken away by two administrators, every other at once.',
    params: roleParams,
    answers: { 200: json('What became of it.', doneOrChangeSchema) },
    errors: [400, 404, 409],
  },
  limitUser: {
    method: 'PUT',
    path: '/users/:userId/accounts',
    access: 'manage_users',
    limitedBy: 'all_accounts',
    tag: 'users',
    summary: 'Limit a user to some of the accounts with the provider, or give them all',
    description:
      'Fewer accounts are in force at once, but of a user who decides on something. Those, and more accounts of a user whose ' +
      'roles take two administrators, take a second administrator; until then the accounts stay as they are. Whatever was pending for the accounts of the user is rejected.',
    params: userParams,
    body: accountLimitSchema,
    answers: { 200: json('What became of it.', doneOrChangeSchema) },
    errors: [400, 404, 409, 415],
  },
  setMail: {
    method: 'PUT',
    path: '/users/:userId/mail',
    access: 'manage_users',
    limitedBy: 'all_accounts',
    tag: 'users',
    summary: 'Propose another mail address, where codes of a user go; a second administrator confirms it',
    description: 'Codes and invitations of before end with it.',
    params: userParams,
    body: userMailSchema,
    answers: { 200: json('What became of the change.', changeStateSchema) },
    errors: [400, 404, 409, 415],
  },
  listUsers: {
    method: 'GET',
    path: '/users',
    access: 'read_audit',
    limitedBy: 'nothing',
    tag: 'users',
    summary: 'All users and their roles',
    answers: { 200: json('The users.', userListSchema) },
  },
  addUser: {
    method: 'POST',
    path: '/users',
    access: 'manage_users',
    limitedBy: 'all_accounts',
    tag: 'users',
    summary: 'Add a user, with an invitation to sign in',
    body: userRequestSchema,
    answers: { 201: json('The user.', addedUserSchema) },
    errors: [400, 409, 415],
  },
  inviteUser: {
    method: 'POST',
    path: '/users/:userId/invitation',
    access: 'manage_users',
    limitedBy: 'all_accounts',
    tag: 'users',
    summary: 'Make an invitation code for a user who cannot sign in',
    params: userParams,
    answers: { 200: json('A code or a change.', invitedUserSchema) },
    errors: [400, 404, 409],
  },
  disableUser: {
    method: 'POST',
    path: '/users/:userId/disable',
    access: 'manage_users',
    limitedBy: 'all_accounts',
    tag: 'users',
    summary: 'Disable a user, or propose it: their tokens are no longer valid then',
    description: 'A user who decides on something is disabled by two administrators, every other at once.',
    params: userParams,
    answers: { 200: json('What became of it.', doneOrChangeSchema) },
    errors: [400, 404, 409],
  },
  enableUser: {
    method: 'POST',
    path: '/users/:userId/enable',
    access: 'manage_users',
    limitedBy: 'all_accounts',
    tag: 'users',
    summary: 'Enable a user again',
    params: userParams,
    answers: { 200: json('What became of the change.', changeStateSchema) },
    errors: [400, 404, 409, 415],
  },
});

export const userEndpoints = {
  ...sessionEndpoints,
  ...factorEndpoints,
  ...stepUpEndpoints,
  ...companyEndpoints,
  ...tokenEndpoints,
  ...invitationEndpoints,
  ...userAdministrationEndpoints,
};

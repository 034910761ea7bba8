import type { Guard } from './guard.ts';

/** The server’s own checks, the command line’s care of tokens, and what belongs to one installation. */

const ACCESS = 'server/users/access.ts';
const routes = (name: string) => ({ file: 'test/server/server-access.test.ts', name });
const signIn = (name: string) => ({ file: 'test/server/server-sign-in.test.ts', name });
const webhooks = (name: string) => ({ file: 'test/server/server-webhooks.test.ts', name });

const SERVER: readonly Guard[] = [
  {
    id: 'token-asked',
    against: 'a request without a token is answered',
    file: ACCESS,
    text: `if (access === 'anyone' || request.is404) return;`,
    without: 'return;',
    test: routes('a token that is none is answered 401'),
  },
  {
    id: 'token-known',
    against: 'a token that signs nobody in is taken',
    file: ACCESS,
    text: `if (found.kind === 'refused') {`,
    without: `if (found.kind === 'refused' && token === '') {`,
    test: routes('a token that is unknown is answered 401'),
  },
  {
    id: 'role-asked',
    against: 'a route answers those whose roles may not',
    file: ACCESS,
    text: `if (access !== 'signed_in' && !mayAny(user.roles, access)) {`,
    without: `if (access !== 'signed_in' && user.roles === null) {`,
    test: routes("'POST /api/v1/runs/{runId}/approve' is for those alone whom the table names"),
    behind: 'for what changes something, the functions of the database',
  },
  {
    id: 'route-says-who',
    against: 'a route is open by oversight',
    file: ACCESS,
    text: 'if (route.config?.access === undefined) throw new Error(`route ${route.url} does not say who may call it`);',
    without: 'if (route.config?.access === undefined) return;',
    test: routes('a route that does not say who may call it'),
  },
  {
    id: 'approve-route',
    against: 'the route to approve is opened to more roles than decide',
    file: 'server/approvals/decision-routes.ts',
    text: `app.post('/runs/:runId/approve', {\n    config: { access: 'decide_run' },`,
    without: `app.post('/runs/:runId/approve', {\n    config: { access: 'read_runs' },`,
    test: routes("'POST /api/v1/runs/{runId}/approve' is for those alone whom the table names"),
    behind: 'may-decide-run',
  },
  {
    id: 'instructions-masked',
    against: 'bank details are told to those who may not read them',
    file: ACCESS,
    text: `return mayAny(userOf(request).roles, 'read_instructions');`,
    without: 'return userOf(request).userId.length > 0;',
    test: {
      file: 'test/server/server-reviews.test.ts',
      name: 'bank details, reference, purpose and files by the role alone',
    },
  },
  {
    id: 'tokens-of-others',
    against: 'somebody lists the tokens of others',
    file: 'server/users/token-routes.ts',
    text: `application.listTokens(mayAny(roles, 'manage_users') ? null : userId)`,
    without: `application.listTokens(mayAny(roles, 'read_runs') ? null : userId)`,
    test: { file: 'test/server/server-tokens.test.ts', name: 'are listed to their own user alone' },
  },
  {
    id: 'sign-in-braked',
    against: 'tokens are guessed as fast as the line allows',
    file: ACCESS,
    text: 'await guards.brake.wait(request.ip);',
    without: '',
    test: signIn('is written down with the address'),
  },
  {
    id: 'code-braked',
    against: 'codes of invitations are guessed as fast as the line allows',
    file: 'server/users/invitation-routes.ts',
    text: 'await guards.brake.wait(request.ip);',
    without: '',
    test: { file: 'test/server/server-tokens.test.ts', name: 'whose code does not work is written down' },
  },
  {
    id: 'brake-doubles',
    against: 'whoever guesses waits no longer than at first',
    file: 'server/users/sign-in-brake.ts',
    text: 'FIRST_WAIT_MS * 2 ** Math.min(count - 1, 10)',
    without: 'FIRST_WAIT_MS',
    test: signIn('waits longer each time'),
  },
  {
    id: 'refusals-noted',
    against: 'attempts that were refused leave no trace',
    file: ACCESS,
    text: `guards.refused.note({ kind: 'access_refused', address: request.ip, userId, tokenId, route, why: access });`,
    without: '',
    test: signIn('is written down with user, token and route'),
  },
  {
    id: 'webhook-address',
    against: 'anybody puts events into the inbox',
    file: 'server/webhooks/webhook-tokens.ts',
    text: 'if (isSameHash(entry.hash, hash)) found = entry.account;',
    without: 'found = entry.account;',
    test: webhooks('answers an unknown token as any address that does not exist'),
    behind: 'an event is a hint: it makes the worker read, and moves nothing (server-moves-no-payment)',
  },
  {
    id: 'webhook-headers',
    against: 'an event without the configured headers is kept',
    file: 'server/webhooks/webhook-routes.ts',
    text: 'if (faults === null) return tooMany(request, account);',
    without: 'if (account.length > 0) return tooMany(request, account);',
    test: webhooks('refuse an event with all missing'),
    behind: 'an event is a hint: it makes the worker read, and moves nothing (server-moves-no-payment)',
  },
];

const COMMAND_LINE: readonly Guard[] = [
  {
    id: 'token-to-its-address',
    against: 'a token goes to another address than it was recorded with',
    file: 'config/sign-ins.ts',
    text: '.filter((signIn) => signIn.url === address)',
    without: '.filter(() => address.length > 0)',
    test: { file: 'test/config/sign-ins.test.ts', name: 'is another one, whose server gets none of their tokens' },
  },
  {
    id: 'token-not-redirected',
    against: 'a server sends a token on to another one',
    file: 'client/sdk/http-caller.ts',
    text: `redirect: 'error'`,
    without: `redirect: 'follow'`,
    test: { file: 'test/client/sdk-client.test.ts', name: 'takes its token nowhere else' },
  },
  {
    id: 'token-encrypted',
    against: 'a token travels in clear',
    file: 'client/sdk/http-caller.ts',
    text: 'if (token !== null && options.allowPlaintext !== true) refusePlaintext(base);',
    without: '',
    test: {
      file: 'test/client/cli-encryption.test.ts',
      name: 'sends no token to a server that it would reach unencrypted',
    },
  },
];

const checks = (name: string) => ({ file: 'test/workers/check-provider.services.ts', name });
const examples = (name: string) => ({ file: 'test/local/example-users.services.ts', name });

const INSTALLATION: readonly Guard[] = [
  {
    id: 'provider-address-kept',
    against: 'the record of one provider is used with another one',
    file: 'workers/check-provider.ts',
    text: 'if (recorded.apiAddress === mine.apiAddress && recorded.accessKey',
    without: 'if (recorded.accessKey',
    test: checks('is not exchanged: another address'),
  },
  {
    id: 'provider-account-kept',
    against: 'the record of one account at the provider is used with another one',
    file: 'workers/check-provider.ts',
    text: 'recorded.apiAddress === mine.apiAddress && recorded.accessKey === mine.accessKey) continue;',
    without: 'recorded.apiAddress === mine.apiAddress) continue;',
    test: checks('is not exchanged: the sandbox’s key'),
  },
  {
    id: 'examples-in-sandbox',
    against: 'users for a trial are added to the record of a real provider',
    file: 'operations/user-commands.ts',
    text: 'if (!(await isOfSandbox(ownerUrl))) {',
    without: `if (ownerUrl === '') {`,
    test: examples('are not added to the record of a real provider'),
  },
  {
    id: 'sandbox-alone',
    against: 'a record with one real provider passes for a sandbox’s',
    file: 'store/users/owner-users.ts',
    text: 'select coalesce(bool_and(is_sandbox), false)',
    without: 'select coalesce(bool_or(is_sandbox), false)',
    test: examples('are not added to the record of a sandbox and a real provider'),
  },
];

export const SERVER_GUARDS: readonly Guard[] = [...SERVER, ...COMMAND_LINE, ...INSTALLATION];

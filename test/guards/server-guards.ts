import type { Guard } from './guard.ts';

/** Checks of the server, of tokens on the command line, and that a database belongs to one installation. */

const ACCESS = 'server/users/access.ts';
const CREDENTIALS = 'server/users/credentials.ts';
const routes = (name: string) => ({ file: 'test/server/server-access.test.ts', name });
const metrics = (name: string) => ({ file: 'test/server/server-metrics.test.ts', name });
const signIn = (name: string) => ({ file: 'test/server/server-sign-in.test.ts', name });
const webhooks = (name: string) => ({ file: 'test/server/server-webhooks.test.ts', name });

const SERVER: readonly Guard[] = [
  {
    id: 'token-asked',
    against: 'a request without a token is accepted',
    file: ACCESS,
    text: `if (access === 'anyone' || request.is404) return;`,
    without: 'return;',
    test: routes('a token that is none is answered 401'),
  },
  {
    id: 'token-known',
    against: 'an invalid token is accepted',
    file: CREDENTIALS,
    text: `const found = await application.signIn(token);
    if (found.kind === 'signed_in') return found.user;`,
    without: `const found = await application.signIn(token);
    if (found.kind === 'signed_in' || token !== '') return (found as unknown as { user: SignedIn }).user;`,
    test: routes('a token that is unknown is answered 401'),
  },
  {
    id: 'role-asked',
    against: 'a route accepts users without the permission',
    file: ACCESS,
    text: `if (access !== 'signed_in' && !mayAny(user.roles, access)) {`,
    without: `if (access !== 'signed_in' && user.roles === null) {`,
    test: routes("'POST /api/v1/runs/{runId}/approve' may be called only by the roles in the table"),
    behind: 'for changes, the functions of the database',
  },
  {
    id: 'metrics-token-for-metrics',
    against: 'the token of the metrics opens other routes as well',
    file: ACCESS,
    text: 'if (request.routeOptions.config.acceptsMetricsToken === true && showsMetricsToken(request, guards)) return;',
    without: 'if (showsMetricsToken(request, guards)) return;',
    test: metrics('whoever has the token of the metrics reads them, and nothing else'),
  },
  {
    id: 'metrics-of-all-accounts',
    against: 'a user who is limited to accounts reads figures of others',
    file: 'server/metrics-route.ts',
    text: 'if (request.user !== null && userOf(request).accounts !== null) {',
    without: 'if (request.user !== null && userOf(request).userId === null) {',
    test: metrics('a user who is limited to accounts does not read the metrics'),
  },
  {
    id: 'error-texts-not-exported',
    against: 'texts of errors, which quote values, leave with traces',
    file: 'telemetry/tracing.ts',
    text: 'new BatchSpanProcessor(withoutErrorTexts(exporter))',
    without: 'new BatchSpanProcessor(exporter)',
    test: { file: 'test/telemetry/tracing.test.ts', name: 'the texts of errors are not exported' },
  },
  {
    id: 'route-says-who',
    against: 'a route without an access rule is open',
    file: ACCESS,
    text: 'if (route.config?.access === undefined) throw new Error(`route ${route.url} does not say who may call it`);',
    without: 'if (route.config?.access === undefined) return;',
    test: routes('a route without an access rule'),
  },
  {
    id: 'approve-route',
    against: 'the approval route accepts more roles than those that may decide',
    file: 'api/approvals/endpoints.ts',
    text: `path: '/runs/:runId/approve',\n    access: 'decide_run',`,
    without: `path: '/runs/:runId/approve',\n    access: 'read_runs',`,
    test: routes("'POST /api/v1/runs/{runId}/approve' may be called only by the roles in the table"),
    behind: 'may-decide-run',
  },
  {
    id: 'instructions-masked',
    against: 'bank details are shown to users without the permission',
    file: ACCESS,
    text: `return mayAny(userOf(request).roles, 'read_instructions');`,
    without: 'return userOf(request).userId.length > 0;',
    test: {
      file: 'test/server/server-reviews.test.ts',
      name: 'bank details, reference, purpose and files only if the role allows it',
    },
  },
  {
    id: 'tokens-of-others',
    against: 'someone lists the tokens of other users',
    file: 'server/users/token-routes.ts',
    text: `const all = request.query.own === 'false' && managesUsers(user);`,
    without: `const all = request.query.own === 'false';`,
    test: { file: 'test/server/server-tokens.test.ts', name: 'are listed only to their own user' },
  },
  {
    id: 'sign-in-delayed',
    against: 'tokens can be guessed without a delay',
    file: CREDENTIALS,
    text: 'await guards.signInDelay.wait(request.ip);',
    without: '',
    test: signIn('is recorded with the address'),
  },
  {
    id: 'code-delayed',
    against: 'invitation codes can be guessed without a delay',
    file: 'server/users/invitation-routes.ts',
    text: 'await guards.signInDelay.wait(request.ip);',
    without: '',
    test: { file: 'test/server/server-tokens.test.ts', name: 'with a wrong code is recorded' },
  },
  {
    id: 'delay-doubles',
    against: 'the delay for wrong guesses does not grow',
    file: 'server/users/sign-in-delay.ts',
    text: 'pauseAfter(count, WAITS)',
    without: 'pauseAfter(1, WAITS)',
    test: signIn('waits longer each time'),
  },
  {
    id: 'refusals-noted',
    against: 'refused attempts are not recorded',
    file: ACCESS,
    text: `guards.refused.note({ kind: 'access_refused', address: request.ip, userId, tokenId, route, why: access });`,
    without: '',
    test: signIn('is recorded with user, token and route'),
  },
  {
    id: 'webhook-address',
    against: 'anyone puts events into the inbox',
    file: 'server/webhooks/webhook-tokens.ts',
    text: 'if (isSameHash(account.tokenHash, hash)) found = account;',
    without: 'found = account;',
    test: webhooks('answers an unknown token like an address that does not exist'),
    behind: 'an event only makes the worker read the payment (server-moves-no-payment)',
  },
  {
    id: 'webhook-headers',
    against: 'an event without the configured headers is accepted',
    file: 'server/webhooks/webhook-routes.ts',
    text: 'if (faults === null) return tooMany(request, account);',
    without: 'if (account.perMinute > 0) return tooMany(request, account);',
    test: webhooks('refuse an event with all missing'),
    behind: 'an event only makes the worker read the payment (server-moves-no-payment)',
  },
];

const COMMAND_LINE: readonly Guard[] = [
  {
    id: 'token-to-its-address',
    against: 'a token is sent to another address than it was stored for',
    file: 'config/sign-ins.ts',
    text: '.filter((signIn) => signIn.url === address)',
    without: '.filter(() => address.length > 0)',
    test: { file: 'test/config/sign-ins.test.ts', name: 'is another one, whose server gets none of their tokens' },
  },
  {
    id: 'token-not-redirected',
    against: 'a server redirects a token to another server',
    file: 'client/sdk/http-caller.ts',
    text: `redirect: 'error'`,
    without: `redirect: 'follow'`,
    test: { file: 'test/client/sdk-client.test.ts', name: 'sends its token to no other server' },
  },
  {
    id: 'token-encrypted',
    against: 'a token is sent unencrypted',
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
    file: 'store/accounts/provider-accounts.ts',
    text: 'return one.apiAddress === other.apiAddress && one.accessKey',
    without: 'return one.accessKey',
    test: checks('cannot be replaced: another address'),
  },
  {
    id: 'provider-account-kept',
    against: 'the record of one account at the provider is used with another one',
    file: 'store/accounts/provider-accounts.ts',
    text: 'one.apiAddress === other.apiAddress && one.accessKey === other.accessKey;',
    without: 'one.apiAddress === other.apiAddress;',
    test: checks('cannot be replaced: the sandbox’s key'),
  },
  {
    id: 'examples-in-sandbox',
    against: 'example users are added to the database of a real provider',
    file: 'operations/user-commands.ts',
    text: 'if (!(await isSandboxRecord(ownerUrl))) {',
    without: `if (ownerUrl === '') {`,
    test: examples('are not added to the record of a real provider'),
  },
  {
    id: 'sandbox-alone',
    against: 'a database with one real provider counts as a sandbox’s',
    file: 'store/users/owner-users.ts',
    text: 'select coalesce(bool_and(is_sandbox), false)',
    without: 'select coalesce(bool_or(is_sandbox), false)',
    test: examples('are not added to the record of a sandbox and a real provider'),
  },
];

export const SERVER_GUARDS: readonly Guard[] = [...SERVER, ...COMMAND_LINE, ...INSTALLATION];

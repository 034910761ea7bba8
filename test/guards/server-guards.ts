import type { Guard } from './guard.ts';

const AUDIT_EXPORT = 'test/domain/audit-export.test.ts';
const SERVER_ACCESS = 'test/server/server-access.test.ts';
const SERVER_METRICS = 'test/server/server-metrics.test.ts';
const SERVER_TOKENS = 'test/server/server-tokens.test.ts';
const SERVER_PROXIES = 'test/server/server-proxies.test.ts';
const DAILY_USES = 'test/store/daily-uses.services.ts';
const SERVER_QUOTAS = 'test/server/server-quotas.test.ts';
const SERVER_READS = 'test/server/server-reads.test.ts';
const SERVER_SIGN_IN = 'test/server/server-sign-in.test.ts';
const WEBHOOK_DAYS = 'test/store/webhook-days.services.ts';
const SERVER_WEBHOOKS = 'test/server/server-webhooks.test.ts';
const CHECK_PROVIDER = 'test/workers/check-provider.services.ts';
const EXAMPLE_USERS = 'test/local/example-users.services.ts';

/** Checks of the server, of tokens on the command line, and that a database belongs to one installation. */
export const SERVER_GUARDS: readonly Guard[] = [
  {
    id: 'token-asked',
    against: 'a request without a token is accepted',
    without: 'return;',
    test: { file: SERVER_ACCESS, name: 'a token that is none is answered 401' },
  },
  {
    id: 'token-known',
    against: 'an invalid token is accepted',
    without:
      "const found = await application.signIn(token);\nif (found.kind === 'signed_in' || token !== '') return (found as unknown as { user: SignedIn }).user;",
    test: { file: SERVER_ACCESS, name: 'a token that is unknown is answered 401' },
  },
  {
    id: 'role-asked',
    against: 'a route accepts users without the permission',
    without: "if (access !== 'signed_in' && user.roles === null) {",
    test: {
      file: SERVER_ACCESS,
      name: "'POST /api/v1/runs/{runId}/approve' may be called only by the roles in the table",
    },
    behind: 'for changes, the functions of the database',
  },
  {
    id: 'metrics-token-for-metrics',
    against: 'the token of the metrics opens other routes as well',
    without: 'if (showsMetricsToken(request, guards)) return;',
    test: { file: SERVER_METRICS, name: 'whoever has the token of the metrics reads them, and nothing else' },
  },
  {
    id: 'metrics-of-all-accounts',
    against: 'a user who is limited to accounts reads metrics of others',
    without: 'if (request.user !== null && userOf(request).userId === null) {',
    test: { file: SERVER_METRICS, name: 'a user who is limited to accounts does not read the metrics' },
  },
  {
    id: 'error-texts-not-exported',
    against: 'texts of errors, which quote values, leave with traces',
    without: 'spanProcessors: [new BatchSpanProcessor(exporter)],',
    test: { file: 'test/telemetry/tracing.test.ts', name: 'the texts of errors are not exported' },
  },
  {
    id: 'route-says-who',
    against: 'a route without an access rule is open',
    without: 'if (route.config?.access === undefined) return;',
    test: { file: SERVER_ACCESS, name: 'a route without an access rule' },
  },
  {
    id: 'approve-route',
    against: 'the approval route accepts more roles than those that may decide',
    without: "access: 'read_runs',",
    test: {
      file: SERVER_ACCESS,
      name: "'POST /api/v1/runs/{runId}/approve' may be called only by the roles in the table",
    },
    behind: 'may-decide-run',
  },
  {
    id: 'instructions-masked',
    against: 'bank details are shown to users without the permission',
    without: 'return userOf(request).userId.length > 0;',
    test: {
      file: 'test/server/server-reviews.test.ts',
      name: 'bank details, reference, purpose and files only if the role allows it',
    },
  },
  {
    id: 'tokens-of-others',
    against: 'someone lists the tokens of other users',
    without: 'const all = !own;',
    test: { file: SERVER_TOKENS, name: 'are listed only to their own user' },
  },
  {
    id: 'sign-in-delayed',
    against: 'tokens can be guessed without a delay',
    without: '',
    test: { file: SERVER_SIGN_IN, name: 'is recorded with the address' },
  },
  {
    id: 'code-delayed',
    against: 'invitation codes can be guessed without a delay',
    without: '',
    test: { file: SERVER_TOKENS, name: 'with a wrong code is recorded' },
  },
  {
    id: 'delay-doubles',
    against: 'the delay for wrong guesses does not grow',
    without: 'await this.#sleep(pauseAfter(1, WAITS));',
    test: { file: SERVER_SIGN_IN, name: 'waits longer each time' },
  },
  {
    id: 'refusals-noted',
    against: 'refused attempts are not recorded',
    without: '',
    test: { file: SERVER_SIGN_IN, name: 'is recorded with user, token and route' },
  },
  {
    id: 'reads-noted',
    against: 'personal data is read without a trace',
    without: 'await noted.once(key, () => Promise.resolve());',
    test: { file: SERVER_READS, name: 'is noted with user, token, route, run, permission and origin' },
  },
  {
    id: 'reads-noted-by-address',
    against: 'whoever has found a token reads what its user has read within the hour, without a trace',
    without: 'const key = JSON.stringify([user.tokenId, read]);',
    test: { file: SERVER_READS, name: 'is noted again from another address' },
  },
  {
    id: 'read-as-declared',
    against: 'an endpoint that does not say so shows personal data, and nothing is noted',
    without: '',
    test: { file: SERVER_READS, name: 'an endpoint that does not declare that it shows personal data shows none' },
  },
  {
    id: 'proxies-as-listed',
    against: 'whoever connects says where a request comes from',
    without: 'trustProxy: true,',
    test: { file: SERVER_PROXIES, name: 'is whoever connects, whatever a header says' },
  },
  {
    id: 'host-as-asked',
    against: 'a client that a proxy passes on names the host whose cookies and origin count',
    without: '',
    test: { file: SERVER_PROXIES, name: 'the host is the one that the proxy asks for, not one that a header names' },
  },
  {
    id: 'https-from-then-on',
    against: 'a browser that has reached payrun by https goes on without it',
    without: '',
    test: { file: SERVER_PROXIES, name: 'where a trusted proxy says that it is reached by https' },
  },
  {
    id: 'export-without-gaps',
    against: 'entries are left out of an export, and nobody sees it',
    without: '',
    test: { file: AUDIT_EXPORT, name: 'is broken where entries are missing within a piece, or between two' },
  },
  {
    id: 'export-goes-on',
    against: 'an export goes on with an audit trail that was written again',
    without: '',
    test: { file: AUDIT_EXPORT, name: 'is broken where the trail was written again between two pieces' },
  },
  {
    id: 'export-hashed-again',
    against: 'entries of an export are altered',
    without: '',
    test: { file: AUDIT_EXPORT, name: 'is broken where an entry was altered' },
  },
  {
    id: 'provider-token-encrypted',
    against: 'whoever reads the database or a backup acts as the company at the provider',
    without: "const encrypted = Buffer.from(token, 'utf8');",
    test: {
      file: 'test/store/provider-tokens.services.ts',
      name: 'is in the database only encrypted, so that no dump has it',
    },
  },
  {
    id: 'uploads-counted',
    against: 'one user fills the disk with files',
    without: '',
    test: { file: SERVER_QUOTAS, name: 'is counted with its bytes before it is received' },
  },
  {
    id: 'unknown-size-counts-whole',
    against: 'files that do not say how large they are count as nothing',
    without: 'return Number.isInteger(size) ? size : 0;',
    test: { file: SERVER_QUOTAS, name: 'is counted as the largest where it does not say how large it is' },
  },
  {
    id: 'reports-counted',
    against: 'one user asks for reports and dry runs without end',
    without: '',
    test: { file: SERVER_QUOTAS, name: 'getReconciliationFile is counted' },
  },
  {
    id: 'uses-a-day',
    against: 'one user sends any number of files in a day',
    without: '',
    test: { file: DAILY_USES, name: 'a user has so many of a kind in a day' },
  },
  {
    id: 'bytes-a-day',
    against: 'one user sends any number of bytes in a day',
    without: ';',
    test: { file: DAILY_USES, name: 'a user has so many bytes in a day' },
  },
  {
    id: 'reserve-of-the-database',
    against: 'files fill the disk, so that a stop cannot be stored any more',
    without: '',
    test: { file: DAILY_USES, name: 'no files are received while the database has only its reserve left' },
  },
  {
    id: 'guessable-password',
    against: 'a password of a breach, or of the name of its user, signs in',
    without: 'if (score >= 0) return;',
    test: { file: 'test/server/passwords.services.ts', name: 'that is a common one is refused' },
  },
  {
    id: 'webhook-secret-configured',
    against: 'webhooks of a real provider are received by a secret that nobody has chosen or can replace',
    without: 'account.name === null && !hasOwnWebhookSecret(account),',
    test: { file: WEBHOOK_DAYS, name: 'are required with a provider that is no sandbox' },
  },
  {
    id: 'webhook-bytes-a-day',
    against: 'whoever knows the address of webhooks fills the disk',
    without: 'if (limit !== null && bytes < 0) {',
    test: { file: WEBHOOK_DAYS, name: 'what the webhooks of an account take in a day is limited' },
  },
  {
    id: 'webhook-address',
    against: 'anyone puts events into the inbox',
    without: 'found = account;',
    test: { file: SERVER_WEBHOOKS, name: 'answers an unknown token like an address that does not exist' },
    behind: 'an event only makes the worker read the payment (server-moves-no-payment)',
  },
  {
    id: 'webhook-headers',
    against: 'an event without the configured headers is accepted',
    without: 'if (account.perMinute > 0) return tooMany(request, account);',
    test: { file: SERVER_WEBHOOKS, name: 'refuse an event with all missing' },
    behind: 'an event only makes the worker read the payment (server-moves-no-payment)',
  },
  {
    id: 'token-to-its-address',
    against: 'a token is sent to another address than it was stored for',
    without: 'return readSignIns(home).filter(() => address.length > 0);',
    test: { file: 'test/config/sign-ins.test.ts', name: 'is another one, whose server gets none of their tokens' },
  },
  {
    id: 'token-not-redirected',
    against: 'a server redirects a token to another server',
    without: "const init: RequestInit = { method, headers, redirect: 'follow', signal: signal ?? null };",
    test: { file: 'test/client/sdk-client.test.ts', name: 'sends its token to no other server' },
  },
  {
    id: 'token-encrypted',
    against: 'a token is sent unencrypted',
    without: '',
    test: {
      file: 'test/client/cli-encryption.test.ts',
      name: 'sends no token to a server that it would reach unencrypted',
    },
  },
  {
    id: 'provider-address-kept',
    against: 'the data of one provider is used with another one',
    without: 'return one.accessKey === other.accessKey;',
    test: { file: CHECK_PROVIDER, name: 'cannot be replaced: another address' },
  },
  {
    id: 'provider-account-kept',
    against: 'the data of one account at the provider is used with another one',
    without: 'return one.apiAddress === other.apiAddress;',
    test: { file: CHECK_PROVIDER, name: 'cannot be replaced: the sandbox’s key' },
  },
  {
    id: 'examples-in-sandbox',
    against: 'example users are added to the database of a real provider',
    without: "if (ownerUrl === '') {",
    test: { file: EXAMPLE_USERS, name: 'are not added to the database of a real provider' },
  },
  {
    id: 'sandbox-alone',
    against: 'a database with one real provider counts as a sandbox’s',
    without: "const statement = 'select coalesce(bool_or(is_sandbox), false) as answer from provider_accounts';",
    test: { file: EXAMPLE_USERS, name: 'are not added to the database of a sandbox and a real provider' },
  },
];

import type { FastifyRequest } from 'fastify';
import type { Application } from '../../application/create-application.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { mayRead, type SignedIn } from '../../application/users/signed-in.ts';
import type { Access } from '../../api/endpoint.ts';
import { mayAny, type Permission, type PersonalRead, rolesThatMay } from '../../domain/users/role.ts';
import { scopeOf } from '../../domain/users/token-scope.ts';
import type { Api } from '../api.ts';
import { refuseOtherAccountGiven, refuseOtherAccounts } from './account-limits.ts';
import { type AccessGuards, bearerToken, userBehind } from './credentials.ts';
import { noteReads } from './noted-reads.ts';
import { hashOf, isSameHash } from './secret-hash.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Also in a session that awaits the second factor of its sign-in. */
    whileSigningIn?: boolean;
    /** Counts as one of the reports of the day. */
    isReport?: boolean;
    /** What its answer may show of personal data. */
    reads?: readonly PersonalRead[];
    /** Also for whoever shows the token of the metrics. */
    acceptsMetricsToken?: boolean;
  }
  interface FastifyRequest {
    user: SignedIn | null;
  }
}

type AccessApplication = Pick<Application, 'signIn' | 'resumeSession' | 'accountOf' | 'noteRead' | 'useReport'>;

/**
 * Checks the token or session, the roles and the account of what the address names before a route of this scope reads its body,
 * and the account that its query or body names before it is handled. A route without `config.access` makes the server fail to
 * start, so that none is open by oversight. Refused requests are recorded, and repeated attempts with a wrong token wait longer
 * each time.
 */
export function requireAccess(
  app: Api,
  application: AccessApplication,
  guards: AccessGuards,
  publicUrl: string | null,
): void {
  app.decorateRequest('user', null);
  app.addHook('onRoute', (route) => {
    // guard: route-says-who
    if (route.config?.access === undefined) throw new Error(`route ${route.url} does not say who may call it`);
    route.schema = {
      ...route.schema,
      security: route.config.access === 'anyone' ? [] : [{ bearer: [] }, { session: [] }],
    };
  });
  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access ?? 'signed_in';
    // guard: token-asked
    if (access === 'anyone' || request.is404) return;
    // guard: metrics-token-for-metrics
    if (request.routeOptions.config.acceptsMetricsToken === true && showsMetricsToken(request, guards)) return;
    const user = await userBehind(request, reply, application, { guards, publicUrl });
    // guard: nothing-read-before-the-factor
    if (user.awaitsFactor === true && request.routeOptions.config.whileSigningIn !== true) {
      throw new ApplicationError('second_factor_needed', 'show the second factor of your sign-in first', {
        details: { subject: { kind: 'session' } },
      });
    }
    // guard: role-asked
    if (access !== 'signed_in' && !mayAny(user.roles, access)) {
      const route = `${request.method} ${request.routeOptions.url ?? ''}`;
      const { userId, tokenId } = user;
      // guard: refusals-noted
      guards.refused.note({ kind: 'access_refused', address: request.ip, userId, tokenId, route, why: access });
      const roles = user.roles.length === 0 ? 'you have no role yet' : `your roles are: ${user.roles.join(', ')}`;
      const allowed = rolesThatMay(access);
      const role = allowed.length === 1 ? 'the role' : 'the roles';
      throw new ApplicationError('not_allowed', `this is for ${role} ${allowed.join(', ')}; ${roles}`);
    }
    if (access !== 'signed_in') refuseOtherScopes(request, user, access, guards);
    await refuseOtherAccounts(request, user, application, guards);
    const { reads = [] } = request.routeOptions.config;
    request.user = { ...user, reads: reads.filter((permission) => mayAny(user.roles, permission)) };
  });
  app.addHook('preHandler', async (request) => {
    const { user } = request;
    if (user === null) return;
    refuseOtherAccountGiven(request, user, guards);
    // guard: reports-counted
    if (request.routeOptions.config.isReport === true) await application.useReport(user);
  });
  noteReads(app, application);
}

/** What a token was not made for, its user does with another one, or at the console. */
function refuseOtherScopes(
  request: FastifyRequest,
  user: SignedIn,
  access: Permission,
  { refused }: AccessGuards,
): void {
  const scope = scopeOf(access);
  // guard: scope-asked-by-server
  if (user.scopes.includes(scope)) return;
  const route = `${request.method} ${request.routeOptions.url ?? ''}`;
  const { userId, tokenId } = user;
  refused.note({ kind: 'access_refused', address: request.ip, userId, tokenId, route, why: `scope ${scope}` });
  throw new ApplicationError(
    'not_allowed',
    `this takes a token with the scope ${scope}; yours has: ${user.scopes.join(', ')}`,
  );
}

function showsMetricsToken(request: FastifyRequest, { metricsTokenHash: known = null }: AccessGuards): boolean {
  const token = bearerToken(request.headers.authorization);
  return token !== null && known !== null && isSameHash(hashOf(token), known);
}

/** The user behind a request that has passed `requireAccess`. */
export function userOf(request: FastifyRequest): SignedIn {
  if (request.user === null) throw new Error('a route that is open to anyone asked who is calling');
  return request.user;
}

/** Whether the user behind a request may see bank details and other payment instructions. */
export function mayReadInstructions(request: FastifyRequest): boolean {
  // guard: instructions-masked
  return mayRead(userOf(request), 'read_instructions');
}

/** Whether the user behind a request may see personal data of applicants. */
export function mayReadApplicants(request: FastifyRequest): boolean {
  return mayRead(userOf(request), 'read_applicants');
}

import type { FastifyRequest } from 'fastify';
import type { Application } from '../../application/create-application.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { mayUse, type SignedIn } from '../../application/users/signed-in.ts';
import type { Access } from '../../api/endpoint.ts';
import { caseId } from '../../api/onboarding/case.ts';
import { scheduleId } from '../../api/treasury/schedule.ts';
import { runId } from '../../api/runs/run.ts';
import { orderId } from '../../api/treasury/order.ts';
import { mayAny, rolesThatMay } from '../../domain/users/role.ts';
import type { Api } from '../api.ts';
import { type AccessGuards, bearerToken, userBehind } from './credentials.ts';
import { hashOf, isSameHash } from './secret-hash.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Also for whoever shows the token of the metrics. */
    acceptsMetricsToken?: boolean;
  }
  interface FastifyRequest {
    user: SignedIn | null;
  }
}

type AccessApplication = Pick<
  Application,
  'signIn' | 'resumeSession' | 'accountOfRun' | 'accountOfCase' | 'accountOfOrder' | 'accountOfSchedule'
>;

/**
 * Checks the token or session, the roles and the account of the run, case or schedule before a route of this scope reads its body. A route
 * without `config.access` makes the server fail to start, so that none is open by oversight. Refused requests are
 * recorded, and repeated attempts with a wrong token wait longer each time.
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
    await refuseOtherAccount(request, user, application, guards);
    request.user = user;
  });
}

function showsMetricsToken(request: FastifyRequest, { metricsTokenHash: known = null }: AccessGuards): boolean {
  const token = bearerToken(request.headers.authorization);
  return token !== null && known !== null && isSameHash(hashOf(token), known);
}

/** What an address may name that belongs to an account, by the name of its parameter. */
const OF_AN_ACCOUNT = [
  { parameter: 'runId', noun: 'run', id: runId, read: 'accountOfRun' },
  { parameter: 'caseId', noun: 'case', id: caseId, read: 'accountOfCase' },
  { parameter: 'orderId', noun: 'order', id: orderId, read: 'accountOfOrder' },
  { parameter: 'scheduleId', noun: 'schedule', id: scheduleId, read: 'accountOfSchedule' },
] as const;

/**
 * For every route with one of these parameters: to a user who is limited to accounts, a run, case, order or schedule of another
 * account is one that does not exist. Anything else than such an id names none.
 */
async function refuseOtherAccount(
  request: FastifyRequest,
  user: SignedIn,
  application: AccessApplication,
  guards: AccessGuards,
): Promise<void> {
  const params = request.params as Record<string, string | undefined>;
  const named = OF_AN_ACCOUNT.find(({ parameter }) => params[parameter] !== undefined);
  if (user.accounts === null || named === undefined) return;
  const given = params[named.parameter] ?? '';
  const id = named.id.safeParse(given).data;
  const account = id === undefined ? null : await application[named.read](id);
  // guard: run-of-other-account-hidden
  if (account !== null && mayUse(user, account)) return;
  if (account !== null) {
    const { userId, tokenId } = user;
    const route = `${request.method} ${request.routeOptions.url ?? ''}`;
    guards.refused.note({ kind: 'access_refused', address: request.ip, userId, tokenId, route, why: 'account' });
  }
  throw new ApplicationError('not_found', `there is no ${named.noun} ${id ?? given}`);
}

/** The user behind a request that has passed `requireAccess`. */
export function userOf(request: FastifyRequest): SignedIn {
  if (request.user === null) throw new Error('a route that is open to anyone asked who is calling');
  return request.user;
}

/** Whether the user behind a request may see bank details and other payment instructions. */
export function mayReadInstructions(request: FastifyRequest): boolean {
  // guard: instructions-masked
  return mayAny(userOf(request).roles, 'read_instructions');
}

/** Whether the user behind a request may see personal data of applicants. */
export function mayReadApplicants(request: FastifyRequest): boolean {
  return mayAny(userOf(request).roles, 'read_applicants');
}

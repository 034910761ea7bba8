import type { FastifyRequest } from 'fastify';
import type { Application } from '../../application/application-api.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { mayUse, type SignedIn } from '../../application/users/signed-in.ts';
import { runParams } from '../../api/runs/run.ts';
import type { Permission } from '../../domain/users/role.ts';
import { mayAny, rolesThatMay } from '../../domain/users/role.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import type { RefusedAccessLog } from './refused-access.ts';
import type { SignInDelay } from './sign-in-delay.ts';

/** Who may call a route: anyone, any signed-in user, or users with a role that has the permission. */
type Access = 'anyone' | 'signed_in' | Permission;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    user: SignedIn | null;
  }
}

export interface AccessGuards {
  signInDelay: SignInDelay;
  refused: RefusedAccessLog;
}

type AccessApplication = Pick<Application, 'signIn' | 'accountOfRun'>;

/** Tokens are far shorter: a longer one is refused before it is hashed. */
const MAX_TOKEN_LENGTH = 512;

/**
 * Checks the bearer token, the roles and the account of the run before a route of this scope reads its body. A route
 * without `config.access` makes the server fail to start, so that none is open by oversight. Refused requests are
 * recorded, and repeated attempts with a wrong token wait longer each time.
 */
export function requireAccess(app: Api, application: AccessApplication, guards: AccessGuards): void {
  app.decorateRequest('user', null);
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) throw new Error(`route ${route.url} does not say who may call it`);
    route.schema = { ...route.schema, security: route.config.access === 'anyone' ? [] : [{ bearer: [] }] };
  });
  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access ?? 'signed_in';
    if (access === 'anyone' || request.is404) return;
    const token = bearerToken(request.headers.authorization);
    if (token === null) {
      void reply.header('www-authenticate', 'Bearer realm="payrun"');
      throw new HttpError(
        401,
        'unauthenticated',
        'nobody is signed in: a token is needed, as "Authorization: Bearer <token>"',
      );
    }
    const found = await application.signIn(token);
    if (found.kind === 'refused') {
      guards.refused.note({
        kind: 'sign_in_refused',
        address: request.ip,
        userId: found.known?.userId ?? null,
        tokenId: found.known?.tokenId ?? null,
        route: null,
        why: found.known?.why ?? 'unknown_token',
      });
      await guards.signInDelay.wait(request.ip);
      void reply.header('www-authenticate', 'Bearer realm="payrun"');
      throw new HttpError(401, 'unauthenticated', 'the token is unknown, expired or revoked: sign in again');
    }
    const { user } = found;
    if (access !== 'signed_in' && !mayAny(user.roles, access)) {
      const route = `${request.method} ${request.routeOptions.url ?? ''}`;
      const { userId, tokenId } = user;
      guards.refused.note({ kind: 'access_refused', address: request.ip, userId, tokenId, route, why: access });
      const roles = user.roles.length === 0 ? 'you have no role yet' : `your roles are: ${user.roles.join(', ')}`;
      throw new ApplicationError('not_allowed', `this is for the roles ${rolesThatMay(access).join(', ')}; ${roles}`);
    }
    await refuseRunOfOtherAccount(request, user, application, guards);
    request.user = user;
  });
}

/**
 * For every route with a `runId`: to a user who is limited to accounts, a run of another account is a run that does not
 * exist. Anything else than the id of a run names none.
 */
async function refuseRunOfOtherAccount(
  request: FastifyRequest,
  user: SignedIn,
  application: AccessApplication,
  guards: AccessGuards,
): Promise<void> {
  const params = request.params as { runId?: string };
  if (user.accounts === null || params.runId === undefined) return;
  const runId = runParams.shape.runId.safeParse(params.runId).data;
  const account = runId === undefined ? null : await application.accountOfRun(runId);
  if (account !== null && mayUse(user, account)) return;
  if (account !== null) {
    const { userId, tokenId } = user;
    const route = `${request.method} ${request.routeOptions.url ?? ''}`;
    guards.refused.note({ kind: 'access_refused', address: request.ip, userId, tokenId, route, why: 'account' });
  }
  throw new ApplicationError('not_found', `there is no run ${runId ?? params.runId}`);
}

/** The user behind a request that has passed `requireAccess`. */
export function userOf(request: FastifyRequest): SignedIn {
  if (request.user === null) throw new Error('a route that is open to anyone asked who is calling');
  return request.user;
}

/** Whether the user behind a request may see bank details and other payment instructions. */
export function mayReadInstructions(request: FastifyRequest): boolean {
  return mayAny(userOf(request).roles, 'read_instructions');
}

function bearerToken(header: string | undefined): string | null {
  const token = /^Bearer +([!-~]+)$/i.exec(header ?? '')?.[1];
  return token === undefined || token.length > MAX_TOKEN_LENGTH ? null : token;
}

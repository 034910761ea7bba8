import type { FastifyRequest } from 'fastify';
import type { Engine, Person } from '../client/engine/engine-api.ts';
import { EngineError } from '../client/engine/engine-error.ts';
import type { Actor, Permission } from '../domain/role.ts';
import { roleMay } from '../domain/role.ts';
import type { Api } from './api.ts';
import { Refusal } from './refusal.ts';

/** Who may call a route: anyone at all, anyone who is signed in, or those whose role has the permission. */
type Access = 'anyone' | 'signed_in' | Permission;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    person: Person | null;
  }
}

/** Tokens are far shorter: what is longer is refused before anything is computed from it. */
const LONGEST_TOKEN = 512;

/**
 * Checks the bearer token and the role before a route of this scope reads its body. A route without `config.access`
 * is refused when the server is built, so that none is open by oversight.
 */
export function requireAccess(app: Api, engine: Pick<Engine, 'authenticate'>): void {
  app.decorateRequest('person', null);
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) throw new Error(`route ${route.url} does not say who may call it`);
    route.schema = { ...route.schema, security: route.config.access === 'anyone' ? [] : [{ bearer: [] }] };
  });
  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access ?? 'signed_in';
    if (access === 'anyone' || request.is404) return;
    const token = bearerToken(request.headers.authorization);
    const person = token === null ? null : await engine.authenticate(token);
    if (person === null) {
      void reply.header('www-authenticate', 'Bearer realm="payrun"');
      throw new Refusal(
        401,
        'unauthenticated',
        token === null
          ? 'this needs a token: send it as "Authorization: Bearer <token>"'
          : 'the token is unknown, expired or revoked: ask an administrator for a new one',
      );
    }
    if (access !== 'signed_in' && !roleMay(person.role, access)) {
      throw new EngineError('not_allowed', `the role ${person.role} does not have the permission ${access}`);
    }
    request.person = person;
  });
}

/** The person behind a request that has passed `requireAccess`. */
export function personOf(request: FastifyRequest): Person {
  if (request.person === null) throw new Error('a route that is open to anyone asked who is calling');
  return request.person;
}

/** As `personOf`, without the name: what may stand in histories and audit entries. */
export function actorOf(request: FastifyRequest): Actor {
  const { userId, role } = personOf(request);
  return { userId, role };
}

function bearerToken(header: string | undefined): string | null {
  const token = /^Bearer +([!-~]+)$/i.exec(header ?? '')?.[1];
  return token === undefined || token.length > LONGEST_TOKEN ? null : token;
}

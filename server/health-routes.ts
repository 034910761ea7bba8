import type { Application } from '../application/create-application.ts';
import type { Api } from './api.ts';
import { safeError } from './request-log.ts';
import { json, publicErrorsOf } from '../api/answers.ts';
import { healthSchema } from '../api/health.ts';

/** Open to anyone: it says which service fails; the reason is only logged. */
export function addHealthRoute(
  app: Api,
  application: Pick<Application, 'health'>,
  version: string,
  operationId: string,
): void {
  app.get('/health', {
    config: { access: 'anyone' },
    schema: {
      operationId,
      tags: ['server'],
      summary: 'Whether the server and the services behind it answer',
      response: {
        200: json('Everything answers.', healthSchema),
        503: json('Something does not answer.', healthSchema),
        ...publicErrorsOf(),
      },
    },
    handler: async (request, reply) => {
      const problems: Record<string, string | null> = await application.health().catch((error: unknown) => {
        request.log.warn({ error: safeError(error) }, 'the health of the services could not be read');
        return { application: 'does not answer' };
      });
      const failing = Object.keys(problems).filter((service) => problems[service] !== null);
      const services = Object.fromEntries(
        Object.keys(problems).map((service) => [service, failing.includes(service) ? 'failing' : 'ok'] as const),
      );
      if (failing.length > 0) request.log.warn({ failing }, 'services are failing');
      const status = failing.length === 0 ? ('ok' as const) : ('failing' as const);
      return reply.code(failing.length === 0 ? 200 : 503).send({ status, version, services });
    },
  });
}

import { z } from 'zod';
import type { Application } from '../application/application-api.ts';
import type { Api } from './api.ts';
import { safeError } from './request-log.ts';
import { json, openRefusalsOf } from '../api/answers.ts';

const serviceState = z.enum(['ok', 'failing']);
const healthSchema = z
  .object({
    status: serviceState,
    version: z.string(),
    services: z.record(z.string(), serviceState),
  })
  .meta({ id: 'Health' });

/** Open to anyone, so it tells that a service fails, and leaves what fails in it to the log. */
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
        ...openRefusalsOf(),
      },
    },
    handler: async (request, reply) => {
      const troubles: Record<string, string | null> = await application.health().catch((error: unknown) => {
        request.log.warn({ error: safeError(error) }, 'the services could not be asked for their health');
        return { application: 'does not answer' };
      });
      const failing = Object.keys(troubles).filter((service) => troubles[service] !== null);
      const services = Object.fromEntries(
        Object.keys(troubles).map((service) => [service, failing.includes(service) ? 'failing' : 'ok'] as const),
      );
      if (failing.length > 0) request.log.warn({ failing }, 'services fail');
      const status = failing.length === 0 ? ('ok' as const) : ('failing' as const);
      return reply.code(failing.length === 0 ? 200 : 503).send({ status, version, services });
    },
  });
}

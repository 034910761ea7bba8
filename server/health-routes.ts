import { healthEndpoints } from '../api/server-endpoints.ts';
import type { Application } from '../application/create-application.ts';
import type { Api } from './api.ts';
import { safeError } from './request-log.ts';
import { serve } from './serve.ts';

/** It says which service fails; the reason is only logged. */
export function addHealthRoute(
  app: Api,
  application: Pick<Application, 'health'>,
  version: string,
  operationId: string = healthEndpoints.getHealth.operationId,
): void {
  serve(
    app,
    { getHealth: { ...healthEndpoints.getHealth, operationId } },
    {
      getHealth: async ({ request, reply }) => {
        const problems: Record<string, string | null> = await application.health().catch((error: unknown) => {
          request.log.warn({ error: safeError(error) }, 'the health of the services could not be read');
          return { application: 'does not answer' };
        });
        const failing = Object.keys(problems).filter((service) => problems[service] !== null);
        const services = Object.fromEntries(
          Object.keys(problems).map((service) => [service, failing.includes(service) ? 'failing' : 'ok'] as const),
        );
        if (failing.length === 0) return { status: 'ok' as const, version, services };
        request.log.warn({ failing }, 'services are failing');
        void reply.code(503);
        return { status: 'failing' as const, version, services };
      },
    },
  );
}

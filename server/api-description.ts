import swagger from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { descriptionEndpoints } from '../api/server-endpoints.ts';
import type { Api } from './api.ts';
import { serve } from './serve.ts';

/** Collects the description of every route registered after it, from the schemas that check their traffic. */
export async function describeApi(app: Api, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'payrun',
        version,
        description: 'Payment runs: submit a file, review what it would do, approve it, watch it, fetch its results.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'runs', description: 'Payment runs and their rows.' },
        { name: 'decisions', description: 'Approving, rejecting, withdrawing.' },
        {
          name: 'beneficiaries',
          description: 'The book of beneficiaries: their accounts, and who has confirmed them.',
        },
        { name: 'audit', description: 'What happened, by whom, and that nobody changed it since.' },
        { name: 'stops', description: 'Stopping payments, and ending stopped runs.' },
        { name: 'accounts', description: 'Balances with the provider and their history.' },
        { name: 'treasury', description: 'Orders to convert money of one balance into another currency.' },
        { name: 'reconciliation', description: "The provider's history compared with the database." },
        { name: 'onboarding', description: 'Users and companies, from their data to the decision of the provider.' },
        { name: 'notifications', description: 'Where notifications go, and what became of them.' },
        { name: 'sign-in', description: 'Sessions of the console, passwords and second factors.' },
        { name: 'users', description: 'Users, their roles and tokens, and the approval policy.' },
        { name: 'server', description: 'The server itself.' },
      ],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: "A token, as 'payrun login' and 'payrun tokens create' make them.",
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'payrun_session',
            description:
              'The session of the console; where it is opened at another machine, by https, `__Host-payrun_session`. What changes something also needs the header `x-payrun-console`, from the same site.',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => withoutUnused(jsonSchemaTransformObject(document)),
  });
}

/** Each schema is registered once for input and once for output; unused ones are left out. */
function withoutUnused(document: Record<string, unknown>): Record<string, unknown> {
  const components = document.components as { schemas?: Record<string, unknown> } | undefined;
  let schemas = components?.schemas ?? {};
  for (;;) {
    const text = JSON.stringify({ ...document, components: { ...components, schemas } });
    const used = Object.fromEntries(
      Object.entries(schemas).filter(([name]) => text.includes(`"#/components/schemas/${name}"`)),
    );
    if (Object.keys(used).length === Object.keys(schemas).length) {
      return { ...document, components: { ...components, schemas } };
    }
    schemas = used;
  }
}

export function addDescriptionRoute(app: Api): void {
  serve(app, descriptionEndpoints, { getDescription: () => ({ openapi: '3.1.0', ...app.swagger() }) });
}

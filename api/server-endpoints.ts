import { z } from 'zod';
import { json } from './answers.ts';
import { endpoints } from './endpoint.ts';

const serviceState = z.enum(['ok', 'failing']);

const healthSchema = z
  .object({
    status: serviceState,
    version: z.string(),
    services: z.record(z.string(), serviceState),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof healthSchema>;

export const healthEndpoints = endpoints({
  getHealth: {
    method: 'GET',
    path: '/health',
    access: 'anyone',
    limitedBy: 'nothing',
    tag: 'server',
    summary: 'Whether the server and the services behind it answer',
    answers: { 200: json('Everything answers.', healthSchema), 503: json('Something does not answer.', healthSchema) },
  },
});

export const descriptionEndpoints = endpoints({
  getDescription: {
    method: 'GET',
    path: '/openapi.json',
    access: 'anyone',
    limitedBy: 'nothing',
    tag: 'server',
    summary: 'This description',
    answers: { 200: json('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })) },
  },
});

/** Of the server itself, open to anyone. */
export const serverEndpoints = { ...healthEndpoints, ...descriptionEndpoints };

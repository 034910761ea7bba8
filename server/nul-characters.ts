import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error.ts';

/**
 * Refuses requests with the character NUL in their address or JSON body; the reader of forms refuses it in these. Postgres stores it in no text, so that a statement would
 * fail with it.
 */
export function refuseNulCharacters(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { params, query, body } = request;
    const place = Object.entries({ params, query, body }).find(([, value]) => hasNul(value))?.[0];
    if (place === undefined) done();
    else done(new HttpError(400, 'invalid_input', `${place}: must not contain the character NUL`));
  });
}

/** Of texts in JSON, and of forms' names and fields; files and bodies that are kept as bytes are not looked at. */
export function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return false;
  return Object.entries(value).some(([name, each]) => name.includes('\0') || hasNul(each));
}

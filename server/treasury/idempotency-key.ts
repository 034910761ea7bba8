import type { FastifyRequest } from 'fastify';
import { HttpError } from '../http-error.ts';

/** Throws HttpError (400) unless the request has one. */
export function idempotencyKeyOf({ headers }: FastifyRequest): string {
  const key = headers['idempotency-key'];
  if (typeof key === 'string' && /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new HttpError(400, 'invalid_input', 'Idempotency-Key: give one of 1 to 200 visible ASCII characters');
}

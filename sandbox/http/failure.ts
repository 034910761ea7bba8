import type { FastifyReply } from 'fastify';
import { type Json, writeJson } from '../json.ts';
import { Refusal, WrongMethod } from '../refusal.ts';

export const jsonType = 'application/json; charset=utf-8';

/** Writes any failure as `{code, message}`; what is not foreseen is a 500 without its particulars. */
export function answerFailure(error: unknown, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal.retryAfterSeconds !== undefined) void reply.header('retry-after', String(refusal.retryAfterSeconds));
  if (refusal instanceof WrongMethod) void reply.header('allow', refusal.allow);
  const body: Json = { code: refusal.code, message: refusal.message };
  return reply.code(refusal.status).type(jsonType).send(writeJson(body));
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { statusCode = 500, message = '' } = error as { statusCode?: number; message?: string };
  if (statusCode === 413) return new Refusal(413, 'body_too_large', 'the body is too large');
  if (statusCode === 415) return new Refusal(400, 'validation_failed', 'Content-Type: must be application/json');
  if (statusCode >= 400 && statusCode < 500) return new Refusal(statusCode, 'validation_failed', message);
  return new Refusal(500, 'internal_error', 'the sandbox failed; this is a defect of the sandbox');
}

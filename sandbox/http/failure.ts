import type { FastifyReply } from 'fastify';
import { writeJson } from '../core/json.ts';
import { Refusal, WrongMethod } from '../core/refusal.ts';
import type { AnsweredRefusal } from '../answers/refusal-wording.ts';

export const jsonType = 'application/json; charset=utf-8';

/**
 * Answers an error, as `{code, message}` unless `wordingOf` words it otherwise; an unexpected error is a 500 without
 * details.
 */
export function answerFailure(
  error: unknown,
  reply: FastifyReply,
  wordingOf: (refusal: Refusal) => AnsweredRefusal = plainWording,
): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal.retryAfterSeconds !== undefined) void reply.header('retry-after', String(refusal.retryAfterSeconds));
  if (refusal instanceof WrongMethod) void reply.header('allow', refusal.allow);
  const { status, body } = wordingOf(refusal);
  return reply.code(status).type(jsonType).send(writeJson(body));
}

function plainWording({ status, code, message }: Refusal): AnsweredRefusal {
  return { status, body: { code, message } };
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { statusCode = 500, message = '' } = error as { statusCode?: number; message?: string };
  if (statusCode === 413) return new Refusal(413, 'body_too_large', 'the body is too large');
  if (statusCode === 415) return new Refusal(400, 'validation_failed', 'Content-Type: must be application/json');
  if (statusCode >= 400 && statusCode < 500) return new Refusal(statusCode, 'validation_failed', message);
  return new Refusal(500, 'internal_error', 'the sandbox failed; this is a defect of the sandbox');
}

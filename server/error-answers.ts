import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { ApplicationErrorCode } from '../application/application-error.ts';
import { ApplicationError } from '../application/application-error.ts';
import type { ErrorCode } from '../api/error.ts';
import { HttpError } from './http-error.ts';
import { noteAddresses } from './known-addresses.ts';
import { safeError } from './request-log.ts';

const STATUS_OF: Readonly<Record<ApplicationErrorCode, number>> = {
  invalid_input: 400,
  unauthenticated: 401,
  not_allowed: 403,
  second_factor_needed: 403,
  not_found: 404,
  conflict: 409,
  too_many: 429,
  unavailable: 503,
};

/** The framework's own errors. Its messages may quote the request, so ours replace them. */
const FRAMEWORK_ERRORS: Readonly<Record<number, { code: ErrorCode; message: string }>> = {
  400: { code: 'invalid_input', message: 'the request could not be read: check that its body is well-formed' },
  404: { code: 'not_found', message: 'there is nothing at this address' },
  406: { code: 'unsupported_media_type', message: 'the body must be multipart/form-data' },
  408: { code: 'invalid_input', message: 'the request took too long to arrive' },
  413: { code: 'too_large', message: 'the request is larger than this address accepts' },
  414: { code: 'too_large', message: 'the address is longer than this server accepts' },
  415: { code: 'unsupported_media_type', message: 'the body is of a kind that this address does not accept' },
  431: { code: 'too_large', message: 'the headers are larger than this server accepts' },
  503: { code: 'unavailable', message: 'the server is shutting down: try again in a moment' },
};

/**
 * Answers every error as `{ error: { code, message, details? } }`. Unexpected ones show only a request id. A browser that opens
 * an address where nothing is gets the console's page, which says so: `sendPage`, null without a console.
 */
export function answerErrors(app: FastifyInstance, sendPage: ((reply: FastifyReply) => FastifyReply) | null): void {
  const methodsAt = noteAddresses(app);
  app.setErrorHandler((error: unknown, request, reply) => {
    // The body may be refused before it is noticed that the address does not have the method.
    const allowed = request.is404 ? methodsAt(request.url) : [];
    if (lacksMethod(allowed, request)) return methodNotAllowed(reply, allowed);
    const expected = httpErrorOf(error);
    if (expected !== null) return answerError(reply, expected);
    request.log.error({ error: safeError(error), route: request.routeOptions.url }, 'a request failed unexpectedly');
    const message = 'something went wrong here: give this request id to whoever runs the server';
    return answerError(reply, new HttpError(500, 'internal', message, { requestId: request.id }));
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(request.url);
    if (lacksMethod(allowed, request)) return methodNotAllowed(reply, allowed);
    const isOpenedInBrowser =
      request.method === 'GET' &&
      !/^\/(?:api|webhooks)(?:[/?]|$)/.test(request.url) &&
      (request.headers.accept ?? '').includes('text/html');
    if (allowed.length === 0 && isOpenedInBrowser && sendPage !== null) return sendPage(reply.code(404));
    return answerError(reply, new HttpError(404, 'not_found', 'there is nothing at this address'));
  });
}

/** Whether the address is one of payrun's, with other methods. */
function lacksMethod(allowed: readonly string[], { method }: FastifyRequest): boolean {
  return allowed.length > 0 && !allowed.includes(method);
}

function methodNotAllowed(reply: FastifyReply, allowed: readonly string[]): FastifyReply {
  void reply.header('allow', allowed.join(', '));
  return answerError(reply, new HttpError(405, 'method_not_allowed', `this address answers ${allowed.join(', ')}`));
}

/** Null for unexpected errors. */
function httpErrorOf(error: unknown): HttpError | null {
  if (error instanceof HttpError) return error;
  if (error instanceof ApplicationError) {
    return new HttpError(STATUS_OF[error.code], error.code, error.message, error.details);
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const part = error.validationContext ?? 'request';
    const fields = error.validation.map(({ instancePath, message }) => ({
      field: `${part}${instancePath === '/' ? '' : instancePath.replaceAll('/', '.')}`,
      problem: message ?? 'is not valid',
    }));
    // A parameter in the address is known by its own name alone.
    const sentence = fields.map(({ field, problem }) => `${field.replace(/^params\./, '')}: ${problem}`).join('; ');
    return new HttpError(400, 'invalid_input', sentence, { fields });
  }
  return isFrameworkError(error) ? frameworkError(error.statusCode) : null;
}

function isFrameworkError(error: unknown): error is FastifyError & { statusCode: number } {
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return false;
  return typeof error.code === 'string' && error.code.startsWith('FST_') && typeof error.statusCode === 'number';
}

function frameworkError(status: number): HttpError | null {
  const known = FRAMEWORK_ERRORS[status];
  return known === undefined ? null : new HttpError(status, known.code, known.message);
}

function answerError(reply: FastifyReply, { status, code, message, details }: HttpError): FastifyReply {
  if (status === 503) void reply.header('retry-after', '2');
  if (status === 429) {
    const after = details?.['retryAfterSeconds'];
    void reply.header('retry-after', typeof after === 'number' ? String(after) : '60');
  }
  void reply.header('cache-control', 'no-store').type('application/json; charset=utf-8');
  return reply.code(status).send({ error: { code, message, ...(details === null ? {} : { details }) } });
}

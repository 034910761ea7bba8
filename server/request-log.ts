import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { LogController } from 'fastify';

/**
 * One line a request: id, method, the route's pattern, status, milliseconds. Never the address (a webhook's holds a
 * token), a header, a body or an error's message (any of which may hold a secret or personal data).
 */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }

  override incomingRequest(): void {
    // The line at completion has the same fields.
  }

  override requestCompleted(_error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      userId: request.user?.userId,
    };
    if (reply.statusCode >= 500) request.log.error(line, 'request');
    else request.log.info(line, 'request');
  }

  override routeNotFound(): void {
    // The default names the address.
  }

  override defaultErrorLog(error: Error, request: FastifyRequest): void {
    request.log.error({ error: safeError(error) }, 'an error was answered by the framework');
  }

  override streamError(error: Error, request: FastifyRequest): void {
    request.log.warn({ error: safeError(error), route: request.routeOptions.url ?? null }, 'an answer was interrupted');
  }

  override writeHeadError(error: Error, request: FastifyRequest): void {
    request.log.warn({ error: safeError(error) }, 'the headers of an answer could not be written');
  }

  override serializerError(error: Error, request: FastifyRequest): void {
    request.log.error({ error: safeError(error) }, 'an error answer could not be serialized');
  }
}

/** Below `info` the framework and its plugins log headers, tokens included: request loggers stay at `info`. */
export function quietLevel(parent: FastifyBaseLogger): { level?: string } {
  return parent.level === 'trace' || parent.level === 'debug' ? { level: 'info' } : {};
}

interface SafeError {
  name: string;
  code: string | null;
  frames: string[];
  cause?: SafeError;
}

/** Deeper causes are left out. */
const MAX_CAUSE_DEPTH = 4;

/**
 * What may be logged of an error: name, code and stack frames. Messages are left out, since those of a database or a
 * parser quote values.
 */
export function safeError(error: unknown, depth = 0): SafeError {
  if (!(error instanceof Error)) return { name: typeof error, code: null, frames: [] };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const frames = (error.stack ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^at .*:\d+:\d+\)?$/.test(line))
    .slice(0, 12);
  const safe = { name: error.name, code, frames };
  if (error.cause === undefined || depth >= MAX_CAUSE_DEPTH) return safe;
  return { ...safe, cause: safeError(error.cause, depth + 1) };
}

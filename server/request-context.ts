import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { withinRequest } from '../store/audit/acting-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | null;
  }
}

/** Is notified of every answered request, for metrics. It must not throw. */
export interface RequestObserver {
  /** `route` is the pattern of the address; null for one that does not exist. */
  answered(request: { method: string; route: string | null; status: number }, seconds: number): void;
}

/**
 * Gives all that a request does the request's id, for the audit trail and Temporal, and its span, if traces are exported. The
 * span goes on the trace of a client that sends one, has the route's pattern, and never the address, a header or a body.
 */
export function addRequestContext(app: FastifyInstance, observer: RequestObserver | undefined): void {
  const tracer = trace.getTracer('payrun');
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const attributes = { 'http.request.method': request.method, 'http.route': route, 'payrun.request': request.id };
    const caller = propagation.extract(context.active(), request.headers);
    request.span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, caller);
    within(request.id, request.span, done);
  });
  // The reading of a body leaves the context.
  app.addHook('preValidation', (request, _reply, done) => within(request.id, request.span, done));
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status } = reply;
    observer?.answered(
      { method: request.method, route: request.routeOptions.url ?? null, status },
      reply.elapsedTime / 1_000,
    );
    request.span?.setAttribute('http.response.status_code', status);
    if (status >= 500) request.span?.setStatus({ code: SpanStatusCode.ERROR });
    request.span?.end();
    done();
  });
  app.addHook('onRequestAbort', (request, done) => {
    request.span?.end();
    done();
  });
}

function within(requestId: string, span: Span | null, work: () => void): void {
  withinRequest(requestId, () => {
    if (span === null) work();
    else context.with(trace.setSpan(context.active(), span), work);
  });
}

import { SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestObserver, queryObserver } from '../../telemetry/observers.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { withoutErrorTexts } from '../../telemetry/safe-spans.ts';
import { startTracing, type Tracing } from '../../telemetry/tracing.ts';
import { actingRequest } from '../../store/audit/acting-request.ts';
import { anApp } from '../server/server-harness.ts';

/** Keeps what was exported, also after the processor was shut down. */
class KeptSpans extends InMemorySpanExporter {
  override shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

const exporter = new KeptSpans();
let tracing: Tracing;
beforeAll(() => {
  tracing = startTracing({ process: 'server', version: '1', endpoint: 'http://127.0.0.1:9/v1/traces', exporter });
});
afterAll(() => tracing.stop());

async function exported(name: RegExp): Promise<ReadableSpan[]> {
  await tracing.flush();
  return exporter.getFinishedSpans().filter((span) => name.test(span.name));
}

const metrics = createMetrics('server', { version: '1', build: '' });

describe('a request', () => {
  test('has a span with its pattern and its id, and what it does is inside', async () => {
    const { app, application } = anApp();
    const seen: (string | null)[] = [];
    application.signIn = (): Promise<never> => {
      queryObserver(metrics).begin({ verb: 'select', table: 'api_tokens' })(null);
      seen.push(actingRequest());
      return Promise.reject(new Error('somebody@example.com cannot sign in'));
    };
    const headers = {
      authorization: 'Bearer somebody',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    };
    const response = await app.inject({ url: '/api/v1/runs?secret=1', headers });
    expect(response.statusCode).toBe(500);
    const [request] = await exported(/^GET \/api\/v1\/runs$/);
    const [query] = await exported(/^select api_tokens$/);
    expect(request?.attributes).toMatchObject({
      'http.route': '/api/v1/runs',
      'payrun.request': response.headers['x-request-id'],
    });
    expect(seen).toEqual([response.headers['x-request-id']]);
    expect(request?.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(query?.parentSpanId).toBe(request?.spanContext().spanId);
    expect(JSON.stringify([request?.attributes, request?.events, request?.status])).not.toMatch(/somebody|secret/);
  });

  test('is known to what it does after its body was read', async () => {
    const { app, application, as } = anApp();
    const seen: (string | null)[] = [];
    application.issueToken = (): Promise<never> => {
      seen.push(actingRequest(), trace.getActiveSpan()?.spanContext().traceId ?? null);
      return Promise.reject(new Error('no token'));
    };
    const url = '/api/v1/tokens';
    const response = await as('viewer', { method: 'POST', url, payload: { label: 'x'.repeat(99) } });
    const [request] = await exported(/^POST \/api\/v1\/tokens$/);
    expect(seen).toEqual([response.headers['x-request-id'], request?.spanContext().traceId]);
    expect(await app.inject({ url }).then(({ headers }) => headers['x-request-id'])).not.toBe(seen[0]);
  });

  test('of the provider has its operation and outcome, inside of what asked for it', async () => {
    trace.getTracer('test').startActiveSpan('an activity', (activity) => {
      const end = requestObserver(createMetrics('worker', { version: '1', build: '' }), 'europe').begin(
        'simple-payment-fund',
      );
      end({ outcome: 'unknown_outcome', httpStatus: 503 });
      activity.end();
    });
    const [request] = await exported(/^provider simple-payment-fund$/);
    const [activity] = await exported(/^an activity$/);
    expect(request?.parentSpanId).toBe(activity?.spanContext().spanId);
    expect(request?.attributes).toEqual({
      'payrun.account': 'europe',
      'payrun.operation': 'simple-payment-fund',
      'payrun.outcome': 'unknown_outcome',
      'http.response.status_code': 503,
    });
  });
});

test('a statement that belongs to nothing that is traced makes no trace', async () => {
  queryObserver(metrics).begin({ verb: 'select', table: 'outbox' })(null);
  expect(await exported(/outbox/)).toEqual([]);
});

test('the texts of errors are not exported: those of a database quote values', async () => {
  trace.getTracer('test').startActiveSpan('a failure', (span) => {
    span.recordException(new Error('duplicate key: (somebody@example.com)'));
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'somebody@example.com' });
    span.end();
  });
  const [failure] = await exported(/^a failure$/);
  expect(failure?.status).toEqual({ code: SpanStatusCode.ERROR });
  expect(failure?.events.map(({ attributes }) => attributes)).toEqual([{ 'exception.type': 'Error' }]);
  expect(failure?.resource.attributes).toMatchObject({ 'service.name': 'payrun-server', 'service.version': '1' });
});

test('an exporter without a flush is flushed without an error', async () => {
  const safe = withoutErrorTexts({ export: () => undefined, shutdown: () => Promise.resolve() });
  await expect(safe.forceFlush?.()).resolves.toBeUndefined();
});

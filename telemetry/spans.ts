import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** Spans of what payrun itself does. Without a configured exporter they cost next to nothing and go nowhere. */

const tracer = trace.getTracer('payrun');

/** Inside whatever span is active; nothing is sent to the provider with it. */
export function requestSpan(account: string, operation: string): (outcome: string, httpStatus: number | null) => void {
  const attributes = { 'payrun.account': account, 'payrun.operation': operation };
  const span = tracer.startSpan(`provider ${operation}`, { kind: SpanKind.CLIENT, attributes });
  return (outcome, httpStatus) => {
    span.setAttribute('payrun.outcome', outcome);
    if (httpStatus !== null) span.setAttribute('http.response.status_code', httpStatus);
    endSpan(span, outcome !== 'success');
  };
}

/**
 * Only inside a span that has not ended: a process polls its tables all the time. Neither the text nor the values of the
 * statement.
 */
export function querySpan(verb: string, table: string | null): (sqlstate: string | null) => void {
  if (trace.getActiveSpan()?.isRecording() !== true) return () => undefined;
  const attributes = {
    'db.system': 'postgresql',
    'db.operation': verb,
    ...(table === null ? {} : { 'db.sql.table': table }),
  };
  const span = tracer.startSpan(table === null ? verb : `${verb} ${table}`, { kind: SpanKind.CLIENT, attributes });
  return (sqlstate) => {
    if (sqlstate !== null) span.setAttribute('payrun.sqlstate', sqlstate);
    endSpan(span, sqlstate !== null);
  };
}

function endSpan(span: Span, isError: boolean): void {
  if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

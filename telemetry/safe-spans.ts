import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

/**
 * Takes the texts of errors out of spans before they are exported: those of a database or of a parser quote values. What is
 * left of an error is its type.
 */
export function withoutErrorTexts(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(withoutTexts), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

const ERROR_TEXTS: ReadonlySet<string> = new Set(['exception.message', 'exception.stacktrace']);

function withoutTexts(span: ReadableSpan): ReadableSpan {
  const events = span.events.map((event) => ({
    ...event,
    attributes: Object.fromEntries(Object.entries(event.attributes ?? {}).filter(([name]) => !ERROR_TEXTS.has(name))),
  }));
  // The other properties are read from the span itself.
  return Object.create(span, {
    events: { value: events, enumerable: true },
    status: { value: { code: span.status.code }, enumerable: true },
  }) as ReadableSpan;
}

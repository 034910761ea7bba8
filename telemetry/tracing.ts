import { context, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResourcesSync, envDetectorSync, Resource } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client/index.js';
import { OpenTelemetryActivityInboundInterceptor } from '@temporalio/interceptors-opentelemetry/lib/worker/index.js';
import type { MeasuredProcess } from './metric-description.ts';
import { AsyncContextManager } from './context-manager.ts';
import { withoutErrorTexts } from './safe-spans.ts';

/** The traces of this process, while they are exported. */
export interface Tracing {
  /** For clients of Temporal: a span for each call, and its trace for the workflow. */
  clientInterceptors: OpenTelemetryWorkflowClientInterceptor[];
  /** For activities: a span for each, inside the trace that its workflow was given. */
  activityInterceptor: (
    ...given: ConstructorParameters<typeof OpenTelemetryActivityInboundInterceptor>
  ) => OpenTelemetryActivityInboundInterceptor;
  /** Exports what has ended so far. */
  flush(): Promise<void>;
  /** Exports what is left, and ends tracing. */
  stop(): Promise<void>;
}

/**
 * Begins to trace this process. Sampling, headers, batches and further attributes of the resource follow OpenTelemetry's own
 * variables (`OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_BSP_…`, `OTEL_RESOURCE_ATTRIBUTES`,
 * `OTEL_SERVICE_NAME`), which its packages read themselves.
 */
export function startTracing(options: {
  process: MeasuredProcess;
  version: string;
  endpoint: string;
  /** Instead of one that sends to the endpoint. */
  exporter?: SpanExporter;
}): Tracing {
  const own = new Resource({ 'service.name': `payrun-${options.process}`, 'service.version': options.version });
  const given = detectResourcesSync({ detectors: [envDetectorSync] });
  const exporter = options.exporter ?? new OTLPTraceExporter({ url: options.endpoint });
  const provider = new BasicTracerProvider({
    resource: Resource.default().merge(own).merge(given),
    // guard: error-texts-not-exported
    spanProcessors: [new BatchSpanProcessor(withoutErrorTexts(exporter))],
  });
  provider.register({ contextManager: new AsyncContextManager(), propagator: new W3CTraceContextPropagator() });
  return {
    clientInterceptors: [new OpenTelemetryWorkflowClientInterceptor()],
    activityInterceptor: (...given) => new OpenTelemetryActivityInboundInterceptor(...given),
    flush: () => provider.forceFlush(),
    stop: async () => {
      await provider.shutdown().catch(() => undefined);
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

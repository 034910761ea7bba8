import { z } from 'zod';
import { isLoopbackHost } from '../domain/loopback.ts';
import { type PlaintextService, plaintextProblem } from './plaintext.ts';

/** What metrics and traces are configured by. */

export const metricsToken = z
  .string()
  .regex(/^[!-~]{16,512}$/, 'give 16 to 512 characters without spaces: whoever has it may read the metrics');

export const tracesExporter = z.enum(['otlp', 'none'], 'give otlp or none');

export const trueOrFalse = z.enum(['true', 'false'], 'give true or false');

interface MetricsValues {
  PAYRUN_ALLOW_PLAINTEXT: readonly PlaintextService[];
  PAYRUN_METRICS_HOST: string;
  PAYRUN_METRICS_PORT?: number | undefined;
  PAYRUN_METRICS_TOKEN?: string | undefined;
  OTEL_SDK_DISABLED?: 'true' | 'false' | undefined;
  OTEL_TRACES_EXPORTER?: 'otlp' | 'none' | undefined;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
}

/**
 * Where traces are sent, or null: the variables are OpenTelemetry's own, and an address is needed, since its default would
 * have every payrun look for a collector on its machine.
 */
export function tracesEndpoint(values: MetricsValues): string | null {
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } = values;
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: base } = values;
  if (OTEL_SDK_DISABLED === 'true' || OTEL_TRACES_EXPORTER === 'none') return null;
  if (own !== undefined) return own;
  return base === undefined ? null : `${base.replace(/\/+$/, '')}/v1/traces`;
}

/** A line for each setting that would show metrics or traces to whoever listens. */
export function metricsProblems(values: MetricsValues): string[] {
  const { PAYRUN_METRICS_HOST: host, PAYRUN_METRICS_PORT: port, PAYRUN_METRICS_TOKEN: token } = values;
  const endpoint = tracesEndpoint(values);
  const variable =
    values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT === undefined
      ? 'OTEL_EXPORTER_OTLP_ENDPOINT'
      : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const plain =
    endpoint === null || new URL(endpoint).protocol === 'https:'
      ? null
      : plaintextProblem(
          { variable, service: 'traces', host: new URL(endpoint).hostname, fix: 'give an https address' },
          values.PAYRUN_ALLOW_PLAINTEXT,
        );
  return [
    ...(port !== undefined && token === undefined && !isLoopbackHost(host)
      ? [`PAYRUN_METRICS_HOST: ${host} can be reached from other machines: set PAYRUN_METRICS_TOKEN as well`]
      : []),
    ...(plain === null ? [] : [plain]),
  ];
}

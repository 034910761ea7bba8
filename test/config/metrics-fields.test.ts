import { describe, expect, test } from 'vitest';
import { readEnvironment, type Variables } from '../../config/environment.ts';
import { tracesEndpoint } from '../../config/metrics-fields.ts';

describe('the metrics of a worker', () => {
  test('are shown on this machine unless something else is configured', () => {
    const { PAYRUN_METRICS_HOST, PAYRUN_METRICS_PORT } = readEnvironment({ PAYRUN_METRICS_PORT: '9464' });
    expect([PAYRUN_METRICS_HOST, PAYRUN_METRICS_PORT]).toEqual(['127.0.0.1', 9464]);
    expect(readEnvironment({}).PAYRUN_METRICS_PORT).toBeUndefined();
  });

  test('are not shown to other machines without a token', () => {
    const variables = { PAYRUN_METRICS_PORT: '9464', PAYRUN_METRICS_HOST: '0.0.0.0' };
    expect(() => readEnvironment(variables)).toThrow(
      'PAYRUN_METRICS_HOST: 0.0.0.0 can be reached from other machines: set PAYRUN_METRICS_TOKEN as well',
    );
    expect(() => readEnvironment({ ...variables, PAYRUN_METRICS_TOKEN: 'a-token-of-16-characters' })).not.toThrow();
  });

  test.each(['short', 'a token with blanks in it'])('a token as "%s" is refused', (token) => {
    expect(() => readEnvironment({ PAYRUN_METRICS_TOKEN: token })).toThrow(
      'PAYRUN_METRICS_TOKEN: give 16 to 512 characters',
    );
  });
});

describe('traces are sent', () => {
  const OTLP = 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const OWN = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const to = (variables: Variables): string | null => tracesEndpoint(readEnvironment(variables));

  test.each<[string, Variables, string | null]>([
    ['nowhere by default', {}, null],
    ['below the common address', { [OTLP]: 'https://otel.example:4318/' }, 'https://otel.example:4318/v1/traces'],
    [
      'to their own address, as it is',
      { [OTLP]: 'https://one.example', [OWN]: 'https://two.example/t' },
      'https://two.example/t',
    ],
    ['nowhere if they are switched off', { [OTLP]: 'https://otel.example', OTEL_TRACES_EXPORTER: 'none' }, null],
    ['nowhere if all of it is switched off', { [OTLP]: 'https://otel.example', OTEL_SDK_DISABLED: 'true' }, null],
  ])('%s', (_how, variables, endpoint) => {
    expect(to(variables)).toBe(endpoint);
  });
});

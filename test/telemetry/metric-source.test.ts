import { expect, test } from 'vitest';
import { addMetricSource } from '../../telemetry/metric-source.ts';
import { createMetrics } from '../../telemetry/metrics.ts';

/** A source whose readings the test answers, on a clock that the test moves. */
function aSource(options: { minAgeMs?: number; maxWaitMs?: number } = {}) {
  const metrics = createMetrics('server', { version: '1', build: '' });
  const clock = { ms: 0 };
  const readings: PromiseWithResolvers<number>[] = [];
  addMetricSource(metrics, {
    source: 'database',
    read: () => {
      const reading = withResolvers<number>();
      readings.push(reading);
      return reading.promise;
    },
    show: (value) => metrics.replace('payrun_changes_pending', value === null ? [] : [{ labels: {}, value }]),
    monotonicNow: () => clock.ms,
    ...options,
  });
  const shown = async (): Promise<{ value: string | undefined; ok: string | undefined }> => {
    const text = await metrics.text();
    return {
      value: /^payrun_changes_pending (\S+)$/m.exec(text)?.[1],
      ok: /^payrun_metric_source_up\{source="database"\} (\S+)$/m.exec(text)?.[1],
    };
  };
  return { clock, readings, shown };
}

interface PromiseWithResolvers<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: Error) => void;
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  const parts: Partial<PromiseWithResolvers<T>> = {};
  const promise = new Promise<T>((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return { ...parts, promise } as PromiseWithResolvers<T>;
}

test('scrapes at the same time share one reading', async () => {
  const { readings, shown } = aSource();
  const scrapes = [shown(), shown(), shown()];
  expect(readings).toHaveLength(1);
  readings[0]?.resolve(4);
  for (const scrape of scrapes) expect(await scrape).toEqual({ value: '4', ok: '1' });
});

test('metrics that are young are not read again', async () => {
  const { clock, readings, shown } = aSource({ minAgeMs: 10_000 });
  const first = shown();
  readings[0]?.resolve(4);
  await first;
  clock.ms = 9_999;
  expect(await shown()).toEqual({ value: '4', ok: '1' });
  expect(readings).toHaveLength(1);
  clock.ms = 10_000;
  const second = shown();
  readings[1]?.resolve(5);
  expect(await second).toEqual({ value: '5', ok: '1' });
});

test('a reading that takes two seconds is repeated after forty at the earliest', async () => {
  const { clock, readings, shown } = aSource({ minAgeMs: 10_000 });
  const first = shown();
  clock.ms = 2_000;
  readings[0]?.resolve(4);
  await first;
  clock.ms = 41_999;
  await shown();
  expect(readings).toHaveLength(1);
  clock.ms = 42_000;
  const second = shown();
  readings[1]?.resolve(5);
  await second;
  expect(readings).toHaveLength(2);
});

test('what cannot be read is absent, and said', async () => {
  const { clock, readings, shown } = aSource({ minAgeMs: 10_000 });
  const first = shown();
  readings[0]?.resolve(4);
  await first;
  clock.ms = 10_000;
  const failed = shown();
  readings[1]?.reject(new Error('no connection'));
  expect(await failed).toEqual({ value: undefined, ok: '0' });
  clock.ms = 20_000;
  const again = shown();
  readings[2]?.resolve(6);
  expect(await again).toEqual({ value: '6', ok: '1' });
});

test('a scrape does not wait for a service that does not answer', async () => {
  const { readings, shown } = aSource({ maxWaitMs: 1 });
  expect(await shown()).toEqual({ value: undefined, ok: '0' });
  readings[0]?.resolve(4);
});

import { describe, expect, test } from 'vitest';
import { LABELS, type MetricDescription } from '../../telemetry/metric-description.ts';
import { METRICS } from '../../telemetry/metric-descriptions.ts';
import { createMetrics } from '../../telemetry/metrics.ts';

const BUILD = { version: '1.2.3', build: '1.2.3-abc' };
const described = Object.entries<MetricDescription>(METRICS);

describe('the registry', () => {
  test.each(['server', 'worker'] as const)(
    'of a %s has the metrics that are described for it, and no other',
    async (process) => {
      const shown = [...(await createMetrics(process, BUILD).text()).matchAll(/^# TYPE (payrun_\w+) (\w+)$/gm)];
      const expected = described.filter(([, { processes }]) => processes.includes(process));
      expect(shown.map(([, name, kind]) => [name, kind]).sort()).toEqual(
        expected.map(([name, { kind }]) => [name, kind]).sort(),
      );
    },
  );

  test('says which version runs', async () => {
    const text = await createMetrics('worker', BUILD).text();
    expect(text).toContain('payrun_build_info{process="worker",version="1.2.3",build="1.2.3-abc"} 1');
  });

  test('a gauge that is replaced shows nothing of before, and without labels nothing at all', async () => {
    const metrics = createMetrics('server', BUILD);
    metrics.replace('payrun_runs', [{ labels: { account: 'europe', state: 'running' }, value: 2 }]);
    metrics.replace('payrun_changes_pending', [{ labels: {}, value: 1 }]);
    metrics.replace('payrun_runs', [{ labels: { account: 'europe', state: 'paused' }, value: 1 }]);
    metrics.replace('payrun_changes_pending', []);
    const lines = (await metrics.text()).split('\n');
    expect(lines.filter((line) => line.startsWith('payrun_runs{'))).toEqual([
      'payrun_runs{account="europe",state="paused"} 1',
    ]);
    expect(lines.filter((line) => line.startsWith('payrun_changes_pending '))).toEqual([]);
  });

  test('a value that is none is lost, and nothing else: payments go on', async () => {
    const metrics = createMetrics('worker', BUILD);
    metrics.set('payrun_rate_limiter_waiting', { account: 'europe' }, undefined as unknown as number);
    metrics.set('payrun_rate_limiter_waiting', { account: 'asia' }, 3);
    expect(await metrics.text()).toContain('payrun_rate_limiter_waiting{account="asia"} 3');
  });
});

describe('the descriptions', () => {
  test.each(described)(
    '%s is named as Prometheus recommends, and has only described labels',
    (name, { kind, labels, help }) => {
      expect(name).toMatch(/^payrun_[a-z_]+$/);
      expect(name.endsWith('_total')).toBe(kind === 'counter');
      if (kind === 'histogram') expect(name).toMatch(/_seconds$/);
      expect(labels.filter((label) => !(label in LABELS))).toEqual([]);
      expect(help).not.toMatch(/\.$/);
    },
  );

  test('every described label is used', () => {
    const used = new Set(described.flatMap(([, { labels }]) => labels));
    expect(Object.keys(LABELS).filter((label) => !used.has(label as keyof typeof LABELS))).toEqual([]);
  });

  test('no label is an id, a person, an amount or a text', () => {
    const unbounded = /id|name|user|login|amount|reference|message|address|host|url|query|beneficiary/;
    expect(Object.keys(LABELS).filter((label) => unbounded.test(label))).toEqual([]);
  });
});

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MeasuredProcess, MetricDescription } from './metric-description.ts';
import { METRICS, type MetricName } from './metric-descriptions.ts';

type NamesOf<Kind> = { [N in MetricName]: (typeof METRICS)[N]['kind'] extends Kind ? N : never }[MetricName];
type LabelsOf<N extends MetricName> = Readonly<Record<(typeof METRICS)[N]['labels'][number], string>>;

/** One value of a gauge, with all of its labels. */
export interface Reading {
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** The metrics of one process. Labels and names are those of `METRICS`: the compiler refuses others. */
export interface Metrics {
  add<N extends NamesOf<'counter'>>(name: N, labels: LabelsOf<N>): void;
  observe<N extends NamesOf<'histogram'>>(name: N, labels: LabelsOf<N>, seconds: number): void;
  set<N extends NamesOf<'gauge'>>(name: N, labels: LabelsOf<N>, value: number): void;
  /** Sets a gauge to exactly these values: what is not among them is removed. */
  replace(name: NamesOf<'gauge'>, readings: readonly Reading[]): void;
  /** `read` is called before each answer of `text`, and must not reject. */
  beforeEach(read: () => Promise<void>): void;
  /** In Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** A registry of its own, with the metrics of this kind of process and those of Node. */
export function createMetrics(process: MeasuredProcess, build: { version: string; build: string }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  for (const [name, description] of Object.entries<MetricDescription>(METRICS)) {
    if (!description.processes.includes(process)) continue;
    const { help, buckets } = description;
    const options = { name, help, labelNames: [...description.labels], registers: [registry] };
    if (description.kind === 'counter') counters.set(name, new Counter(options));
    else if (description.kind === 'gauge') gauges.set(name, new Gauge(options));
    else histograms.set(name, new Histogram({ ...options, buckets: [...(buckets ?? [])] }));
  }
  // Payments go on whatever a metric does.
  const quietly = (change: () => void): void => {
    try {
      change();
    } catch {
      // One value is lost.
    }
  };
  const readers: (() => Promise<void>)[] = [];
  const metrics: Metrics = {
    add: (name, labels) => quietly(() => counters.get(name)?.inc(labels)),
    observe: (name, labels, seconds) => quietly(() => histograms.get(name)?.observe(labels, seconds)),
    set: (name, labels, value) => quietly(() => gauges.get(name)?.set(labels, value)),
    replace: (name, readings) => {
      const gauge = gauges.get(name);
      gauge?.reset();
      // Otherwise it would be 0.
      if (readings.length === 0 && METRICS[name].labels.length === 0) gauge?.remove();
      for (const { labels, value } of readings) quietly(() => gauge?.set(labels, value));
    },
    beforeEach: (read) => readers.push(read),
    text: async () => {
      await Promise.all(readers.map((read) => read()));
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
  metrics.set('payrun_build_info', { process, ...build }, 1);
  return metrics;
}

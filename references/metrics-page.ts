import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CORE_METRICS } from '../telemetry/core-metrics.ts';
import { LABELS, type MetricDescription } from '../telemetry/metric-description.ts';
import { METRICS } from '../telemetry/metric-descriptions.ts';
import { code, codeList, page, paragraph, table } from './markdown.ts';

export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; action: string };
}

export interface AlertGroup {
  name: string;
  rules: AlertRule[];
}

/** The rules in docs/operations/alerts.yaml. */
export function alertGroups(): AlertGroup[] {
  const text = readFileSync(new URL('../docs/operations/alerts.yaml', import.meta.url), 'utf8');
  return (parse(text) as { groups: AlertGroup[] }).groups;
}

export function metricsPage(): string {
  return page(
    'Metrics and alerts',
    paragraph(
      'What `/metrics` of a server and of a worker shows, and the rules in [alerts.yaml](alerts.yaml). How to scrape them, and',
      'who may: [operations](README.md).',
    ),
    '## Metrics',
    paragraph(
      'A counter only rises, and starts at 0 with its process. A histogram has `_bucket`, `_sum` and `_count`, in seconds.',
      'Metrics of the database (`payrun_runs` and those after it) are the same on every server: take the `max` over servers,',
      'and never the `sum`. Metrics of the rate limiter that count all workers together say so. Where nothing waits, the metric of the oldest has no sample.',
    ),
    table(
      ['metric', 'of', 'kind', 'labels', 'what it says'],
      Object.entries<MetricDescription>(METRICS).map(([name, { kind, processes, labels, help }]) => [
        code(name),
        processes.join(', '),
        kind,
        codeList(labels),
        help,
      ]),
    ),
    '## Labels',
    paragraph(
      'Every label has few values, limited by the configuration or the code. No value is an id, an amount, or personal data.',
    ),
    table(
      ['label', 'values'],
      Object.entries(LABELS).map(([name, values]) => [code(name), values]),
    ),
    '## Metrics of others',
    paragraph(
      'Both processes show those of Node (`process_…`, `nodejs_…`): processor time, memory, event loop, collections. A worker',
      "shows those of the core of Temporal's SDK as well, of which these matter most; the others are in",
      "[Temporal's reference](https://docs.temporal.io/references/sdk-metrics).",
    ),
    table(
      ['metric', 'what it says'],
      Object.entries(CORE_METRICS).map(([name, says]) => [code(name), says]),
    ),
    '## Alerts',
    paragraph(
      '`page`: somebody is needed now. `ticket`: within the day. What `{{ … }}` stands for, Prometheus fills in. The thresholds',
      'are meant for the usual limits; change them in your copy.',
    ),
    table(
      ['alert', 'severity', 'what it says', 'what to do'],
      alertGroups().flatMap(({ rules }) =>
        rules.map(({ alert, labels, annotations }) => [
          code(alert),
          labels.severity,
          annotations.summary,
          annotations.action.replace(/\((\.\.\/[^)]+)\)/, '([more]($1))'),
        ]),
      ),
    ),
  );
}

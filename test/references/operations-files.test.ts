import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { CASE_STATES } from '../../domain/onboarding/case-state.ts';
import { RUN_STATES } from '../../domain/runs/run-state.ts';
import { CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import { createMainActivities, createProviderActivities } from '../../activities/create-activities.ts';
import { grafanaDashboard } from '../../references/grafana-dashboard.ts';
import { alertGroups } from '../../references/metrics-page.ts';
import { CORE_METRICS } from '../../telemetry/core-metrics.ts';
import { LABELS, type MetricDescription } from '../../telemetry/metric-description.ts';
import { METRICS } from '../../telemetry/metric-descriptions.ts';
import { createMetrics } from '../../telemetry/metrics.ts';

interface Expression {
  where: string;
  expr: string;
}

const rules = alertGroups().flatMap(({ rules: all }) => all);
const alerts: Expression[] = rules.map(({ alert, expr }) => ({ where: alert, expr }));

interface Dashboard {
  panels: {
    id: number;
    title: string;
    gridPos: { x: number; y: number; w: number; h: number };
    targets?: { expr: string }[];
  }[];
}
const dashboard = JSON.parse(grafanaDashboard()) as Dashboard;
const panels: Expression[] = dashboard.panels.flatMap(({ title, targets }) =>
  (targets ?? []).map(({ expr }) => ({ where: title, expr })),
);

/** The metrics that an expression names. Labels and texts in quotes are left out. */
function metricsIn(expr: string): string[] {
  const bare = expr.replaceAll(/"[^"]*"/g, '""').replaceAll(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '');
  return bare.match(/\b(payrun|temporal|nodejs|process)_\w+/g) ?? [];
}

const known = knownMetrics();

async function knownMetrics(): Promise<Set<string>> {
  const names = new Set<string>(Object.keys(CORE_METRICS));
  for (const process of ['server', 'worker'] as const) {
    const text = await createMetrics(process, { version: '1', build: '1' }).text();
    for (const [, name = '', kind] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
      names.add(name);
      if (kind === 'histogram') for (const part of ['bucket', 'sum', 'count']) names.add(`${name}_${part}`);
    }
  }
  return names;
}

/** Only the names of activities are asked for: none is called. */
const DEPENDENCIES = { settings: { treasury: {} } } as never;

describe('the dashboard and the alert rules', () => {
  test.each([...alerts, ...panels])('$where asks only for metrics that exist: $expr', async ({ expr }) => {
    const named = metricsIn(expr);
    expect(named.length).toBeGreaterThan(0);
    const names = await known;
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  test.each([...alerts, ...panels])('$where selects and groups by labels that its metrics have: $expr', ({ expr }) => {
    const ours = metricsIn(expr).filter((name) => name.startsWith('payrun_'));
    if (ours.length === 0) return;
    const labels = new Set(ours.flatMap((name) => labelsOf(name)));
    const used = [
      ...[...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
        [...inside.matchAll(/(\w+)\s*[=!]/g)].map(([, name]) => name),
      ),
      ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inside = '']) =>
        inside.split(',').map((name) => name.trim()),
      ),
    ];
    expect(used.filter((name) => !labels.has(name ?? ''))).toEqual([]);
  });

  test('every state, outcome and activity that they name exists', () => {
    const states = new Set<string>([...PAYMENT_STATES, ...RUN_STATES, ...CASE_STATES, ...CONVERSION_STATES, 'open']);
    const named = [...alerts, ...panels].flatMap(({ expr }) =>
      [...expr.matchAll(/\b(state|activity)[=!]~?"([^"]*)"/g)].flatMap(([, label, values = '']) =>
        values.split('|').map((value) => ({ label, value })),
      ),
    );
    const activities = [
      ...Object.keys(createMainActivities(DEPENDENCIES)),
      ...Object.keys(createProviderActivities(DEPENDENCIES)),
    ];
    expect(
      named.filter(({ label, value }) => !(label === 'state' ? states.has(value) : activities.includes(value))),
    ).toEqual([]);
  });

  test('parentheses and quotes are balanced', () => {
    for (const { expr } of [...alerts, ...panels]) {
      expect(expr.split('"').length % 2, expr).toBe(1);
      const bare = expr.replaceAll(/"[^"]*"/g, '');
      for (const [open, close] of ['()', '{}', '[]']) {
        expect(bare.split(open ?? '').length, expr).toBe(bare.split(close ?? '').length);
      }
    }
  });
});

function labelsOf(metric: string): string[] {
  const name = metric in METRICS ? metric : metric.replace(/_(bucket|sum|count)$/, '');
  const { labels } = METRICS[name as keyof typeof METRICS] as MetricDescription;
  // Those that Prometheus adds.
  return [...labels, 'le', 'instance', 'job'];
}

describe('the alert rules', () => {
  test('each have a name of their own, a severity, and what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect(alert).toMatch(/^Payrun[A-Z]\w+$/);
      expect(['page', 'ticket'], alert).toContain(labels.severity);
      expect(annotations.summary.length, alert).toBeGreaterThan(10);
      expect(annotations.action.length, alert).toBeGreaterThan(10);
    }
  });

  test.each(rules)('$alert names in its texts only labels that its expression keeps', ({ expr, annotations }) => {
    const used = [...`${annotations.summary} ${annotations.action}`.matchAll(/\$labels\.(\w+)/g)].map(
      ([, name]) => name,
    );
    const kept = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inside = '']) =>
      inside.split(',').map((name) => name.trim()),
    );
    expect(used.filter((name) => !kept.includes(name ?? ''))).toEqual([]);
  });

  test.each(rules)('$alert leads to a page and a heading that exist', ({ annotations }) => {
    for (const [, path = '', anchor] of annotations.action.matchAll(/\((\.\.\/[\w./-]+)(?:#([\w-]+))?\)/g)) {
      const file = new URL(`../../docs/operations/${path}`, import.meta.url);
      expect(existsSync(file), path).toBe(true);
      if (anchor === undefined) continue;
      const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      );
      expect(headings).toContain(anchor);
    }
  });
});

describe('the dashboard', () => {
  test('has panels that do not overlap', () => {
    for (const [index, { title, gridPos: one }] of dashboard.panels.entries()) {
      expect(one.x + one.w, title).toBeLessThanOrEqual(24);
      for (const { title: other, gridPos: two } of dashboard.panels.slice(index + 1)) {
        const isApart =
          one.x + one.w <= two.x || two.x + two.w <= one.x || one.y + one.h <= two.y || two.y + two.h <= one.y;
        expect(isApart, `${title} and ${other}`).toBe(true);
      }
    }
  });

  test('legends name labels of their metrics', () => {
    const legends = JSON.stringify(dashboard).matchAll(/\{\{(\w+)\}\}/g);
    const labels = [...Object.keys(LABELS), 'instance', 'task_queue', 'worker_type', 'workflow_type'];
    expect([...legends].map(([, name]) => name).filter((name) => !labels.includes(name ?? ''))).toEqual([]);
  });
});

import { PANEL_ROWS, type Panel } from './grafana-panels.ts';

const COLUMNS = 24;
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** The dashboard of docs/operations, as Grafana (10 and newer) imports it. */
export function grafanaDashboard(): string {
  const dashboard = {
    title: 'payrun',
    uid: 'payrun',
    description: 'Written by `npm run docs` from references/grafana-panels.ts',
    tags: ['payrun'],
    editable: true,
    schemaVersion: 39,
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [DATASOURCE_VARIABLE, ACCOUNT_VARIABLE] },
    panels: panels(),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

const DATASOURCE_VARIABLE = { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' };

const ACCOUNT_VARIABLE = {
  name: 'account',
  label: 'Account',
  type: 'query',
  datasource: DATASOURCE,
  query: { query: 'label_values(payrun_rate_limiter_limit_per_second, account)', refId: 'account' },
  refresh: 2,
  multi: true,
  includeAll: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
};

function panels(): object[] {
  const placed: object[] = [];
  let y = 0;
  for (const row of PANEL_ROWS) {
    placed.push({ id: placed.length + 1, type: 'row', title: row.title, gridPos: { x: 0, y, w: COLUMNS, h: 1 } });
    y += 1;
    let x = 0;
    for (const panel of row.panels) {
      const { w, h } = panel.kind === 'stat' ? { w: 4, h: 4 } : { w: 8, h: 8 };
      if (x + w > COLUMNS) {
        x = 0;
        y += h;
      }
      placed.push(panelAt(panel, placed.length + 1, { x, y, w, h }));
      x += w;
    }
    y += row.panels[0]?.kind === 'stat' ? 4 : 8;
  }
  return placed;
}

function panelAt({ title, unit, kind, queries }: Panel, id: number, gridPos: Place): object {
  return {
    id,
    type: kind,
    title,
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: kind === 'stat' ? { reduceOptions: { calcs: ['lastNotNull'] } } : { legend: { placement: 'bottom' } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}

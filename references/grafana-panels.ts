/** What the dashboard shows: rows of panels, each with queries over the metrics. */

export interface Panel {
  title: string;
  /** Units of Grafana. */
  unit: 'short' | 's' | 'reqps' | 'ops' | 'percentunit' | 'bytes';
  kind: 'timeseries' | 'stat';
  queries: readonly { expr: string; legend: string }[];
}

export interface PanelRow {
  title: string;
  panels: readonly Panel[];
}

const series = (title: string, unit: Panel['unit'], ...queries: [expr: string, legend: string][]): Panel => ({
  ...{ title, unit, kind: 'timeseries' },
  queries: queries.map(([expr, legend]) => ({ expr, legend })),
});

const stat = (title: string, unit: Panel['unit'], expr: string, legend = ''): Panel => ({
  ...{ title, unit, kind: 'stat' },
  queries: [{ expr, legend }],
});

/** `$account` is chosen on the dashboard. */
const OF = 'account=~"$account"';
const REQUESTS = 'payrun_provider_request_duration_seconds';

export const PANEL_ROWS: readonly PanelRow[] = [
  {
    title: 'What needs somebody',
    panels: [
      stat('Rows unknown', 'short', `sum(max by (account) (payrun_payments{state="unknown",${OF}})) or vector(0)`),
      stat('Rows held', 'short', `sum(max by (account) (payrun_payments{state="held",${OF}})) or vector(0)`),
      stat('Runs in approval', 'short', `sum(max by (account) (payrun_runs{state="in_approval",${OF}})) or vector(0)`),
      stat('Stops in force', 'short', 'sum(max by (scope) (payrun_stops)) or vector(0)'),
      stat('Alarms of the ledger', 'short', `sum(max by (account, kind) (payrun_ledger_alarms{${OF}})) or vector(0)`),
      stat('Services that answer', 'short', 'max by (service) (payrun_service_up)', '{{service}}'),
    ],
  },
  {
    title: 'Payments',
    panels: [
      series('Rows by state', 'short', [
        `sum by (state) (max by (account, state) (payrun_payments{${OF}}))`,
        '{{state}}',
      ]),
      series(
        'Oldest row that waits',
        's',
        [`max by (state) (payrun_payments_oldest_seconds{${OF}})`, '{{state}}'],
        [`max(payrun_payments_in_flight_oldest_seconds{${OF}})`, 'in flight'],
        [`max(payrun_requests_open_oldest_seconds{${OF}})`, 'request without outcome'],
      ),
      series('Open runs by state', 'short', [
        `sum by (state) (max by (account, state) (payrun_runs{state!~"completed|partially_completed|failed|cancelled|rejected|expired",${OF}}))`,
        '{{state}}',
      ]),
      series('Oldest open run', 's', [`max by (state) (payrun_runs_oldest_seconds{${OF}})`, '{{state}}']),
    ],
  },
  {
    title: 'Provider and rate limiter',
    panels: [
      series('Requests by operation', 'reqps', [
        `sum by (operation) (rate(${REQUESTS}_count{${OF}}[$__rate_interval]))`,
        '{{operation}}',
      ]),
      series('Requests by outcome', 'reqps', [
        `sum by (outcome) (rate(${REQUESTS}_count{${OF}}[$__rate_interval]))`,
        '{{outcome}}',
      ]),
      series(
        'Duration of requests',
        's',
        [
          `histogram_quantile(0.5, sum by (le) (rate(${REQUESTS}_bucket{outcome="success",${OF}}[$__rate_interval])))`,
          'median',
        ],
        [
          `histogram_quantile(0.95, sum by (le) (rate(${REQUESTS}_bucket{outcome="success",${OF}}[$__rate_interval])))`,
          '95 %',
        ],
      ),
      series(
        'Rate and limit',
        'reqps',
        [`sum by (account) (rate(${REQUESTS}_count{outcome!="not_sent",${OF}}[$__rate_interval]))`, '{{account}}'],
        [`max by (account) (payrun_rate_limiter_limit_per_second{${OF}})`, '{{account}} limit'],
      ),
      series('Leases in use', 'short', [`max by (account) (payrun_rate_limiter_leases_in_use{${OF}})`, '{{account}}']),
      series('Wait at the rate limiter, 95 %', 's', [
        `histogram_quantile(0.95, sum by (le, account) (rate(payrun_rate_limiter_wait_seconds_bucket{${OF}}[$__rate_interval])))`,
        '{{account}}',
      ]),
      series('Waiting by priority', 'short', [
        'sum by (priority) (max by (queue, priority) (payrun_queue_waiting{queue=~"provider/($account)"}))',
        '{{priority}}',
      ]),
      series(
        'Pauses and refusals',
        'short',
        [
          `sum by (account) (increase(payrun_rate_limiter_pauses_total{${OF}}[$__rate_interval]))`,
          '{{account}} pauses',
        ],
        [`sum by (result) (increase(payrun_rate_limiter_refusals_total{${OF}}[$__rate_interval]))`, '{{result}}'],
        [`max by (account) (payrun_rate_limiter_paused_seconds{${OF}})`, '{{account}} paused, seconds left'],
      ),
      series('Share of the day used', 'percentunit', [
        `max by (account) (payrun_rate_limiter_day_requests{${OF}}) / (max by (account) (payrun_rate_limiter_day_limit{${OF}}) > 0)`,
        '{{account}}',
      ]),
    ],
  },
  {
    title: 'Onboarding, conversions, reconciliation',
    panels: [
      series('Cases by state', 'short', [
        `sum by (state) (max by (account, state) (payrun_cases{${OF}}))`,
        '{{state}}',
      ]),
      series('Oldest case', 's', [`max by (state) (payrun_cases_oldest_seconds{${OF}})`, '{{state}}']),
      series('Orders to convert by state', 'short', [
        `sum by (state) (max by (account, state) (payrun_conversions{${OF}}))`,
        '{{state}}',
      ]),
      series('Oldest order', 's', [`max by (state) (payrun_conversions_oldest_seconds{${OF}})`, '{{state}}']),
      series('Breaks', 'short', [`sum by (state) (max by (account, state) (payrun_breaks{${OF}}))`, '{{state}}']),
      series('Money that nothing explains', 'short', [
        `max by (account) (payrun_receipts_unexplained{${OF}})`,
        '{{account}}',
      ]),
      series('Open requests of virtual accounts', 'short', [
        `sum by (state) (max by (account, state) (payrun_virtual_accounts{${OF}}))`,
        '{{state}}',
      ]),
      series(
        'Schedules',
        'short',
        [`sum by (state) (max by (account, state) (payrun_schedules{${OF}}))`, '{{state}}'],
        [`sum(max by (account) (payrun_schedule_occurrences_missed{${OF}}))`, 'occurrences missed in seven days'],
      ),
      series(
        'Oldest of these',
        's',
        [`max(payrun_receipts_unexplained_oldest_seconds{${OF}})`, 'unexplained'],
        [`max by (state) (payrun_virtual_accounts_oldest_seconds{${OF}})`, 'virtual account {{state}}'],
        [`max(payrun_schedules_oldest_seconds{state="paused",${OF}})`, 'schedule paused'],
      ),
    ],
  },
  {
    title: 'Webhooks and notifications',
    panels: [
      series('Webhooks received', 'ops', [
        `sum by (kind, result) (rate(payrun_webhooks_received_total{${OF}}[$__rate_interval]))`,
        '{{kind}} {{result}}',
      ]),
      series('Webhooks refused', 'ops', [
        'sum by (reason) (rate(payrun_webhooks_rejected_total[$__rate_interval]))',
        '{{reason}}',
      ]),
      series('Named by a webhook, not read since', 'short', [
        `max by (account) (payrun_webhooks_unprocessed{${OF}})`,
        '{{account}}',
      ]),
      series('Open deliveries', 'short', ['max by (state) (payrun_deliveries)', '{{state}}']),
      series(
        'Late notifications',
        's',
        ['max(payrun_deliveries_overdue_seconds)', 'overdue'],
        ['max(payrun_notifications_pending_oldest_seconds)', 'not looked at'],
        ['max(payrun_endpoints_failing_seconds)', 'endpoint fails'],
      ),
    ],
  },
  {
    title: 'Processes',
    panels: [
      series('HTTP requests by status', 'reqps', [
        'sum by (status) (rate(payrun_http_request_duration_seconds_count[$__rate_interval]))',
        '{{status}}',
      ]),
      series('Slowest routes, 95 %', 's', [
        'topk(5, histogram_quantile(0.95, sum by (le, route) (rate(payrun_http_request_duration_seconds_bucket[$__rate_interval]))))',
        '{{route}}',
      ]),
      series('Activities', 'ops', [
        'sum by (activity, result) (rate(payrun_activities_total[$__rate_interval]))',
        '{{activity}} {{result}}',
      ]),
      series('Time since the last status poll', 's', [
        'time() - max(payrun_activity_last_completed_timestamp_seconds{activity="pollPayments"})',
        'status poll',
      ]),
      series(
        'Statements',
        's',
        [
          'histogram_quantile(0.5, sum by (le) (rate(payrun_database_query_duration_seconds_bucket[$__rate_interval])))',
          'median',
        ],
        [
          'histogram_quantile(0.99, sum by (le) (rate(payrun_database_query_duration_seconds_bucket[$__rate_interval])))',
          '99 %',
        ],
      ),
      series('Failed statements', 'ops', [
        'sum by (sqlstate) (rate(payrun_database_query_failures_total[$__rate_interval]))',
        '{{sqlstate}}',
      ]),
      series(
        'Connections to Postgres',
        'short',
        ['sum by (instance, state) (payrun_database_connections)', '{{instance}} {{state}}'],
        ['sum by (instance) (payrun_database_waiting)', '{{instance}} waiting'],
      ),
      series('Free places for tasks', 'short', [
        'min by (task_queue, worker_type) (temporal_worker_task_slots_available)',
        '{{task_queue}} {{worker_type}}',
      ]),
      series(
        'Failed workflows and steps',
        'short',
        ['sum by (workflow_type) (increase(temporal_workflow_failed_total[$__rate_interval]))', '{{workflow_type}}'],
        [
          'sum by (workflow_type) (increase(temporal_workflow_task_execution_failed_total[$__rate_interval]))',
          '{{workflow_type}} step',
        ],
      ),
      series('Event loop, 99 %', 's', ['nodejs_eventloop_lag_p99_seconds', '{{instance}}']),
      series('Memory', 'bytes', ['process_resident_memory_bytes', '{{instance}}']),
      series('Processor', 'percentunit', ['rate(process_cpu_seconds_total[$__rate_interval])', '{{instance}}']),
      series('Versions', 'short', [
        'count by (process, version, build) (payrun_build_info)',
        '{{process}} {{version}} {{build}}',
      ]),
    ],
  },
];

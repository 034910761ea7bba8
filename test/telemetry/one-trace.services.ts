import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REQUEST_ID_HEADER } from '../../application/request-id-interceptor.ts';
import { paymentRunWorkflowId } from '../../domain/identifiers.ts';
import { csvOf } from '../../fixtures/payment-rows.ts';
import { CONTENT_COLUMNS, openContent, type StoredContent } from '../../store/runs/row-content.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { addDatabaseMetrics } from '../../telemetry/database-metrics.ts';
import { startTracing, type Tracing } from '../../telemetry/tracing.ts';
import { addWorkerMetrics } from '../../workers/worker-metrics.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { newRows, untilPaid } from '../helpers/run-under-test.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { until } from '../helpers/until.ts';

const exporter = new InMemorySpanExporter();
const server = createMetrics('server', { version: '1', build: '' });
const worker = createMetrics('worker', { version: '1', build: 'first' });

let tracing: Tracing;
let payrun: PayrunUnderTest;
let runId: string;
let approval: { requestId: string | null };

const json = { 'content-type': 'application/json' };

/** A maker submits three rows and a checker approves them, each by one HTTP request; then they are paid. */
beforeAll(async () => {
  tracing = startTracing({ process: 'server', version: '1', endpoint: 'http://127.0.0.1:9/v1/traces', exporter });
  payrun = await startPayrun({ observed: { server, worker, tracing }, requestsPerSecond: 50 });
  const { application, serverUrl, maker, checker } = payrun;
  const form = new FormData();
  form.set('file', new Blob([csvOf(newRows(3))], { type: 'text/csv' }), 'test.csv');
  const authorization = (token: string) => ({ authorization: `Bearer ${token}` });
  const submitted = await fetch(`${serverUrl}/api/v1/runs`, {
    method: 'POST',
    headers: authorization(maker.token),
    body: form,
  });
  expect(submitted.status).toBe(201);
  ({ runId } = (await submitted.json()) as { runId: string });
  const { proposal } = await untilRun(application, runId, 'in_approval');
  const approved = await fetch(`${serverUrl}/api/v1/runs/${runId}/approve`, {
    method: 'POST',
    headers: { ...authorization(checker.token), ...json },
    body: JSON.stringify({ contentHash: proposal?.contentHash }),
  });
  expect(approved.status).toBe(200);
  approval = { requestId: approved.headers.get('x-request-id') };
  expect((await untilPaid(payrun, runId)).state).toBe('completed');
});
afterAll(async () => {
  await payrun.stop();
  await tracing.stop();
});

async function spansOf(name: RegExp): Promise<ReadableSpan[]> {
  await tracing.flush();
  return exporter.getFinishedSpans().filter((span) => name.test(span.name));
}

test('one trace leads from the approval over workflows and activities to the funding of each payment and its SQL', async () => {
  const [request] = await spansOf(/^POST \/api\/v1\/runs\/:runId\/approve$/);
  const traceId = request?.spanContext().traceId;
  const inTrace = async (name: RegExp): Promise<ReadableSpan[]> =>
    (await spansOf(name)).filter((span) => span.spanContext().traceId === traceId);
  await until(async () => (await inTrace(/^RunActivity:fundPayment$/)).length === 3);
  expect(await inTrace(/^SignalWorkflow:decisionRecorded$/)).toHaveLength(1);
  expect(await inTrace(/^provider simple-payment-fund$/)).toHaveLength(3);
  const activities = new Set((await inTrace(/^RunActivity:fundPayment$/)).map((span) => span.spanContext().spanId));
  const [funding] = await inTrace(/^provider simple-payment-fund$/);
  expect(activities).toContain(funding?.parentSpanId);
  const statements = (await inTrace(/ /)).filter(({ attributes }) => attributes['db.system'] === 'postgresql');
  expect(statements.some(({ parentSpanId = '' }) => activities.has(parentSpanId))).toBe(true);
  expect(statements.some(({ parentSpanId }) => parentSpanId === request?.spanContext().spanId)).toBe(true);
});

test('the id of the approval is in the audit trail, in no entry of others, and in the history of the run', async () => {
  const { rows } = await payrun.database.query<{ kind: string; request: string | null }>(
    `select kind, detail ->> 'httpRequest' as request from audit_entries where run_id = $1`,
    [runId],
  );
  const of = (kind: string) => rows.filter((row) => row.kind === kind).map(({ request }) => request);
  expect(of('run_running')).toEqual([approval.requestId]);
  expect(of('run_submitted')).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  expect(of('run_submitted')).not.toEqual(of('run_running'));
  expect(new Set(of('fund_requested'))).toEqual(new Set([null]));
  const handle = payrun.temporal.workflow.getHandle(paymentRunWorkflowId(runId));
  expect((await handle.describe()).memo).toEqual({ [REQUEST_ID_HEADER]: of('run_submitted')[0] });
  const headers = ((await handle.fetchHistory()).events ?? []).flatMap(
    ({ workflowExecutionSignaledEventAttributes: attributes }) => {
      const data = attributes?.header?.fields?.[REQUEST_ID_HEADER]?.data;
      return attributes?.signalName === 'decisionRecorded' && data
        ? [JSON.parse(Buffer.from(data).toString()) as string]
        : [];
    },
  );
  expect(headers).toEqual([approval.requestId]);
});

test('spans hold nothing of the rows', async () => {
  await tracing.flush();
  const text = JSON.stringify(
    exporter.getFinishedSpans().map(({ name, attributes, events, status }) => [name, attributes, events, status]),
  );
  const payees = await payeesIn(payrun.database);
  const { rows } = await payrun.database.query<StoredContent>(`select ${CONTENT_COLUMNS} from payments`);
  const cells = new Set(
    rows.flatMap((row) => openContent(payees, row)?.cells ?? []).filter(({ length }) => length > 5),
  );
  expect(cells.size).toBeGreaterThan(5);
  expect([...cells].filter((cell) => text.includes(cell))).toEqual([]);
});

test('the metrics say what was done', async () => {
  addDatabaseMetrics(server, { database: payrun.testDatabase.asServer, health: () => payrun.application.health() });
  addWorkerMetrics(worker, {
    database: payrun.testDatabase.asWorker,
    temporal: payrun.temporal,
    accounts: [{ name: 'default', requestsPerSecond: 50, requestsPerDay: 432_000, requestsReservedPerDay: 4_320 }],
  });
  const record = await server.text();
  expect(record).toContain('payrun_payments{account="default",state="paid"} 3');
  expect(record).toContain('payrun_runs{account="default",state="completed"} 1');
  expect(record).toContain('payrun_service_up{service="postgres"} 1');
  expect(record).toContain('payrun_service_up{service="temporal"} 1');
  for (const source of ['database', 'ended', 'services'])
    expect(record).toContain(`payrun_metric_source_up{source="${source}"} 1`);
  const work = await worker.text();
  const funded = 'account="default",operation="simple-payment-fund",outcome="success"';
  expect(work).toContain(`payrun_provider_request_duration_seconds_count{${funded}} 3`);
  expect(work).toContain('payrun_rate_limiter_limit_per_second{account="default"} 50');
  expect(work).toMatch(/payrun_rate_limiter_day_requests\{account="default"\} [1-9]/);
  expect(work).toMatch(/payrun_rate_limiter_wait_seconds_count\{account="default"\} [1-9]/);
  expect(work).toMatch(/payrun_activities_total\{activity="pollPayments",result="completed"\} [1-9]/);
  expect(work).toMatch(/payrun_database_query_duration_seconds_count\{statement="with"\} [1-9]/);
  for (const source of ['rate_limiter', 'queues'])
    expect(work).toContain(`payrun_metric_source_up{source="${source}"} 1`);
});

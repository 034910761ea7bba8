import type { Client } from '@temporalio/client';
import { parse } from 'csv-parse/sync';
import type { PayrunClient } from '../../client/sdk/index.ts';
import { paymentRunWorkflowId, paymentWorkflowId } from '../../domain/identifiers.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { LedgerReport } from '../../sandbox/control/ledger-report.ts';
import type { RunningSandbox } from '../../sandbox/server.ts';
import type { Database } from '../../store/database/database.ts';
import { paymentsAt, type SandboxPayment } from '../helpers/sandbox-control.ts';
import { textOf } from '../helpers/run-under-test.ts';

/** A row in Postgres. */
export interface RecordedRow {
  paymentId: string;
  rowRef: string;
  state: PaymentState;
  referenceId: string;
  providerPaymentId: string | null;
  totalAmount: string | null;
  errorCode: string | null;
  /** Recorded create and fund requests that took effect, and requests of unknown outcome. */
  creates: number;
  funds: number;
  open: number;
  /** Creations and fundings that took effect by the audit trail. */
  auditedCreates: number;
  auditedFunds: number;
  /** The row was `unknown` at some time: its workflow ended with that, even if the outcome was found later. */
  wasUnknown: boolean;
}

export interface TemporalWorkflow {
  status: string;
  state: string | null;
}

/** One run as four records show it: the provider, Postgres, results.csv and Temporal. */
export interface RunViews {
  rowRefs: readonly string[];
  /** Beneficiary addresses by `row_ref`, of rows that have one. */
  addresses: ReadonlyMap<string, string>;
  ledger: LedgerReport;
  provider: SandboxPayment[];
  run: { state: string };
  rows: RecordedRow[];
  results: Record<string, string>[];
  runWorkflow: TemporalWorkflow;
  workflows: ReadonlyMap<string, TemporalWorkflow>;
}

export async function readRunViews(
  { database, temporal, maker }: { database: Database; temporal: Client; maker: PayrunClient },
  sandbox: RunningSandbox,
  runId: string,
  { rowRefs, addresses }: Pick<RunViews, 'rowRefs' | 'addresses'>,
): Promise<RunViews> {
  const rows = await recordedRows(database, runId);
  const { rows: runs } = await database.query<{ state: string }>('select state from runs where run_id = $1', [runId]);
  const workflows = await Promise.all(
    rows.map(async ({ paymentId }) => [paymentId, await workflowOf(temporal, paymentWorkflowId(paymentId))] as const),
  );
  return {
    rowRefs,
    addresses,
    ledger: sandbox.ledger(),
    provider: await paymentsAt(sandbox),
    run: { state: runs[0]?.state ?? 'missing' },
    rows,
    results: parse(await textOf(maker.getResults({ runId })), { columns: true, bom: true }),
    runWorkflow: await workflowOf(temporal, paymentRunWorkflowId(runId)),
    workflows: new Map(workflows),
  };
}

async function recordedRows(database: Database, runId: string): Promise<RecordedRow[]> {
  const { rows } = await database.query<RecordedRow>(
    `select payment_id as "paymentId", row_ref as "rowRef", state, payment_id || '-' || attempt as "referenceId",
       provider_payment_id as "providerPaymentId", total_amount::text as "totalAmount", error_code as "errorCode",
       (select count(*)::int from provider_requests r where r.payment_id = p.payment_id
          and operation = 'create' and outcome = 'took_effect') as creates,
       (select count(*)::int from provider_requests r where r.payment_id = p.payment_id
          and operation = 'fund' and outcome = 'took_effect') as funds,
       (select count(*)::int from provider_requests r where r.payment_id = p.payment_id
          and non_idempotent and outcome is null) as open,
       ${auditedEffects('create')} as "auditedCreates", ${auditedEffects('fund')} as "auditedFunds",
       exists (select from audit_entries a where a.payment_id = p.payment_id and detail ->> 'state' = 'unknown') as "wasUnknown"
     from payments p where run_id = $1 order by row_number`,
    [runId],
  );
  return rows;
}

/** Either the answer took effect, which is the kind of the entry, or a lookup found that the request did. */
function auditedEffects(operation: 'create' | 'fund'): string {
  return `(select count(*)::int from audit_entries a where a.payment_id = p.payment_id and (kind = '${operation}_took_effect'
    or (kind = '${operation}_resolved' and detail ->> 'outcome' = 'took_effect')))`;
}

async function workflowOf(temporal: Client, workflowId: string): Promise<TemporalWorkflow> {
  const handle = temporal.workflow.getHandle(workflowId);
  try {
    const { status } = await handle.describe();
    if (status.name !== 'COMPLETED') return { status: status.name, state: null };
    const result = (await handle.result()) as { state?: string } | undefined;
    return { status: status.name, state: result?.state ?? null };
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return { status: 'NOT_FOUND', state: null };
    throw error;
  }
}

import { activityInfo } from '@temporalio/activity';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { fairShareOf } from '../../domain/runs/request-priority.ts';
import { MAIN_TASK_QUEUE, paymentRunWorkflowId, paymentWorkflowId } from '../../domain/identifiers.ts';
import { readLocalDay } from '../../store/approvals/local-days.ts';
import { ACCOUNT, CURRENCY, ROW, RUN_ID, STATE } from '../../domain/runs/search-attributes.ts';
import { type PayableRow, noteBegun, listPayableRows } from '../../store/runs/payable-rows.ts';
import { readRunApproval } from '../../store/approvals/run-approval.ts';
import { countUnsentPayments } from '../../store/runs/open-payments.ts';
import { holdUnapprovedRows, noteUnapprovedRun } from '../../store/payments/unapproved.ts';
import type { PaymentInput } from '../../domain/payments/payment-input.ts';
import { tryAgainIn } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { startAccountWorkflowsActivity } from './start-account-workflows.ts';

/** Payments that one activity begins. */
const BATCH_SIZE = 25;

/** Well below the time in which as many payments are sent as may be unsent. */
const LIMIT_RETRY_MS = 500;

/** About five minutes. The run then asks again, so that it can continue as new in between. */
const MAX_LIMIT_RETRIES = 600;

export type BegunPayments =
  | { kind: 'begun'; lastRow: number }
  /** No more rows are due by `today` (YYYY-MM-DD): by this worker's clock, which decides, in the time zone of the account. */
  | { kind: 'none_due'; today: string }
  /** A stop is active: nothing was begun. */
  | { kind: 'stopped' }
  /** Too many payments stayed unsent: nothing was begun, and there may be more to begin. */
  | { kind: 'limit_reached' };

/**
 * Begins the next approved payments of a run, in the order of the file, as soon as its limit of begun and unsent payments has
 * room for them. Rows that wait for funds are skipped. Days are YYYY-MM-DD. No payment is begun before its own day,
 * whatever `dueBy` says, and none that is already running is begun again. Fails without retry for an unapproved run.
 *
 * The payments are not child workflows: that would add three events to the run's history for each payment, and as many
 * writes at the server, and tell the run nothing that is not recorded.
 */
export function beginPaymentsActivity({ database, temporal, now }: ActivityDependencies) {
  return async function beginPayments(page: {
    runId: string;
    afterRow: number;
    concurrencyLimit: number;
  }): Promise<BegunPayments> {
    const { account, isDecided, isStopped } = await readRunApproval(database, page.runId);
    // guard: run-asks-the-record
    if (!isDecided) {
      await noteUnapprovedRun(database, page.runId, 'begin_payments');
      throw ApplicationFailure.nonRetryable('nobody has approved the run', 'run_not_approved');
    }
    // guard: run-asks-for-stops
    if (isStopped) return { kind: 'stopped' };
    const limit = Math.min(BATCH_SIZE, page.concurrencyLimit);
    const today = await readLocalDay(database, account, now());
    // guard: planned-on-its-day
    const rows = await listPayableRows(database, { ...page, dueBy: today, limit });
    const last = rows.at(-1);
    if (last === undefined) {
      await holdUnapprovedRows(database, page.runId);
      return { kind: 'none_due', today };
    }
    const counted = await countUnsentPayments(database, page.runId);
    const fresh = rows.filter(({ isBegun }) => !isBegun);
    if (fresh.length > 0 && page.concurrencyLimit - counted.unsent < fresh.length) {
      if (activityInfo().attempt >= MAX_LIMIT_RETRIES) return { kind: 'limit_reached' };
      throw tryAgainIn(LIMIT_RETRY_MS, 'limit_reached', 'as many payments are unsent as may be');
    }
    const share = fairShareOf(counted.rows);
    await Promise.all(rows.map((row) => begin(temporal, { runId: page.runId, account, share }, row)));
    await noteBegun(
      database,
      fresh.map(({ paymentId }) => paymentId),
    );
    return { kind: 'begun', lastRow: last.rowNumber };
  };
}

/**
 * Restarts the workflows of begun, unfunded payments that are not running, for example because somebody terminated them:
 * they continue from the database. While a stop is active, only payments with an open request are restarted, to find out its
 * outcome; nothing of them is sent. Also starts the workflows of the account that are not running.
 */
export function restartLostPaymentsActivity(dependencies: ActivityDependencies) {
  const { database, temporal, now } = dependencies;
  const startAccountWorkflows = startAccountWorkflowsActivity(dependencies);
  return async function restartLostPayments({ runId }: { runId: string }): Promise<void> {
    const { account, isDecided, isStopped } = await readRunApproval(database, runId);
    if (!isDecided) return;
    await startAccountWorkflows({ account });
    const dueBy = await readLocalDay(database, account, now());
    const { rows: size } = await countUnsentPayments(database, runId);
    const share = fairShareOf(size);
    const only = isStopped ? 'with_open_request' : 'begun';
    let afterRow = 0;
    for (;;) {
      const rows = await listPayableRows(database, { runId, afterRow, dueBy, limit: BATCH_SIZE, only });
      const last = rows.at(-1);
      if (last === undefined) return;
      await Promise.all(rows.map((row) => begin(temporal, { runId, account, share }, row)));
      afterRow = last.rowNumber;
    }
  };
}

async function begin(
  temporal: Client,
  run: { runId: string; account: string; share: number },
  row: PayableRow,
): Promise<void> {
  const input: PaymentInput = {
    paymentId: row.paymentId,
    runId: run.runId,
    account: run.account,
    rowNumber: row.rowNumber,
    newBeneficiary: row.newBeneficiary,
    files: row.files,
    hasOpenRequest: row.hasOpenRequest,
    runWorkflowId: paymentRunWorkflowId(run.runId),
  };
  try {
    await temporal.workflow.start('payment', {
      workflowId: paymentWorkflowId(row.paymentId),
      taskQueue: MAIN_TASK_QUEUE,
      args: [input],
      // A workflow that somebody started before the approval must not keep this one from starting.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      // Its activities inherit the fairness key at every priority, so that runs share the queue of their account.
      priority: { fairnessKey: run.runId, fairnessWeight: run.share },
      staticSummary: `Row ${row.rowNumber}, ${row.sellCurrency} to ${row.buyCurrency}`,
      typedSearchAttributes: [
        { key: RUN_ID, value: run.runId },
        { key: ACCOUNT, value: run.account },
        { key: STATE, value: 'ready' },
        { key: ROW, value: row.rowNumber },
        { key: CURRENCY, value: row.buyCurrency },
      ],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

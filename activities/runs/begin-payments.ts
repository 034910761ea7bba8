import { activityInfo } from '@temporalio/activity';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { fairShareOf } from '../../domain/runs/fair-share.ts';
import { ENGINE_TASK_QUEUE, paymentRunWorkflowId, paymentWorkflowId } from '../../domain/identifiers.ts';
import { dayOf } from '../../domain/payments/pay-day.ts';
import { ACCOUNT, CURRENCY, ROW, RUN_ID, STATE } from '../../domain/runs/search-attributes.ts';
import {
  type PlannedRow,
  noteBegun,
  readAuthority,
  readWindow,
  takePayableRows,
} from '../../store/runs/run-planning.ts';
import { holdUnapprovedRows, noteUnapprovedRun } from '../../store/payments/unapproved.ts';
import type { PaymentInput } from '../../workflows/messages.ts';
import { tryAgainIn } from '../payments/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { startConfirmationActivity } from '../payments/start-confirmation.ts';

/** Payments begun at a time: one activity of the run each. */
const BATCH_SIZE = 25;

/** Well below the time in which a window is sent. */
const LOOK_FOR_ROOM_MS = 500;

/** The run then asks again, so that its history can be continued as a new one in between: about five minutes. */
const MOST_LOOKS_FOR_ROOM = 600;

/** Where a run's day has begun by Temporal's clock and not by this worker's, which decides. */
const LOOK_FOR_DAY_MS = 10_000;

export interface BegunPayments {
  /** The last row whose payment was begun; null when there is no more to begin by that day. */
  lastRow: number | null;
  /** A stop holds: nothing was begun. */
  isStopped?: boolean;
  /** The window has been full for long: nothing was begun, and there may be more to begin. */
  isFull?: boolean;
}

/**
 * Begins the next approved payments of a run, in the order of the file, as soon as the window has room for them: it
 * counts those that are begun and still to be sent. Rows that wait for others to be funded are passed over. Days are
 * YYYY-MM-DD.
 *
 * The payments are workflows of their own and not children of the run: three events of the run for each payment, and
 * as many writes at the server, would tell it nothing that the record does not. A payment that is under way is not begun
 * again. Fails for good for a run that nobody approved. Whatever day it is asked for, none is begun before its own.
 */
export function beginPaymentsActivity({ database, temporal, now }: ActivityDependencies) {
  return async function beginPayments(page: {
    runId: string;
    account: string;
    afterRow: number;
    dueBy: string;
    windowSize: number;
    /** Whether `isFull` is understood: a run on the version before would take it for the end. */
    answersFull?: boolean;
  }): Promise<BegunPayments> {
    const { isDecided, isStopped } = await readAuthority(database, page.runId);
    if (!isDecided) {
      await noteUnapprovedRun(database, page.runId, 'begin_payments');
      throw ApplicationFailure.nonRetryable('nobody has approved the run', 'run_not_approved');
    }
    if (isStopped) return { lastRow: null, isStopped };
    const limit = Math.min(BATCH_SIZE, page.windowSize);
    const today = dayOf(now());
    const dueBy = page.dueBy < today ? page.dueBy : today;
    const rows = await takePayableRows(database, { ...page, dueBy, limit });
    const last = rows.at(-1);
    if (last === undefined) {
      // Said to be done with a day that has not begun here, the run would never begin that day's rows.
      if (page.dueBy > today) throw tryAgainIn(LOOK_FOR_DAY_MS, 'day_not_begun', 'that day has not begun');
      await holdUnapprovedRows(database, page.runId);
      return { lastRow: null };
    }
    const window = await readWindow(database, page.runId);
    const more = rows.filter(({ isBegun }) => !isBegun);
    if (more.length > 0 && page.windowSize - window.unsent < more.length) {
      if (page.answersFull === true && activityInfo().attempt >= MOST_LOOKS_FOR_ROOM)
        return { lastRow: null, isFull: true };
      throw tryAgainIn(LOOK_FOR_ROOM_MS, 'window_full', 'enough payments wait to be sent');
    }
    const share = fairShareOf(window.rows);
    await Promise.all(rows.map((row) => begin(temporal, { ...page, share }, row)));
    await noteBegun(
      database,
      more.map(({ paymentId }) => paymentId),
    );
    return { lastRow: last.rowNumber };
  };
}

/**
 * Begins the payments of a run again that were begun, are not yet funded and whose workflow is gone, as where somebody
 * ended it from outside: they go on from the record. A payment that is under way stays as it is. While a stop holds, those
 * alone are begun of which a request's outcome is not known: it is found out, and nothing of them is sent. The sweep that
 * confirms them is seen to as well.
 */
export function beginLostPaymentsActivity(dependencies: ActivityDependencies) {
  const { database, temporal, now } = dependencies;
  const startConfirmation = startConfirmationActivity(dependencies);
  return async function beginLostPayments(run: {
    runId: string;
    account: string;
    /** Of the version before. */
    upToRow?: number;
  }): Promise<void> {
    const { isDecided, isStopped } = await readAuthority(database, run.runId);
    if (!isDecided) return;
    await startConfirmation(run);
    const dueBy = dayOf(now());
    const { rows: size } = await readWindow(database, run.runId);
    const share = fairShareOf(size);
    const only = isStopped ? 'with_open_request' : 'begun';
    let afterRow = 0;
    for (;;) {
      const rows = await takePayableRows(database, { runId: run.runId, afterRow, dueBy, limit: BATCH_SIZE, only });
      const last = rows.at(-1);
      if (last === undefined) return;
      await Promise.all(rows.map((row) => begin(temporal, { ...run, share }, row)));
      afterRow = last.rowNumber;
    }
  };
}

async function begin(
  temporal: Client,
  run: { runId: string; account: string; share: number },
  row: PlannedRow,
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
      taskQueue: ENGINE_TASK_QUEUE,
      args: [input],
      // The row is ready, whatever became of a workflow that somebody began before it was approved.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      // Its activities take it over, whatever their urgency: so runs share the queue of their account.
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

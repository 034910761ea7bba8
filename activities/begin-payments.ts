import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { fairShareOf } from '../domain/fair-share.ts';
import { ENGINE_TASK_QUEUE, paymentRunWorkflowId, paymentWorkflowId } from '../domain/identifiers.ts';
import { ACCOUNT, CURRENCY, ROW, RUN_ID, STATE } from '../domain/search-attributes.ts';
import { type PlannedRow, readWindow, takePayableRows } from '../store/run-planning.ts';
import type { PaymentInput } from '../workflows/messages.ts';
import { tryAgainIn } from './call-provider.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** Payments begun at a time: one activity of the run each. */
const BATCH_SIZE = 25;

/** Well below the time in which a window is sent. */
const LOOK_FOR_ROOM_MS = 500;

/**
 * Begins the next payments of a run, in the order of the file, as soon as the window has room for them: it counts those
 * that are begun and still to be sent. `lastRow` is the last one begun; null when there is no more to begin by that day
 * (YYYY-MM-DD).
 *
 * The payments are workflows of their own and not children of the run: three events of the run for each payment, and
 * as many writes at the server, would tell it nothing that the record does not. A payment that was begun before is not
 * begun again.
 */
export function beginPaymentsActivity({ database, temporal }: ActivityDependencies) {
  return async function beginPayments(page: {
    runId: string;
    account: string;
    afterRow: number;
    dueBy: string;
    windowSize: number;
  }): Promise<{ lastRow: number | null }> {
    const limit = Math.min(BATCH_SIZE, page.windowSize);
    const rows = await takePayableRows(database, { ...page, limit });
    const last = rows.at(-1);
    if (last === undefined) return { lastRow: null };
    const window = await readWindow(database, page);
    if (page.windowSize - window.unsent < rows.length) {
      throw tryAgainIn(LOOK_FOR_ROOM_MS, 'window_full', 'enough payments wait to be sent');
    }
    const share = fairShareOf(window.rows);
    await Promise.all(rows.map((row) => begin(temporal, { ...page, share }, row)));
    return { lastRow: last.rowNumber };
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
    rowHash: row.rowHash,
    newBeneficiary: row.newBeneficiary,
    files: row.files,
    runWorkflowId: paymentRunWorkflowId(run.runId),
  };
  try {
    await temporal.workflow.start('payment', {
      workflowId: paymentWorkflowId(row.paymentId),
      taskQueue: ENGINE_TASK_QUEUE,
      args: [input],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
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

import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  ParentClosePolicy,
  setCurrentDetails,
  setHandler,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { paymentWorkflowId } from '../domain/identifiers.ts';
import type { EngineActivities } from '../activities/create-activities.ts';
import { engineActivities } from './activity-options.ts';
import { type PaymentRunInput, type PaymentRunProgress, paymentSent, paymentsSettled } from './messages.ts';
import { payment } from './payment.ts';
import type { paymentRun } from './payment-run.ts';
import { ACCOUNT, CURRENCY, ROW, RUN_ID, STATE } from '../domain/search-attributes.ts';

type PayableRow = Awaited<ReturnType<EngineActivities['listPayable']>>[number];

/** Rows begun at a time: each batch is one list and one task of this workflow. */
const BATCH_SIZE = 25;

/** Children that one history may have open: the server allows 2,000. */
const MAX_CHILDREN_PER_HISTORY = 1_000;

/** How long an unfinished run goes without counting its rows, if nobody tells it that some have ended. */
const COUNT_AGAIN = '10 minutes';

/**
 * Begins a payment for every row to be paid, with no more than a window of them waiting to be sent at any time: so
 * what is begun is soon finished, no quote grows old in the queue, and a run of any length fits a history. Payments
 * that only wait to be confirmed are not counted in the window. Returns when every row has ended or is set aside.
 */
export async function payRows(
  input: PaymentRunInput,
  progress: PaymentRunProgress,
  onAllBegun: () => void,
): Promise<void> {
  const unsent = new Set(progress.unsent);
  const begunBefore = progress.begun;
  let settled = false;
  setHandler(paymentSent, ({ paymentId }) => {
    unsent.delete(paymentId);
    // One that ended without being funded is news for the count, once nothing waits to be sent any more.
    if (unsent.size === 0) settled = true;
  });
  setHandler(paymentsSettled, () => {
    settled = true;
  });
  const goOnIfLong = async (): Promise<void> => {
    const { continueAsNewSuggested } = workflowInfo();
    if (!continueAsNewSuggested && progress.begun - begunBefore < MAX_CHILDREN_PER_HISTORY) return;
    await condition(allHandlersFinished);
    progress.unsent = [...unsent];
    await continueAsNew<typeof paymentRun>({ ...input, progress });
  };

  const beginAllDueBy = async (dueBy: string): Promise<void> => {
    for (;;) {
      await goOnIfLong();
      const limit = Math.min(BATCH_SIZE, input.windowSize - unsent.size);
      const rows = await engineActivities.listPayable({
        runId: input.runId,
        afterRow: progress.lastRowNumber,
        limit,
        dueBy,
      });
      const last = rows.at(-1);
      if (last === undefined) return;
      for (const row of rows) unsent.add(row.paymentId);
      progress.unsent = [...unsent];
      await Promise.all(rows.map((row) => begin(input, row).catch(unlessBegun(() => unsent.delete(row.paymentId)))));
      progress.lastRowNumber = last.rowNumber;
      progress.begun += rows.length;
      setCurrentDetails(`${progress.begun} payments begun.`);
      const room = Math.min(BATCH_SIZE, input.windowSize);
      await condition(() => input.windowSize - unsent.size >= room);
    }
  };

  for (;;) {
    const today = new Date().toISOString().slice(0, 10);
    await beginAllDueBy(today);
    const { day } = await engineActivities.nextPayDay({ runId: input.runId, after: today });
    if (day === null) break;
    setCurrentDetails(`${progress.begun} payments begun; the next are due on ${day}.`);
    await sleep(Math.max(0, Date.parse(day) - Date.now()));
    // Rows before the last one may be due by now.
    await condition(() => unsent.size === 0);
    progress.lastRowNumber = 0;
  }
  onAllBegun();
  await condition(() => unsent.size === 0);
  for (;;) {
    settled = false;
    const { open } = await engineActivities.countOpenRows({ runId: input.runId });
    setCurrentDetails(`All ${progress.begun} payments begun; ${open} not yet at their end.`);
    if (open === 0) return;
    await condition(() => settled, COUNT_AGAIN);
    await goOnIfLong();
  }
}

/** A payment that was begun before is not begun again, and has nothing to say to this history. */
function unlessBegun(onBegun: () => void): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    onBegun();
  };
}

async function begin(input: PaymentRunInput, row: PayableRow): Promise<void> {
  await startChild(payment, {
    workflowId: paymentWorkflowId(row.paymentId),
    // A payment outlives this history of its run: it reports by signals, not as a child.
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: `Row ${row.rowNumber}, ${row.sellCurrency} to ${row.buyCurrency}`,
    typedSearchAttributes: [
      { key: RUN_ID, value: input.runId },
      { key: ACCOUNT, value: input.account },
      { key: STATE, value: 'ready' },
      { key: ROW, value: row.rowNumber },
      { key: CURRENCY, value: row.buyCurrency },
    ],
    args: [
      {
        paymentId: row.paymentId,
        runId: input.runId,
        account: input.account,
        rowNumber: row.rowNumber,
        rowHash: row.rowHash,
        newBeneficiary: row.newBeneficiary,
        files: row.files,
        runWorkflowId: workflowInfo().workflowId,
      },
    ],
  });
}

import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { engineActivities } from './activity-options.ts';
import { type PaymentRunInput, type PaymentRunProgress, paymentsSettled } from './messages.ts';
import type { paymentRun } from './payment-run.ts';

/** How long an unfinished run goes without counting its rows, if nobody tells it that some have ended. */
const COUNT_AGAIN = '10 minutes';

/**
 * Begins a payment for every row to be paid, with no more than a window of them waiting to be sent at any time: so
 * what is begun is soon finished and no quote grows old in the queue. Payments that only wait to be confirmed are not
 * counted in the window. Who is where stands in the record alone, so a run of any length fits a history. Returns when
 * every row has ended or is set aside.
 */
export async function payRows(
  input: PaymentRunInput,
  progress: PaymentRunProgress,
  onAllBegun: () => void,
): Promise<void> {
  const { runId, account, windowSize } = input;
  let settled = false;
  setHandler(paymentsSettled, () => {
    settled = true;
  });
  const goOnIfLong = async (): Promise<void> => {
    if (!workflowInfo().continueAsNewSuggested) return;
    await condition(allHandlersFinished);
    await continueAsNew<typeof paymentRun>({ ...input, progress });
  };

  const beginAllDueBy = async (dueBy: string): Promise<void> => {
    for (;;) {
      await goOnIfLong();
      const afterRow = progress.lastRowNumber;
      const { lastRow } = await engineActivities.beginPayments({ runId, account, afterRow, dueBy, windowSize });
      if (lastRow === null) return;
      progress.lastRowNumber = lastRow;
      setCurrentDetails(`Payments begun up to row ${lastRow}.`);
    }
  };

  for (;;) {
    const today = new Date().toISOString().slice(0, 10);
    await beginAllDueBy(today);
    const { day } = await engineActivities.nextPayDay({ runId, after: today });
    if (day === null) break;
    setCurrentDetails(`The next payments are due on ${day}.`);
    await sleep(Math.max(0, Date.parse(day) - Date.now()));
    // Rows before the last one may be due by now.
    progress.lastRowNumber = 0;
  }
  onAllBegun();
  for (;;) {
    settled = false;
    const { open } = await engineActivities.countOpenRows({ runId });
    setCurrentDetails(`All payments begun; ${open} not yet at their end.`);
    if (open === 0) return;
    await condition(() => settled, COUNT_AGAIN);
    await goOnIfLong();
  }
}

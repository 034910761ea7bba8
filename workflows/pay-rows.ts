import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { dayOf } from '../domain/pay-day.ts';
import { engineActivities } from './activity-options.ts';
import { type PaymentRunInput, type PaymentRunProgress, paymentsSettled, stopChanged } from './messages.ts';
import type { paymentRun } from './payment-run.ts';

/** How long an unfinished run goes without counting its rows, if nobody tells it that some have ended. */
const COUNT_AGAIN = '10 minutes';

/** How long a stopped run goes without asking whether it still is, if nobody tells it. */
const LOOK_WHILE_STOPPED = '10 minutes';

/**
 * Begins a payment for every row to be paid, with no more than a window of them waiting to be sent at any time: so
 * what is begun is soon finished and no quote grows old in the queue. Payments that only wait to be confirmed are not
 * counted in the window. Who is where stands in the record alone, so a run of any length fits a history. Returns when
 * every row has ended or is set aside. While a stop holds nothing is begun.
 */
export async function payRows(
  input: PaymentRunInput,
  progress: PaymentRunProgress,
  onAllBegun: () => void,
): Promise<void> {
  const { runId, account, windowSize } = input;
  let settled = false;
  let isStopChanged = false;
  setHandler(paymentsSettled, () => {
    settled = true;
  });
  setHandler(stopChanged, () => {
    isStopChanged = true;
  });
  const goOnIfLong = async (): Promise<void> => {
    if (!workflowInfo().continueAsNewSuggested) return;
    await condition(allHandlersFinished);
    await continueAsNew<typeof paymentRun>({ ...input, progress });
  };
  /** Payments that wait learn of it from here: a stop was made, lifted, or made final. */
  const passOnStopChange = async (): Promise<void> => {
    if (!isStopChanged) return;
    isStopChanged = false;
    await engineActivities.resumePayments({ runId, upToRow: progress.lastRowNumber });
  };

  const beginAllDueBy = async (dueBy: string): Promise<void> => {
    for (;;) {
      await goOnIfLong();
      const afterRow = progress.lastRowNumber;
      const begun = await engineActivities.beginPayments({ runId, account, afterRow, dueBy, windowSize });
      if (begun.isStopped === true) {
        setCurrentDetails('Stopped: nothing is sent.');
        if ((await countOpen()) === 0) return;
        await condition(() => isStopChanged, LOOK_WHILE_STOPPED);
        await passOnStopChange();
      } else if (begun.lastRow === null) return;
      else {
        progress.lastRowNumber = begun.lastRow;
        setCurrentDetails(`Payments begun up to row ${begun.lastRow}.`);
      }
    }
  };
  const countOpen = async (): Promise<number> => (await engineActivities.countOpenRows({ runId })).open;

  for (;;) {
    const today = dayOf(Date.now());
    await beginAllDueBy(today);
    const { day } = await engineActivities.nextPayDay({ runId, after: today });
    if (day === null) break;
    setCurrentDetails(`The next payments are due on ${day}.`);
    await condition(() => isStopChanged, Math.max(1, Date.parse(day) - Date.now()));
    await passOnStopChange();
    // Rows before the last one may be due by now.
    progress.lastRowNumber = 0;
  }
  onAllBegun();
  for (;;) {
    settled = false;
    const open = await countOpen();
    setCurrentDetails(`All payments begun; ${open} not yet at their end.`);
    if (open === 0) return;
    await condition(() => settled || isStopChanged, COUNT_AGAIN);
    await passOnStopChange();
    await goOnIfLong();
  }
}

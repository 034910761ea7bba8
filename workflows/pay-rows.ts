import {
  allHandlersFinished,
  condition,
  continueAsNew,
  patched,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { dayOf } from '../domain/payments/pay-day.ts';
import { engineActivities } from './activity-options.ts';
import { type PaymentRunInput, type PaymentRunProgress, paymentsSettled, stopChanged } from './messages.ts';
import type { paymentRun } from './payment-run.ts';

/** How long an unfinished run goes without counting its rows, if nobody tells it that some have ended. */
const COUNT_AGAIN = '10 minutes';

/** The same for rows that wait behind others for money. */
const BEGIN_AGAIN_MS = 600_000;

/** How long a stopped run goes without asking whether it still is, if nobody tells it. */
const LOOK_WHILE_STOPPED = '10 minutes';

/** How long a payment whose workflow was ended from outside lies, if nothing else has its run look. */
const LOOK_FOR_LOST = '10 minutes';

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
  // A run whose history began without this goes on without it.
  const isRoused = patched('roused-while-waiting');
  const news = listenForNews();
  /** Payments that wait learn of it from here: a stop was made, lifted, or made final. */
  const passOnStopChange = async (): Promise<void> => {
    if (!news.isStopChanged) return;
    news.isStopChanged = false;
    await engineActivities.resumePayments({ runId });
    if (isRoused) await beginLostPayments();
  };
  const beginLostPayments = (): Promise<void> => engineActivities.beginLostPayments({ runId, account });

  const beginAllDueBy = async (dueBy: string): Promise<void> => {
    for (;;) {
      await goOnIfLong(input, progress);
      const page = { runId, account, afterRow: progress.lastRowNumber, dueBy, windowSize, answersFull: true };
      const begun = await engineActivities.beginPayments(page);
      if (begun.isFull === true) continue;
      if (begun.isStopped === true) {
        setCurrentDetails('Stopped: nothing is sent.');
        news.settled = false;
        if ((await engineActivities.countOpenRows({ runId })).open === 0) return;
        // Those that a cancellation ends may be the last ones.
        await condition(() => news.isStopChanged || (isRoused && news.settled), LOOK_WHILE_STOPPED);
        await passOnStopChange();
      } else if (begun.lastRow === null) return;
      else {
        progress.lastRowNumber = begun.lastRow;
        setCurrentDetails(`Payments begun up to row ${begun.lastRow}.`);
      }
    }
  };

  if (isRoused) void lookForLost(beginLostPayments).catch(() => undefined);
  for (;;) {
    const today = dayOf(Date.now());
    await beginAllDueBy(today);
    news.settled = false;
    const { day, toBegin = 0, waiting = 0 } = await engineActivities.nextPayDay({ runId, after: today });
    if (day === null) break;
    setCurrentDetails(`The next payments are due on ${day}.`);
    // Rows that wait for money are begun when it has come.
    const isWoken = (): boolean => news.isStopChanged || (isRoused && isLong()) || (waiting > 0 && news.settled);
    // Those for whom nobody waits any more are told by nobody.
    const untilDayMs = Math.max(1, Date.parse(day) - Date.now());
    if (toBegin === 0) await condition(isWoken, waiting > 0 ? Math.min(untilDayMs, BEGIN_AGAIN_MS) : untilDayMs);
    await passOnStopChange();
    // Rows before the last one may be due by now.
    progress.lastRowNumber = 0;
  }
  onAllBegun();
  for (;;) {
    news.settled = false;
    const { open, toBegin = 0 } = await engineActivities.countOpenRows({ runId });
    if (open === 0) return;
    if (toBegin > 0) {
      // Money has come for rows that waited for it.
      progress.lastRowNumber = 0;
      await beginAllDueBy(dayOf(Date.now()));
    }
    setCurrentDetails(`All payments begun that can be; ${open} not yet at their end.`);
    await condition(() => news.settled || news.isStopChanged, COUNT_AGAIN);
    await passOnStopChange();
    await goOnIfLong(input, progress);
  }
}

/** What the run is told while it pays. */
function listenForNews(): { settled: boolean; isStopChanged: boolean } {
  const news = { settled: false, isStopChanged: false };
  setHandler(paymentsSettled, () => {
    news.settled = true;
  });
  setHandler(stopChanged, () => {
    news.isStopChanged = true;
  });
  return news;
}

async function goOnIfLong(input: PaymentRunInput, progress: PaymentRunProgress): Promise<void> {
  if (!isLong()) return;
  await condition(allHandlersFinished);
  await continueAsNew<typeof paymentRun>({ ...input, progress });
}

/** Its history should be continued as a new one. */
function isLong(): boolean {
  return workflowInfo().continueAsNewSuggested;
}

/** Beside everything else: also while the window is full, as it stays when the payments in it are gone. */
async function lookForLost(beginLostPayments: () => Promise<void>): Promise<never> {
  for (;;) {
    await sleep(LOOK_FOR_LOST);
    await beginLostPayments();
  }
}

import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { mainActivities } from './activity-options.ts';
import {
  type PaymentRunInput,
  type PaymentRunProgress,
  type PaymentRunWorkflow,
  paymentsEnded,
  stopChanged,
} from './messages.ts';

/** How often an unfinished run counts its open rows if no signal arrives. */
const COUNT_INTERVAL = '10 minutes';

/** How often a run tries to begin rows that wait for funds if no signal arrives. */
const FUNDS_RETRY_MS = 600_000;

/** The least wait for a day that has begun by Temporal's clock but not by the worker's, which decides. */
const DAY_RETRY_MS = 10_000;

/** How often a stopped run checks whether it is still stopped if no signal arrives. */
const STOP_CHECK_INTERVAL = '10 minutes';

/** How often a run restarts payments whose workflows were terminated from outside. */
const RESTART_INTERVAL = '10 minutes';

interface PayingRun {
  input: PaymentRunInput;
  progress: PaymentRunProgress;
  signals: { hasEndedRows: boolean; isStopChanged: boolean; stopChanges: number };
  /** Of the changes of stops, those that the waiting payments know of. */
  passedOn: number;
}

/**
 * Begins a payment for every row to be paid, with at most `concurrencyLimit` of them waiting to be sent: so each is soon
 * sent, and no quote expires in the queue. Payments that only wait for confirmation do not count. They are counted in the
 * database, so that a run of any length fits a history. While a stop is active nothing is begun. Returns when no row is open.
 */
export async function payRows(
  input: PaymentRunInput,
  progress: PaymentRunProgress,
  onAllBegun: () => void,
): Promise<void> {
  const { runId } = input;
  const run: PayingRun = { input, progress, signals: receiveSignals(), passedOn: 0 };
  const { signals } = run;

  void passOnStopChanges(run).catch(() => undefined);
  void restartLostPeriodically(run).catch(() => undefined);
  for (;;) {
    const today = await beginAllDue(run);
    signals.hasEndedRows = false;
    if (today === null) break;
    const { day, beginsAtMs, rowsToBegin, rowsWaiting } = await mainActivities.nextPayDay({ runId, after: today });
    if (day === null) break;
    setCurrentDetails(`The next payments are due on ${day}.`);
    const isWoken = (): boolean =>
      signals.isStopChanged || isHistoryLong() || (rowsWaiting > 0 && signals.hasEndedRows);
    // Rows that wait for funds are also tried without a signal: none is sent when no payment waits for funds any more.
    const untilDayMs = Math.max(DAY_RETRY_MS, beginsAtMs - Date.now());
    if (rowsToBegin === 0)
      await condition(isWoken, rowsWaiting > 0 ? Math.min(untilDayMs, FUNDS_RETRY_MS) : untilDayMs);
    signals.isStopChanged = false;
    // Rows before the last begun one may be due by now.
    progress.lastRowNumber = 0;
  }
  onAllBegun();
  for (;;) {
    signals.hasEndedRows = false;
    const { openRows, rowsToBegin } = await mainActivities.countOpenRows({ runId });
    if (openRows === 0) return;
    if (rowsToBegin > 0) {
      // Funds have arrived for rows that waited.
      progress.lastRowNumber = 0;
      await beginAllDue(run);
    }
    setCurrentDetails(`All payments that can be sent are begun; ${openRows} have not ended yet.`);
    await condition(() => signals.hasEndedRows || signals.isStopChanged, COUNT_INTERVAL);
    signals.isStopChanged = false;
    await continueIfLong(run);
  }
}

/** Returns the day (YYYY-MM-DD) of which all rows are begun; null if no row is open any more. */
async function beginAllDue(run: PayingRun): Promise<string | null> {
  const { input, progress, signals } = run;
  const { runId, concurrencyLimit } = input;
  for (;;) {
    await continueIfLong(run);
    const page = { runId, afterRow: progress.lastRowNumber, concurrencyLimit };
    const begun = await mainActivities.beginPayments(page);
    switch (begun.kind) {
      case 'begun':
        progress.lastRowNumber = begun.lastRow;
        setCurrentDetails(`Payments begun up to row ${begun.lastRow}.`);
        break;
      case 'none_due':
        return begun.today;
      case 'stopped':
        setCurrentDetails('Stopped: nothing is sent.');
        signals.hasEndedRows = false;
        if ((await mainActivities.countOpenRows({ runId })).openRows === 0) return null;
        // A cancellation may end the last open rows.
        await condition(() => signals.isStopChanged || signals.hasEndedRows, STOP_CHECK_INTERVAL);
        signals.isStopChanged = false;
        break;
      case 'limit_reached':
        break;
    }
  }
}

function receiveSignals(): PayingRun['signals'] {
  const signals = { hasEndedRows: false, isStopChanged: false, stopChanges: 0 };
  setHandler(paymentsEnded, () => {
    signals.hasEndedRows = true;
  });
  setHandler(stopChanged, () => {
    signals.isStopChanged = true;
    signals.stopChanges += 1;
  });
  return signals;
}

/**
 * Waiting payments learn from their run that a stop was lifted or made final. Runs beside everything else: the run may be waiting
 * until fewer payments are unsent, and those are the ones that wait for the end of a stop.
 */
async function passOnStopChanges(run: PayingRun): Promise<never> {
  const { signals } = run;
  for (;;) {
    await condition(() => run.passedOn < signals.stopChanges);
    const changes = signals.stopChanges;
    await mainActivities.notifyStopChanged({ runId: run.input.runId });
    await restartLost(run);
    run.passedOn = changes;
  }
}

/** Runs beside everything else: lost payments stay unsent, and the run may begin no more than its limit. */
async function restartLostPeriodically(run: PayingRun): Promise<never> {
  for (;;) {
    await sleep(RESTART_INTERVAL);
    await restartLost(run);
  }
}

function restartLost({ input: { runId } }: PayingRun): Promise<void> {
  return mainActivities.restartLostPayments({ runId });
}

async function continueIfLong(run: PayingRun): Promise<void> {
  if (!isHistoryLong()) return;
  await condition(allHandlersFinished);
  // What was not passed on yet would be lost.
  await condition(() => run.passedOn === run.signals.stopChanges);
  await continueAsNew<PaymentRunWorkflow>({ ...run.input, progress: run.progress });
}

function isHistoryLong(): boolean {
  return workflowInfo().continueAsNewSuggested;
}

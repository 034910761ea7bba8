import {
  allHandlersFinished,
  condition,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { engineActivities, providerActivities } from './activity-options.ts';
import { type ConfirmationInput, webhookHinted } from './messages.ts';

/** However many hints come, the sweep wakes at most once in this time. */
const LEAST_PAUSE = '1 second';

/**
 * The confirmation sweep of one provider account: one read for all payments in flight, woken by hints and by its own
 * slowing clock. It ends when nothing is in flight and no run is active; the next run starts it again.
 */
export async function confirmation(input: ConfirmationInput): Promise<void> {
  const { account } = input;
  // Nothing can be settled yet when it starts, so it counts as a read.
  let lastSweepAtMs = input.lastSweepAtMs ?? Date.now();
  let hinted = false;
  const isHinted = (): boolean => hinted;
  setHandler(webhookHinted, () => {
    hinted = true;
  });

  for (;;) {
    hinted = false;
    const plan = await engineActivities.planSweep({ account, sinceLastSweepMs: Date.now() - lastSweepAtMs });
    setCurrentDetails(`${plan.inFlight} payments in flight.`);
    if (plan.sweepNow) {
      await sweep(account).catch(unlessCancelled);
      lastSweepAtMs = Date.now();
    }
    if (plan.sweepNow || plan.untold > 0) await engineActivities.tellSettled({ account });
    // A hint that came meanwhile keeps the workflow open: the server refuses to close one with news unread.
    if (plan.finished && !isHinted()) return;
    await condition(isHinted, plan.waitMs);
    await sleep(LEAST_PAUSE);
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof confirmation>({ account, lastSweepAtMs });
    }
  }
}

// It outlives versions: it goes over to the one that is current, which must replay what came before.
setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, confirmation);

async function sweep(account: string): Promise<void> {
  const provider = providerActivities(account, 'confirm');
  const { missing } = await provider.sweepPayments({ account });
  // One that cannot be read must not keep the others unconfirmed: it is missing again at the next sweep.
  const soon = providerActivities(account, 'ask');
  for (const paymentId of missing) await soon.readPayment({ paymentId }).catch(unlessCancelled);
}

/** A provider that cannot be read for days does not end the sweep: the next round asks again. */
function unlessCancelled(error: unknown): void {
  if (isCancellation(error)) throw error;
}

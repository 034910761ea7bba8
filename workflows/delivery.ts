import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setHandler,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import { notificationActivities } from './activity-options.ts';
import { deliveriesQueued, type DeliveryInput } from './messages.ts';

/**
 * Delivers the notifications of one endpoint, one after another, the oldest that is due first, so that an endpoint that hangs
 * delays no other. It ends when nothing is left to deliver: workers look for more, and start it again.
 */
export async function delivery({ endpointId }: DeliveryInput): Promise<void> {
  let hasMore = false;
  const isWoken = (): boolean => hasMore;
  setHandler(deliveriesQueued, () => {
    hasMore = true;
  });
  for (;;) {
    hasMore = false;
    const { waitMs } = await notificationActivities.deliverNotification({ endpointId });
    // A signal that arrived meanwhile keeps the workflow open: the server rejects its completion.
    if (waitMs === null && !isWoken()) return;
    if (waitMs !== null && waitMs > 0) await condition(isWoken, waitMs);
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof delivery>({ endpointId });
    }
  }
}

// It runs across versions, so it moves to the current one, which must be able to replay its history.
setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, delivery);

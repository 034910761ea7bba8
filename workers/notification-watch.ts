import type { Client } from '@temporalio/client';
import { deliveryWorkflowId, MAIN_TASK_QUEUE } from '../domain/identifiers.ts';
import type { Database } from '../store/database/database.ts';
import { takeEndpointsToWake } from '../store/notifications/deliveries.ts';
import { planDeliveries, type PlanSettings } from '../store/notifications/plan-deliveries.ts';

const LOOK_EVERY_MS = 1_000;

export interface NotificationWatch {
  stop(): Promise<void>;
}

/**
 * Looks every second for facts to tell of, makes deliveries of them, and wakes the workflows of their endpoints. Several
 * processes may do so; a workflow that is not woken, or whose signal is lost, is woken a minute later. `warn` is called once
 * when looking begins to fail.
 */
export function startNotificationWatch(options: {
  database: Database;
  temporal: Client;
  settings: PlanSettings;
  warn: (message: string) => void;
}): NotificationWatch {
  const { database, temporal, settings, warn } = options;
  let isFailing = false;
  let current: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    try {
      await planDeliveries(database, settings);
      for (const endpointId of await takeEndpointsToWake(database)) await wake(temporal, endpointId);
      isFailing = false;
    } catch {
      if (!isFailing)
        warn('notifications cannot be planned, or their workflows not be woken; it is tried again every second');
      isFailing = true;
    }
  };
  const timer = setInterval(() => {
    current ??= look().finally(() => {
      current = null;
    });
  }, LOOK_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await current;
    },
  };
}

/** Starts the workflow of the endpoint. If it is running already, it looks at once. */
async function wake(temporal: Client, endpointId: string): Promise<void> {
  await temporal.workflow.signalWithStart('delivery', {
    workflowId: deliveryWorkflowId(endpointId),
    taskQueue: MAIN_TASK_QUEUE,
    args: [{ endpointId }],
    signal: 'deliveriesQueued',
    signalArgs: [],
    staticSummary: 'Delivers notifications to one endpoint',
  });
}

import type { Client } from '@temporalio/client';
import { conversionWorkflowId, MAIN_TASK_QUEUE } from '../../domain/identifiers.ts';

/** Starts the workflow of an order. Workers start it also without, a little later, so a failure is nobody's concern. */
export async function startConversion(temporal: Client, input: { orderId: string; account: string }): Promise<void> {
  await temporal.workflow
    .signalWithStart('conversion', {
      workflowId: conversionWorkflowId(input.orderId),
      taskQueue: MAIN_TASK_QUEUE,
      args: [input],
      signal: 'conversionChanged',
      signalArgs: [],
      staticSummary: 'Converts money of one balance into another currency',
    })
    .catch(() => undefined);
}

import { conversionWorkflowId, MAIN_TASK_QUEUE } from '../identifiers.ts';

/** How the workflow of an order is started, once; one that is running looks at its record. */
export function conversionStart(input: { orderId: string; account: string }) {
  return {
    workflowId: conversionWorkflowId(input.orderId),
    taskQueue: MAIN_TASK_QUEUE,
    args: [input],
    signal: 'conversionChanged',
    signalArgs: [],
    staticSummary: 'Converts money of one balance into another currency',
  };
}

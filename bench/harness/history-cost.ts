import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { Measurements } from '../benchmark.ts';

/** Temporal Cloud bills each of these as one action. A child workflow is billed twice: here and in its own history. */
const ACTIONS: Readonly<Record<string, number>> = {
  WORKFLOW_EXECUTION_STARTED: 1,
  ACTIVITY_TASK_SCHEDULED: 1,
  TIMER_STARTED: 1,
  START_CHILD_WORKFLOW_EXECUTION_INITIATED: 1,
  UPSERT_WORKFLOW_SEARCH_ATTRIBUTES: 1,
  WORKFLOW_EXECUTION_SIGNALED: 1,
  WORKFLOW_EXECUTION_UPDATE_ACCEPTED: 1,
  WORKFLOW_EXECUTION_CONTINUED_AS_NEW: 1,
};

interface Cost {
  histories: number;
  events: number;
  bytes: number;
  actions: number;
}

/**
 * Events, bytes as the server counts them, and billable actions per payment: in the histories of a sample of payment
 * workflows, and in all histories of the `shared` workflows (name to workflow id), which serve many payments.
 */
export async function historyCost(
  address: string,
  payments: { readonly count: number; readonly sample: readonly string[] },
  shared: Readonly<Record<string, string>>,
): Promise<Measurements> {
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection });
    const own = await costOf(client, payments.sample);
    const measurements: Record<string, Measurements> = { payment: perPayment(own, own.histories) };
    for (const [name, workflowId] of Object.entries(shared)) {
      const cost = await costOf(client, [workflowId]);
      measurements[name] = { histories: cost.histories, ...perPayment(cost, payments.count) };
    }
    return measurements;
  } finally {
    await connection.close();
  }
}

async function costOf(client: Client, workflowIds: readonly string[]): Promise<Cost> {
  const cost: Cost = { histories: 0, events: 0, bytes: 0, actions: 0 };
  for (const workflowId of workflowIds) {
    // A workflow that continues as new has several histories under one id.
    for await (const { runId } of client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
      const handle = client.workflow.getHandle(workflowId, runId);
      const { historySize = 0 } = await handle.describe();
      const { events } = await handle.fetchHistory();
      cost.histories += 1;
      cost.bytes += historySize;
      for (const { eventType } of events ?? []) {
        cost.events += 1;
        cost.actions += ACTIONS[nameOf(eventType ?? 0)] ?? 0;
      }
    }
  }
  if (cost.histories === 0) throw new Error('Temporal lists no workflow of the run');
  return cost;
}

const nameOf = (eventType: number): string =>
  proto.temporal.api.enums.v1.EventType[eventType]?.replace('EVENT_TYPE_', '') ?? '';

const perPayment = ({ events, bytes, actions }: Cost, payments: number): Measurements => ({
  events: rounded(events / payments),
  bytes: rounded(bytes / payments),
  actions: rounded(actions / payments),
});

const rounded = (value: number): number => Math.round(value * 100) / 100;

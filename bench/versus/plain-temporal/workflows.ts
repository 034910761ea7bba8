import { proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { PreparedRow } from '../contender.ts';
import type { createActivities } from './activities.ts';

const { quote, create, fund, readStatus } = proxyActivities<ReturnType<typeof createActivities>>({
  startToCloseTimeout: '30 seconds',
});

/** The design that Temporal's tutorials suggest: one workflow per payment, which polls for its end. */
export async function pay(row: PreparedRow): Promise<string> {
  const quoteId = await quote(row);
  const simplePaymentId = await create(quoteId, workflowInfo().workflowId);
  await fund(simplePaymentId);
  for (;;) {
    await sleep('5 seconds');
    const status = await readStatus(simplePaymentId);
    if (['completed', 'rejected', 'failed'].includes(status)) return status;
  }
}

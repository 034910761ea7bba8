/** The workflows with one change that replay must detect: a payment that waits a second before it starts. */
import { setWorkflowOptions, sleep } from '@temporalio/workflow';
import type { PaymentInput } from '../../domain/payments/payment-input.ts';
import { payment as unchanged } from '../../workflows/payment.ts';

export { paymentStatusPoller } from '../../workflows/payment-status-poller.ts';
export { moneyWatch } from '../../workflows/money-watch.ts';
export { paymentRun } from '../../workflows/payment-run.ts';
export { referenceData } from '../../workflows/reference-data.ts';

export async function payment(input: PaymentInput): Promise<unknown> {
  await sleep('1 second');
  return unchanged(input);
}

setWorkflowOptions({ versioningBehavior: 'PINNED' }, payment);

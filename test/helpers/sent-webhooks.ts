import { expect } from 'vitest';
import { type PayrunUnderTest, WEBHOOK_HEADERS } from './payrun-under-test.ts';
import { webhooksOf } from './sandbox-control.ts';

/** Sends an event with these headers, as anyone who knows the URL could. */
export async function post(
  { sandbox }: PayrunUnderTest,
  body: string,
  headers: Record<string, string>,
): Promise<Response> {
  const { url } = await webhooksOf(sandbox);
  return fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
}

/** Sends an event as the provider would. */
export async function send(payrun: PayrunUnderTest, body: string): Promise<unknown> {
  const answer = await post(payrun, body, WEBHOOK_HEADERS);
  expect(answer.status).toBe(200);
  return answer.json();
}

interface PaymentInFlight {
  id: string;
  state: string;
  webhookReceivedAt: Date | null;
  polledAt: Date | null;
}

/** The payment of a run of one row. */
export async function onlyPayment({ database }: PayrunUnderTest, runId: string): Promise<PaymentInFlight> {
  const { rows } = await database.query<PaymentInFlight>(
    `select provider_payment_id as id, state, webhook_received_at as "webhookReceivedAt", polled_at as "polledAt"
     from payments where run_id = $1`,
    [runId],
  );
  const [payment] = rows;
  if (payment === undefined) throw new Error('the run has no payment');
  return payment;
}

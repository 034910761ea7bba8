import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';

/** An ended payment whose workflow is still to be notified. */
export interface PendingNotification {
  paymentId: string;
  runId: string;
  state: PaymentState;
}

export async function listPendingNotifications(
  database: Queryable,
  account: string,
  limit: number,
): Promise<PendingNotification[]> {
  const { rows } = await database.query<{ payment_id: string; run_id: string; state: PaymentState }>(
    'select payment_id, run_id, state from payments where account = $1 and notification_pending order by ended_at limit $2',
    [account, limit],
  );
  return rows.map((row) => ({ paymentId: row.payment_id, runId: row.run_id, state: row.state }));
}

export async function markNotified(database: Queryable, notified: readonly PendingNotification[]): Promise<void> {
  await database.query(
    `update payments set notification_pending = false from unnest($1::uuid[], $2::text[]) as notified (payment_id, state)
     -- guard: notified-of-that-state
     where payments.payment_id = notified.payment_id and payments.state = notified.state`,
    [notified.map((payment) => payment.paymentId), notified.map((payment) => payment.state)],
  );
}

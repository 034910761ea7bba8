import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';

/** A payment that has ended, and whose workflow has yet to be told. */
export interface UntoldPayment {
  paymentId: string;
  runId: string;
  state: PaymentState;
}

export async function listUntold(database: Queryable, account: string, limit: number): Promise<UntoldPayment[]> {
  const { rows } = await database.query<{ payment_id: string; run_id: string; state: PaymentState }>(
    'select payment_id, run_id, state from payments where account = $1 and untold order by settled_at limit $2',
    [account, limit],
  );
  return rows.map((row) => ({ paymentId: row.payment_id, runId: row.run_id, state: row.state }));
}

export async function markTold(database: Queryable, told: readonly UntoldPayment[]): Promise<void> {
  await database.query(
    `update payments set untold = false from unnest($1::uuid[], $2::text[]) as told (payment_id, state)
     where payments.payment_id = told.payment_id and payments.state = told.state`,
    [told.map((payment) => payment.paymentId), told.map((payment) => payment.state)],
  );
}

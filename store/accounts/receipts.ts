import { callAsUser } from '../database/call-as-user.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';
import { lockRun, updateOutcome } from '../runs/run-outcome.ts';
import type { TokenHash } from '../users/token-hash.ts';

interface ReturnedPayment {
  payment: string;
  run: string;
}

/** Explains receipts by what the provider has shown, and answers the paid payments that have come back as a whole. */
export async function explainReceipts(database: Queryable, account: string): Promise<ReturnedPayment[]> {
  const { rows } = await database.query<ReturnedPayment>('select payment, run from explain_receipts($1)', [account]);
  return rows;
}

/** A paid payment that came back is returned; an ended run has another outcome then. */
export async function recordReturn(database: Database, { payment, run }: ReturnedPayment): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lockRun(transaction, run);
    await transaction.query(
      `update payments set state = 'returned', changed_at = clock_timestamp() where payment_id = $1 and state = 'paid'`,
      [payment],
    );
    await updateOutcome(transaction, run);
  });
}

interface NewReceiptAssignment {
  account: string;
  currency: string;
  entryId: string;
  /** Null: something that payrun does not know. */
  refundId: string | null;
  reason: string;
}

/** Says what a receipt is that nothing explains. */
export async function assignReceiptAs(
  database: Queryable,
  tokenHash: TokenHash,
  { account, currency, entryId, refundId, reason }: NewReceiptAssignment,
): Promise<void> {
  const values = [tokenHash.bytes, account, currency, entryId, refundId, reason];
  await callAsUser(database, 'assign_receipt($1, $2, $3, $4, $5, $6)', values);
}

import { type Evidence, evidenceText } from '../../domain/payments/manual-outcome.ts';
import type { Queryable } from '../database/database.ts';
import { contentSha256 } from '../../domain/sha256.ts';

/** A request to the provider for one payment. `outcome` null: unknown. */
export interface RecordedRequest {
  operation: string;
  attempt: number;
  begunAt: Date;
  answeredAt: Date | null;
  httpStatus: number | null;
  outcome: string | null;
}

/** Everything in the database about the outcome of one payment, without its beneficiary. */
export interface RowEvidence extends Evidence {
  paymentId: string;
  runId: string;
  account: string;
  referenceId: string | null;
  /** When the provider last showed it. */
  polledAt: Date | null;
  /** Until then it can be funded there. */
  fundingCutoffAt: Date | null;
  requests: RecordedRequest[];
}

/**
 * The evidence of one payment; null for an unknown id. With `lock`, inside a transaction, the row cannot change until the
 * transaction ends.
 */
export async function readEvidence(
  database: Queryable,
  paymentId: string,
  { lock }: { lock: boolean } = { lock: false },
): Promise<RowEvidence | null> {
  const { rows } = await database.query<Omit<RowEvidence, 'requests'>>(
    `select payment_id as "paymentId", run_id as "runId", account, state, attempt, error_code as "errorCode",
       reference_id as "referenceId", provider_payment_id as "providerPaymentId", provider_status as "providerStatus",
       polled_at as "polledAt", funding_cutoff_at as "fundingCutoffAt"
     from payments where payment_id = $1 ${lock ? 'for update' : ''}`,
    [paymentId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { rows: requests } = await database.query<RecordedRequest>(
    `select operation, attempt, begun_at as "begunAt", answered_at as "answeredAt", http_status as "httpStatus", outcome
     from provider_requests where payment_id = $1 order by begun_at, request_id`,
    [paymentId],
  );
  return { ...row, requests };
}

/** A proposal is bound to this hash. */
export function evidenceHashOf(evidence: Evidence): string {
  return contentSha256(evidenceText(evidence));
}

import {
  type AnswerKind,
  type NonIdempotentOperation,
  OUTCOMES_WITHOUT_EFFECT,
  REFUSALS,
} from '../../domain/payments/request-result.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import type { PaymentRecord } from './payments.ts';

export interface OpenRequest {
  requestId: string;
  /** Whether its end was recorded (an error, a timeout); otherwise the worker that sent it is gone. */
  endSeen: boolean;
  /** Since its end, or since its start if the end was not recorded. */
  ageMs: number;
  /** Null: no answer was recorded. */
  answer: AnswerKind | null;
  /** Earlier requests of this kind that had no effect, and how many of them were refused. */
  earlier: number;
  earlierRefused: number;
}

/** The request of this kind whose outcome is unknown; null when there is none. */
export async function readOpenRequest(
  database: Queryable,
  paymentId: string,
  operation: NonIdempotentOperation,
): Promise<OpenRequest | null> {
  const { rows } = await database.query<OpenRequest>(
    `select request_id as "requestId", answered_at is not null as "endSeen",
       (extract(epoch from clock_timestamp() - coalesce(answered_at, begun_at)) * 1000)::float8 as "ageMs",
       answer, earlier.n as earlier, earlier.refused as "earlierRefused"
     from provider_requests open, lateral (
       select count(*)::int as n, (count(*) filter (where answer = any($3)))::int as refused
       from provider_requests before
       where before.payment_id = open.payment_id and before.operation = open.operation
         and before.attempt = open.attempt and before.outcome in (${sqlList(OUTCOMES_WITHOUT_EFFECT)})
     ) as earlier
     where payment_id = $1 and operation = $2 and outcome is null and non_idempotent`,
    [paymentId, operation, REFUSALS],
  );
  return rows[0] ?? null;
}

/** Whether the provider may have the payment under its reference: then people must resolve it. */
export async function mayHaveBeenCreated(database: Queryable, paymentId: string): Promise<boolean> {
  const { rows } = await database.query<{ may: boolean }>(
    'select may_have_been_created(payment_id, attempt) as may from payments where payment_id = $1',
    [paymentId],
  );
  return rows[0]?.may === true;
}

/** The amounts of a quote, as decimal strings. */
export type QuotedAmounts = Pick<PaymentRecord, 'sellAmount' | 'buyAmount' | 'totalAmount'>;

/** What the quotes said with which the payment may have been created, in its current attempt. */
export async function readQuotesOfCreations(database: Queryable, paymentId: string): Promise<QuotedAmounts[]> {
  const { rows } = await database.query<QuotedAmounts>(
    `select quoted_sell_amount::text as "sellAmount", quoted_buy_amount::text as "buyAmount",
       quoted_total_amount::text as "totalAmount"
     from provider_requests join payments using (payment_id, attempt)
     where payment_id = $1 and operation = 'create' and outcome_may_be_effect(outcome)`,
    [paymentId],
  );
  return rows;
}

/**
 * How often the provider has refused to create the payment in its current attempt, and how often only a lookup showed
 * that a creation had no effect.
 */
export async function countCreations(
  database: Queryable,
  paymentId: string,
): Promise<{ refused: number; foundAbsent: number }> {
  const { rows } = await database.query<{ refused: number; foundAbsent: number }>(
    `select count(*) filter (where answer = 'refused')::int as refused,
       count(*) filter (where outcome = 'not_seen' and answer = 'unknown_outcome')::int as "foundAbsent"
     from provider_requests join payments using (payment_id, attempt)
     where payment_id = $1 and operation = 'create' and outcome is not null`,
    [paymentId],
  );
  const [count] = rows;
  if (count === undefined) throw new Error('an aggregate gave no row');
  return count;
}

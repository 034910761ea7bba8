import {
  type AnswerKind,
  OUTCOMES_WITHOUT_EFFECT,
  type PaymentOperation,
  type RequestOutcome,
  UNCERTAIN_ANSWERS,
} from '../../domain/payments/request-result.ts';
import type { ConversionReason } from '../../domain/treasury/conversion-reason-codes.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import type { StoredQuote, StoredReference } from './orders.ts';

/** Why no request may be sent. `state`: the order is further, or an earlier one may have taken effect. */
export type NotBegun =
  | Extract<
      ConversionReason,
      | 'approval_needed'
      | 'order_expired'
      | 'order_too_large'
      | 'daily_cap_reached'
      | 'not_enough_money'
      | 'floor_reached'
      | 'level_reached'
      | 'cutoff_passed'
    >
  | 'state'
  | 'stopped'
  | 'asked_twice'
  /** That it is not funded yet was not proved just now. */
  | 'evidence_old'
  /** Nobody asked to fund it, and the history has a debit that may be its own. */
  | 'funding_uncertain';

export type BegunOrderRequest = { requestId: string } | { refused: NotBegun };

/** Records the intent to ask for a quote. Null: the order is in another state, or a stop is in force. */
export async function beginQuote(database: Queryable, orderId: string): Promise<string | null> {
  const { rows } = await database.query<{ requestId: string | null }>(
    'select begin_conversion_quote($1) as "requestId"',
    [orderId],
  );
  return rows[0]?.requestId ?? null;
}

/** Commits the money and records the intent to create, in one statement. */
export function beginCreation(transaction: Queryable, orderId: string): Promise<BegunOrderRequest> {
  return begin(transaction, 'begin_conversion_creation', orderId);
}

export function beginFunding(database: Queryable, orderId: string): Promise<BegunOrderRequest> {
  return begin(database, 'begin_conversion_funding', orderId);
}

async function begin(database: Queryable, call: string, orderId: string): Promise<BegunOrderRequest> {
  const { rows } = await database.query<{ answer: { request?: string; refused?: NotBegun } }>(
    `select ${call}($1) as answer`,
    [orderId],
  );
  const { request, refused } = rows[0]?.answer ?? {};
  if (request !== undefined) return { requestId: request };
  return { refused: refused ?? 'state' };
}

export interface OrderAnswer {
  requestId: string;
  /** Null: sent, with an unknown outcome; the request stays open. */
  outcome: RequestOutcome | null;
  answer: AnswerKind;
  httpStatus: number | null;
}

/** False when the outcome was recorded before: another worker took this one for dead, or people have resolved it. */
export async function recordOrderAnswer(database: Queryable, answer: OrderAnswer): Promise<boolean> {
  const { rows } = await database.query<{ answered: number }>(
    `with answered as (
       update conversion_requests set answered_at = coalesce(answered_at, clock_timestamp()), outcome = $2,
         answer = case when $2::text in (${sqlList(OUTCOMES_WITHOUT_EFFECT)}) then coalesce(answer, $3) else $3 end, http_status = coalesce($4, http_status)
       where request_id = $1 and outcome is null returning order_id, request_id, operation
     ), audited as (
       insert into audit_entries (actor, kind, detail)
       select 'worker', 'conversion_answered', jsonb_build_object('order', order_id, 'request', request_id, 'operation', operation,
         'outcome', coalesce($2::text, 'unknown'), 'answer', $3::text, 'status', $4::integer)
       from answered
     )
     select count(*)::int as answered from answered`,
    [answer.requestId, answer.outcome, answer.answer, answer.httpStatus],
  );
  return rows[0]?.answered === 1;
}

/** An answer to a request whose outcome was recorded before stays in the audit trail: it may say something else. */
export async function noteLateAnswer(transaction: Queryable, answer: OrderAnswer): Promise<void> {
  await transaction.query(
    `insert into audit_entries (actor, kind, detail)
     select 'worker', 'conversion_answered', jsonb_build_object('order', order_id, 'request', request_id, 'operation', operation,
       'outcome', $2::text, 'answer', $3::text, 'status', $4::integer, 'recordedBefore', outcome)
     from conversion_requests where request_id = $1`,
    [answer.requestId, answer.outcome, answer.answer, answer.httpStatus],
  );
}

/** The quote becomes that of the order, unless the order is further by now. */
export async function recordQuote(
  database: Queryable,
  quoted: { orderId: string; quoteId: string; quote: StoredQuote; quoteMac: string; sinceSentMs: number },
): Promise<boolean> {
  const { rows } = await database.query<{ moved: number }>(
    `with moved as (
       update conversion_orders set state = 'quoted', state_reason = null, quote_id = $2, quote = $3::jsonb, quote_mac = $4,
         -- When the request was sent: a quote is never older than it is taken for.
         quoted_at = clock_timestamp() - make_interval(secs => $5::float8 / 1000), quotes = quotes + 1, changed_at = clock_timestamp()
       where order_id = $1 and state = 'approved' returning order_id, account
     ), audited as (
       insert into audit_entries (actor, kind, detail)
       select 'worker', 'conversion_moved', jsonb_build_object('order', order_id, 'account', account, 'state', 'quoted', 'quote', $3::jsonb)
       from moved
     )
     select count(*)::int as moved from moved`,
    [quoted.orderId, quoted.quoteId, JSON.stringify(quoted.quote), quoted.quoteMac, quoted.sinceSentMs],
  );
  return rows[0]?.moved === 1;
}

export async function recordReference(database: Queryable, orderId: string, reference: StoredReference): Promise<void> {
  await database.query(`update conversion_orders set reference = $2::jsonb where order_id = $1`, [
    orderId,
    JSON.stringify(reference),
  ]);
}

export interface OpenOrderRequest {
  requestId: string;
  /** Whether its end was recorded (an error, a time-out); otherwise the worker that sent it is gone. */
  endSeen: boolean;
  /** Since its end, or since its start if the end was not recorded. */
  ageMs: number;
  answer: AnswerKind | null;
  /** Earlier requests of this kind that had no effect. */
  earlier: number;
}

/** The request of this kind whose outcome is unknown; null when there is none. */
export async function readOpenOrderRequest(
  database: Queryable,
  orderId: string,
  operation: PaymentOperation,
): Promise<OpenOrderRequest | null> {
  const { rows } = await database.query<OpenOrderRequest>(
    `select request_id as "requestId", answered_at is not null as "endSeen", answer,
       (extract(epoch from clock_timestamp() - coalesce(answered_at, begun_at)) * 1000)::float8 as "ageMs",
       (select count(*)::int from conversion_requests before where before.order_id = open.order_id
         and before.operation = open.operation and before.outcome in (${sqlList(OUTCOMES_WITHOUT_EFFECT)})) as earlier
     from conversion_requests open where order_id = $1 and operation = $2 and outcome is null
     order by begun_at desc limit 1`,
    [orderId, operation],
  );
  return rows[0] ?? null;
}

/** How often the creation was refused, and how often only a lookup showed that one had no effect. */
export async function countOrderCreations(
  database: Queryable,
  orderId: string,
): Promise<{ refused: number; foundAbsent: number }> {
  const { rows } = await database.query<{ refused: number; foundAbsent: number }>(
    `select count(*) filter (where outcome = 'refused')::int as refused,
       count(*) filter (where outcome = 'not_seen' and coalesce(answer, 'unknown_outcome')
         in (${sqlList(UNCERTAIN_ANSWERS)}))::int as "foundAbsent"
     from conversion_requests where order_id = $1 and operation = 'create'`,
    [orderId],
  );
  return rows[0] ?? { refused: 0, foundAbsent: 0 };
}

export async function noteConversionRead(database: Queryable, orderId: string, found: number): Promise<void> {
  await database.query(
    `insert into audit_entries (actor, kind, detail)
     values ('worker', 'conversion_read', jsonb_build_object('order', $1::uuid, 'found', $2::integer))`,
    [orderId, found],
  );
}

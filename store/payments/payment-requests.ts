import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { type AnswerMeaning, REFUSALS } from '../../domain/payments/request-result.ts';
import type { Queryable } from '../database/database.ts';
import { moveStatement, type PaymentMove } from './payment-transition.ts';
import { SHOWN_BENEFICIARY, type ShownBeneficiary } from '../beneficiaries/provider-beneficiaries.ts';
import { PAYMENT_COLUMNS, type PaymentRecord, type PaymentRow, paymentOf } from './payments.ts';

/** Requests of which a second one could move money twice: they begin only when the last one's outcome is known. */
const NON_IDEMPOTENT_OPERATIONS = ['create', 'fund'] as const;

export type NonIdempotentOperation = (typeof NON_IDEMPOTENT_OPERATIONS)[number];
export type PaymentOperation = NonIdempotentOperation | 'quote';

export type RequestOutcome = 'took_effect' | 'had_no_effect' | 'refused';

/** What was approved of a payment, as the approval froze it. */
export interface ApprovedContent {
  rowHash: string;
  /** Null: approved by the version before; the row's hash covers the beneficiary as well. */
  beneficiaryHash: string | null;
  /** Supporting files by name, each with the SHA-256 of its bytes in hex. */
  files: Record<string, string>;
}

export interface BegunRequest {
  payment: PaymentRecord;
  /** Null: nobody approved this payment, or not as it is now. */
  approved: ApprovedContent | null;
  /** A stop holds, or the row's day has not come: nothing of it may be sent yet. */
  isStopped: boolean;
  /** The provider's own id of the approved beneficiary, as a worker has sealed it; null: it is not known to the provider. */
  beneficiary: { beneficiaryId: string; seal: string | null } | null;
  /** For a quote, what the provider has shown of a beneficiary that the row names by its id. Null: nothing, or it is described. */
  shown: ShownBeneficiary | null;
  /**
   * Null: nothing may be sent. It is not approved, it is stopped, it is in none of the states for it, an earlier request
   * of this kind is still without a known outcome, or one has taken effect.
   */
  requestId: string | null;
}

/**
 * Writes the intent before anything is sent, and reads the payment, in one round trip. There is no intent without an
 * approval of the very content, none while a stop holds, and none before the row's day.
 *
 * `today` is YYYY-MM-DD by the clock that the worker was given, by which it also judges quotes: never what a workflow or
 * its caller says, since whoever reaches Temporal could say any day.
 */
export async function beginRequest(
  database: Queryable,
  request: { paymentId: string; operation: PaymentOperation; whileIn: readonly PaymentState[]; today: string },
): Promise<BegunRequest> {
  const exclusive = (NON_IDEMPOTENT_OPERATIONS as readonly string[]).includes(request.operation);
  const { rows } = await database.query<
    PaymentRow & {
      request_id: string | null;
      approved: ApprovedContent | null;
      is_stopped: boolean;
      beneficiary: BegunRequest['beneficiary'];
      shown: BegunRequest['shown'];
    }
  >({
    name: 'begin-request',
    text: `with approved as (
        ${APPROVED_CONTENT}
      ), begun as (
        insert into provider_requests (account, payment_id, attempt, operation, exclusive)
        select account, payment_id, attempt, $2, $3 from payments join approved using (payment_id)
        where state = any($4) and not is_stopped(account, run_id)
          and coalesce(instruction ->> 'payOn', '') <= $5
          -- One that waits for money is funded once for each read of a balance that is enough for it.
          and (state <> 'awaiting_funds' or funds_seen_at > (select max(answered_at) from provider_requests refused
            where refused.payment_id = $1 and refused.operation = $2 and refused.outcome = 'refused'))
          -- A quote that begins so late comes from a worker that was thought dead: it must not change what is created.
          and ($3 or not exists (select from provider_requests where payment_id = $1 and exclusive and outcome is null))
        on conflict do nothing
        returning request_id
      ), audited as (
        insert into audit_entries (actor, kind, run_id, payment_id, detail)
        select 'worker', $2 || '_requested', run_id, payment_id, jsonb_build_object('request', begun.request_id, 'attempt', attempt)
        from begun, payments where payment_id = $1
      )
      select ${PAYMENT_COLUMNS}, begun.request_id, approved.content as approved,
        is_stopped(payments.account, payments.run_id) or coalesce(payments.instruction ->> 'payOn', '') > $5 as is_stopped,
        (select jsonb_build_object('beneficiaryId', known.beneficiary_id, 'seal', known.seal) from beneficiaries known
         where known.account = payments.account and known.fingerprint = payments.beneficiary_hash
           and known.beneficiary_id is not null) as beneficiary,
        (select ${SHOWN_BENEFICIARY} from provider_beneficiaries named
         where $2 = 'quote' and named.account = payments.account and named.details is not null
           and named.beneficiary_id = payments.instruction #>> '{beneficiary,beneficiaryId}') as shown
      from payments left join begun on true left join approved using (payment_id) where payment_id = $1`,
    values: [request.paymentId, request.operation, exclusive, request.whileIn, request.today],
  });
  const row = rows[0];
  if (row === undefined) throw new Error(`there is no payment ${request.paymentId}`);
  return {
    payment: paymentOf(row),
    requestId: row.request_id,
    approved: row.approved,
    isStopped: row.is_stopped,
    beneficiary: row.beneficiary,
    shown: row.shown,
  };
}

/** The approved content of payment $1, where the row still has the hashes that were approved. */
const APPROVED_CONTENT = `select frozen.payment_id, jsonb_build_object('rowHash', frozen.row_hash,
    'beneficiaryHash', frozen.beneficiary_hash, 'files', frozen.files) as content
  from approved_payments frozen
  join payments on payments.payment_id = frozen.payment_id and payments.attempt = frozen.attempt
    and payments.row_hash = frozen.row_hash
    and (frozen.beneficiary_hash is null or payments.beneficiary_hash = frozen.beneficiary_hash)
  where frozen.payment_id = $1`;

/** For what is sent before the payment's own requests: its beneficiary, its files. `today` is as for `beginRequest`. */
export async function readApproval(
  database: Queryable,
  paymentId: string,
  today: string,
): Promise<{ payment: PaymentRecord; approved: ApprovedContent | null; isStopped: boolean }> {
  const { rows } = await database.query<PaymentRow & { approved: ApprovedContent | null; is_stopped: boolean }>(
    `with approved as (${APPROVED_CONTENT})
     select ${PAYMENT_COLUMNS}, approved.content as approved,
       is_stopped(payments.account, payments.run_id) or coalesce(payments.instruction ->> 'payOn', '') > $2 as is_stopped
     from payments left join approved using (payment_id) where payment_id = $1`,
    [paymentId, today],
  );
  const row = rows[0];
  if (row === undefined) throw new Error(`there is no payment ${paymentId}`);
  return { payment: paymentOf(row), approved: row.approved, isStopped: row.is_stopped };
}

export interface Answer {
  requestId: string;
  operation: PaymentOperation;
  /** Null: sent, but what became of it is not known; the request stays open. */
  outcome: RequestOutcome | null;
  answer: AnswerMeaning;
  httpStatus: number | null;
  move: PaymentMove;
  detail?: Record<string, unknown>;
}

/**
 * Writes an answer and the move that follows from it, in one statement. `superseded`: the request was settled by
 * someone else meanwhile (this worker was thought dead), and nothing was written. `not_moved`: the payment is already
 * further than this answer says, or the answer is to a quote and a later request of the payment has begun: then
 * another worker has gone on with a quote of its own.
 */
export async function recordAnswer(
  database: Queryable,
  answer: Answer,
): Promise<'recorded' | 'not_moved' | 'superseded'> {
  const { set, from, values } = moveStatement(answer.move, 9, { staysGivenUp: true });
  const { rows } = await database.query<{ answered: number; moved: number }>(
    `with answered as (
       update provider_requests set answered_at = clock_timestamp(), outcome = $2, http_status = $3, answer = $8
       where request_id = $1 and outcome is null
       returning payment_id, request_id, exclusive, begun_at
     ), moved as (
       update payments set ${set} from answered
       where payments.payment_id = answered.payment_id and payments.state = any($4)
         and (answered.exclusive or not exists (
           select from provider_requests later
           where later.payment_id = answered.payment_id and later.request_id <> answered.request_id
             and later.begun_at >= answered.begun_at))
       returning payments.payment_id, payments.state
     ), audited as (
       insert into audit_entries (actor, kind, run_id, payment_id, detail)
       select 'worker', $5, payments.run_id, payments.payment_id,
         $6::jsonb || jsonb_build_object('request', $1::uuid, 'status', $3::integer, 'state', coalesce((select state from moved), $7, payments.state))
       from answered join payments using (payment_id)
     )
     select (select count(*) from answered) as answered, (select count(*) from moved) as moved`,
    [
      answer.requestId,
      answer.outcome,
      answer.httpStatus,
      from,
      `${answer.operation}_${answer.outcome ?? 'outcome_unknown'}`,
      JSON.stringify(answer.detail ?? {}),
      answer.move.to,
      answer.answer,
      ...values,
    ],
  );
  const [result] = rows;
  if (result === undefined || result.answered === 0) return 'superseded';
  return result.moved === 1 ? 'recorded' : 'not_moved';
}

export interface OpenRequest {
  requestId: string;
  /** Whether its end was seen (an error, a timeout); else the worker that sent it is gone. */
  endSeen: boolean;
  /** Since its end, or since its begin where the end was not seen. */
  ageMs: number;
  /** What its answer meant; null: none was seen, or it was written by the version before. */
  answer: AnswerMeaning | null;
  /** Requests of this kind before it that turned out to have had no effect, and how many of them were refused. */
  earlier: number;
  earlierRefused: number;
}

/** The request of this kind whose outcome is not known; null when there is none. */
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
         and before.attempt = open.attempt and before.outcome = 'had_no_effect'
     ) as earlier
     where payment_id = $1 and operation = $2 and outcome is null and exclusive`,
    [paymentId, operation, REFUSALS],
  );
  return rows[0] ?? null;
}

/**
 * Whether the provider may have the payment under its reference: then it is for people to settle. The request in hand is
 * left out, where one is named.
 */
export async function mayHaveBeenCreated(
  database: Queryable,
  paymentId: string,
  inHand: string | null = null,
): Promise<boolean> {
  const { rows } = await database.query<{ may: boolean }>(
    'select may_have_been_created(payment_id, attempt, $2) as may from payments where payment_id = $1',
    [paymentId, inHand],
  );
  return rows[0]?.may === true;
}

/**
 * How often the provider has refused to create the payment in its present attempt, and how often it was only looked up that
 * a creation had no effect.
 */
export async function countCreations(
  database: Queryable,
  paymentId: string,
): Promise<{ refused: number; lookedUp: number }> {
  const { rows } = await database.query<{ refused: number; lookedUp: number }>(
    `select count(*) filter (where answer = 'refused')::int as refused,
       count(*) filter (where outcome = 'had_no_effect' and coalesce(answer, 'unknown_outcome') = 'unknown_outcome')::int
         as "lookedUp"
     from provider_requests join payments using (payment_id, attempt)
     where payment_id = $1 and operation = 'create' and outcome is not null`,
    [paymentId],
  );
  const [count] = rows;
  if (count === undefined) throw new Error('an aggregate gave no row');
  return count;
}

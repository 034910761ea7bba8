import type { PaymentState } from '../../domain/payments/payment-state.ts';
import {
  type AnswerKind,
  PAYMENT_OPERATION_TABLE,
  type PaymentOperation,
  type RequestOutcome,
} from '../../domain/payments/request-result.ts';
import type { Queryable } from '../database/database.ts';
import { transitionStatement, type PaymentTransition } from './payment-transition.ts';
import { SHOWN_BENEFICIARY, type StoredShown } from '../beneficiaries/provider-beneficiaries.ts';
import { endsStreak } from './refusal-streaks.ts';
import { PAYMENT_COLUMNS, type PaymentRecord } from './payments.ts';

/** SQL: whether the day of the payment is still to come, by the worker's clock (a parameter) or the database's. */
const isEarly = (at: string): string =>
  // guard: pay-day-by-the-database
  `(coalesce(payments.instruction ->> 'payOn', '') <> '' and payments.instruction ->> 'payOn' > local_day(payments.account, least(${at}::timestamptz, clock_timestamp())))`;

/** SQL: whether none of the data keys, a parameter, opens what the row has of its payee. An erased row has nothing. */
const isKeyMissing = (dataKeys: string): string =>
  `(payments.encrypted is not null and not exists (select from run_keys
     where run_keys.run_id = payments.run_id and run_keys.wrapped_by = any(${dataKeys})))`;

/** SQL: what the quote of a creation says; null for other requests. */
const QUOTED = ['sell_amount', 'buy_amount', 'total_amount']
  .map((amount) => `case when $2 = 'create' then ${amount} end`)
  .join(', ');

/** What was approved of a payment, as the approval froze it. */
export interface ApprovedContent {
  rowHash: string;
  beneficiaryHash: string;
  /** Supporting files by name, each with the SHA-256 of its bytes in hex. */
  files: Record<string, string>;
}

/** What the worker that begins a request has. */
export interface OfWorker {
  /** By its clock. */
  at: Date;
  /** The ids of the data keys that it can read with. */
  dataKeys: readonly string[];
}

export interface BegunRequest {
  payment: PaymentRecord;
  /** Null: nobody approved this payment, or not as it is now, or it repeats one that is paid or may be. */
  approved: ApprovedContent | null;
  /** The run is stopped, the row's pay day is in the future, or its data key is missing: nothing may be sent yet. */
  isStopped: boolean;
  /** The provider's id of the approved beneficiary, with a worker's MAC. Null: the provider does not have it. */
  beneficiary: { beneficiaryId: string; mac: string | null } | null;
  /**
   * For a quote, what the provider has shown of a beneficiary that the row names by its id. Null: nothing, or the row has
   * the details itself.
   */
  shown: StoredShown | null;
  /**
   * Null: nothing may be sent. The payment is not approved, is stopped or is in another state, or an earlier request of
   * this kind has no known outcome or has taken effect.
   */
  requestId: string | null;
}

/**
 * Records the intent before anything is sent, and reads the payment, in one round trip. No intent is recorded unless
 * exactly this content was approved, while a stop applies, before the row's pay day, or without its data key.
 *
 * `at` is the time of the worker's clock, which also decides whether a quote has expired. It never comes from a workflow or
 * its caller: whoever reaches Temporal could send any. A row's pay day has come, in the time zone of its account, when both
 * this clock and the database's say so: a worker whose clock is ahead pays nothing early.
 */
export async function beginRequest(
  database: Queryable,
  request: { paymentId: string; operation: PaymentOperation; whileIn: readonly PaymentState[] } & OfWorker,
): Promise<BegunRequest> {
  // guard: one-open-request
  const isNonIdempotent = PAYMENT_OPERATION_TABLE[request.operation].isNonIdempotent;
  const { rows } = await database.query<
    PaymentRecord & {
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
        insert into provider_requests (account, payment_id, attempt, operation, non_idempotent,
          quoted_sell_amount, quoted_buy_amount, quoted_total_amount)
        -- guard: begun-as-approved (2 lines)
        select account, payment_id, attempt, $2, $3, ${QUOTED} from payments join approved using (payment_id)
        -- guard: begun-unless-stopped, begun-in-its-state
        where state = any($4) and not is_stopped(account, run_id)
          -- guard: begun-on-its-day
          and not ${isEarly('$5')}
          -- guard: begun-with-its-key
          and not ${isKeyMissing('$6')}
          -- A payment that waits for money is funded once for each read that shows enough.
          -- guard: funded-once-a-read
          and (state <> 'awaiting_funds' or funds_seen_at > coalesce((select max(answered_at) from provider_requests refused
            where refused.payment_id = $1 and refused.operation = $2 and refused.outcome = 'refused'), '-infinity'))
          -- A quote after the creation began comes from a worker that was thought dead: it must not change what is created.
          -- guard: no-quote-while-created
          and ($3 or not exists (select from provider_requests where payment_id = $1 and non_idempotent and outcome is null))
        on conflict do nothing
        returning request_id
      ), audited as (
        insert into audit_entries (actor, kind, run_id, payment_id, detail)
        select 'worker', $2 || '_requested', run_id, payment_id, jsonb_build_object('request', begun.request_id, 'attempt', attempt)
        from begun, payments where payment_id = $1
      )
      select ${PAYMENT_COLUMNS}, begun.request_id, approved.content as approved,
        is_stopped(payments.account, payments.run_id) or ${isEarly('$5')}
          or ${isKeyMissing('$6')} as is_stopped,
        (select jsonb_build_object('beneficiaryId', known.beneficiary_id, 'mac', known.mac) from beneficiaries known
         where known.account = payments.account and known.fingerprint = payments.beneficiary_hash
           and known.beneficiary_id is not null) as beneficiary,
        (select ${SHOWN_BENEFICIARY} from provider_beneficiaries named
         where $2 = 'quote' and named.account = payments.account and named.encrypted is not null
           and named.beneficiary_id = payments.instruction #>> '{beneficiary,beneficiaryId}') as shown
      from payments left join begun on true left join approved using (payment_id) where payment_id = $1`,
    values: [request.paymentId, request.operation, isNonIdempotent, request.whileIn, request.at, request.dataKeys],
  });
  const row = rows[0];
  if (row === undefined) throw new Error(`there is no payment ${request.paymentId}`);
  const { request_id: requestId, approved, is_stopped: isStopped, beneficiary, shown, ...payment } = row;
  return { payment, requestId, approved, isStopped, beneficiary, shown };
}

/** The approved content of payment $1, if the row still has the approved hashes, and repeats none that is paid or may be. */
const APPROVED_CONTENT = `select frozen.payment_id, jsonb_build_object('rowHash', frozen.row_hash,
    'beneficiaryHash', frozen.beneficiary_hash, 'files', frozen.files) as content
  from approved_payments frozen
  -- guard: begun-same-attempt (2 lines)
  join payments on payments.payment_id = frozen.payment_id and payments.attempt = frozen.attempt
    -- guard: begun-same-row
    and payments.row_hash = frozen.row_hash
    -- guard: begun-same-beneficiary
    and payments.beneficiary_hash = frozen.beneficiary_hash
  where frozen.payment_id = $1
    -- guard: copy-is-held
    and not repeats_contradicted($1)`;

/** Whether a row was submitted in the place of one that the provider shows after all. */
export async function repeatsContradicted(database: Queryable, paymentId: string): Promise<boolean> {
  const { rows } = await database.query<{ repeats: boolean }>('select repeats_contradicted($1) as repeats', [
    paymentId,
  ]);
  return rows[0]?.repeats === true;
}

/** For requests before the payment's own ones: its beneficiary and its files. */
export async function readApproval(
  database: Queryable,
  { paymentId, at, dataKeys }: { paymentId: string } & OfWorker,
): Promise<{ payment: PaymentRecord; approved: ApprovedContent | null; isStopped: boolean }> {
  const { rows } = await database.query<PaymentRecord & { approved: ApprovedContent | null; is_stopped: boolean }>(
    `with approved as (${APPROVED_CONTENT})
     select ${PAYMENT_COLUMNS}, approved.content as approved,
       -- guard: prepared-on-its-day
       is_stopped(payments.account, payments.run_id) or ${isEarly('$2')}
         or ${isKeyMissing('$3')} as is_stopped
     from payments left join approved using (payment_id) where payment_id = $1`,
    [paymentId, at, dataKeys],
  );
  const row = rows[0];
  if (row === undefined) throw new Error(`there is no payment ${paymentId}`);
  const { approved, is_stopped: isStopped, ...payment } = row;
  return { payment, approved, isStopped };
}

export interface Answer {
  requestId: string;
  operation: PaymentOperation;
  /** Null: sent, with an unknown outcome; the request stays open. */
  outcome: RequestOutcome | null;
  answer: AnswerKind;
  httpStatus: number | null;
  transition: PaymentTransition;
  detail?: Record<string, unknown>;
}

/**
 * Records an answer and the transition that follows from it, in one statement. `superseded`: another worker has recorded
 * the outcome, because this one was thought dead, and nothing was written. `not_applied`: the payment is already further
 * than this answer says, or a later request has begun after this quote, as another worker uses a quote of its own.
 */
export async function recordAnswer(
  database: Queryable,
  answer: Answer,
): Promise<'recorded' | 'not_applied' | 'superseded'> {
  // guard: given-up-stays-with-people
  const { set, from, values } = transitionStatement(answer.transition, 9, { staysGivenUp: true });
  const { rows } = await database.query<{ answered: number; moved: number }>(
    `with answered as (
       update provider_requests set answered_at = clock_timestamp(), outcome = $2, http_status = $3, answer = $8
       -- guard: late-answer-not-written (2 lines)
       where request_id = $1 and outcome is null
       returning payment_id, request_id, non_idempotent, begun_at, operation, outcome
     ), interrupted as (
       ${endsStreak('answered')}
     ), moved as (
       update payments set ${set} from answered
       -- guard: answers-move-forward
       where payments.payment_id = answered.payment_id and payments.state = any($4)
         -- guard: late-quote-not-used
         and (answered.non_idempotent or not exists (
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
      answer.transition.to,
      answer.answer,
      ...values,
    ],
  );
  const [result] = rows;
  if (result === undefined || result.answered === 0) return 'superseded';
  return result.moved === 1 ? 'recorded' : 'not_applied';
}

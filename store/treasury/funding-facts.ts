import { PAID_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { EFFECTIVE_ANSWERS, EFFECTIVE_OUTCOMES, REFUSALS } from '../../domain/payments/request-result.ts';
import { COMPLETED_CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import type { DebitEvidence, FundingEvidence } from '../../domain/treasury/funding-evidence.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import { epochMs } from '../database/sql-times.ts';

/** What the database has about the question whether a conversion was funded. */
export interface FundingFacts
  extends Pick<FundingEvidence, 'entries' | 'isComplete' | 'total' | 'sellAmount' | 'otherDebits'> {
  /** As the provider showed the conversion after the history was read; null: it was not read since. */
  status: string | null;
  /** Requests to fund that were sent. */
  requests: number;
  /** Milliseconds since the epoch, by the clock of the database. */
  lastBegunMs: number;
  /** Null: the worker that sent it is gone. */
  lastAnsweredMs: number | null;
  /** The open request; null: none. */
  openRequestId: string | null;
  /** Whether the provider has refused the open request. */
  wasRefused: boolean;
  readBeganMs: number;
  earlierAbsenceMs: number | null;
  fundingCutoffMs: number | null;
}

/** Kinds of answers after which the request may have taken effect; others provably changed nothing. */
export const SENT = `(answer is null or answer in (${sqlList(EFFECTIVE_ANSWERS)}))`;

/** A read of the history covers a request if it goes back to before it: clocks may differ by so much. */
const HISTORY_MARGIN_MS = 15 * 60_000;

/**
 * From when on the history has to be read, in milliseconds since the epoch: from before the first request to fund, or the creation
 * where none was sent. Null: it is not created.
 */
export async function readEvidenceStart(database: Queryable, orderId: string): Promise<number | null> {
  const { rows } = await database.query<{ begunMs: number | null }>(
    `select ${epochMs(`coalesce((select min(begun_at) from conversion_requests
         where order_id = $1 and operation = 'fund' and ${SENT}), created_at)`)} as "begunMs"
     from conversion_orders where order_id = $1`,
    [orderId],
  );
  const begunMs = rows[0]?.begunMs ?? null;
  return begunMs === null ? null : begunMs - HISTORY_MARGIN_MS;
}

/**
 * Null: the history was not read from before the first request, or the balance not after it.
 *
 * Entries that were recorded before the first request are not of this conversion; nothing else in an entry says whose it is. Equal
 * debits of others since then are those of payments and conversions that the provider was asked to fund, and whose debit the
 * ledger had not seen by then: how many these are at most does not depend on which of several equal entries the ledger has taken
 * for whose. How many they are at least nobody knows: they may come late, in another form, or never.
 */
export async function readFundingFacts(
  database: Queryable,
  orderId: string,
  mayTakeEffectMs: number,
): Promise<FundingFacts | null> {
  const { rows } = await database.query<FundingFacts>(
    `with asked as (
       select count(*)::int as requests, min(begun_at) as first_begun, max(begun_at) as last_begun,
         (array_agg(answered_at order by begun_at desc))[1] as last_answered,
         (array_agg(request_id) filter (where outcome is null))[1] as open_request,
         coalesce(bool_or(answer in (${sqlList(REFUSALS)})) filter (where outcome is null), false) as was_refused
       from conversion_requests where order_id = $1 and operation = 'fund' and ${SENT}
     ), mine as (
       select orders.*, asked.* from conversion_orders orders, asked where order_id = $1 and requests > 0
     ), history as (
       select ranges.read_at, ranges.unreadable, ranges.conflicting from history_ranges ranges, mine
       where ranges.account = mine.account and not is_gap
         and ranges.from_at <= mine.first_begun - make_interval(secs => $2::float8 / 1000)
           + interval '1 second'
       order by ranges.read_at desc limit 1
     ), placed as (
       select entries.*, entries.first_seen_at > mine.first_begun as is_new from balance_entries entries, mine
       where entries.account = mine.account and entries.currency = mine.sell_currency and position is not null
     ), recent as (
       select * from placed where position >= (select min(position) from placed where is_new)
     ), chain as (
       select balance_chains.*,
         -- It is followed from before the first request on, or from the balance that was read then.
         exists (select from placed where position = started_position and not is_new)
           or (started_position = 1 and opening = (select balance_before from mine)) as reaches_back
       from balance_chains, mine where balance_chains.account = mine.account and balance_chains.currency = mine.sell_currency
     ), copies as (
       ${DOUBTFUL_COPIES}
     ), others as (
       ${OTHER_DEBITS}
     )
     select requests, total_amount::text as total, sell_amount::text as "sellAmount", 
       ${epochMs('last_begun')} as "lastBegunMs", ${epochMs('last_answered')} as "lastAnsweredMs",
       open_request as "openRequestId", was_refused as "wasRefused", ${epochMs('history.read_at')} as "readBeganMs",
       ${epochMs('absent_at')} as "earlierAbsenceMs", ${epochMs('funding_cutoff_at')} as "fundingCutoffMs",
       case when status_read_at >= history.read_at then provider_status end as status,
       coalesce((select jsonb_agg(jsonb_build_object('amountBefore', amount_before::text, 'amountAfter', amount_after::text,
         'date', date_given) order by position) from recent), '[]') as entries,
       -- guard: conversion-copy-proves-nothing
       history.unreadable = 0 and history.conflicting = 0 and not exists (select from copies) and coalesce(
         (select gap_until is null and unfollowed_since is null and reaches_back and last_amount = balances.amount from chain),
         balance_before = balances.amount, false) as "isComplete",
       jsonb_build_object(
         -- guard: conversion-debit-explained-by-none, conversion-debit-explained-by-its-total
         'earlier', (select count(*)::int from recent where not is_new and amount_before - amount_after = mine.total_amount),
         'expected', (select count(*) filter (where is_expected)::int from others),
         'possible', (select count(*) filter (where not is_expected)::int from others)) as "otherDebits"
     from mine join history on true
     join balance_snapshots balances on balances.account = mine.account and balances.currency = mine.sell_currency
       and balances.read_at >= history.read_at`,
    [orderId, HISTORY_MARGIN_MS, mayTakeEffectMs],
  );
  return rows[0] ?? null;
}

/**
 * Listed since the first request, and taken for a copy of an entry before it. With dates that are days, a debit between the same two
 * balances looks like one while what came in between is late.
 */
const DOUBTFUL_COPIES = `select from balance_entries entries, mine
  where entries.account = mine.account and entries.currency = mine.sell_currency and disregarded = 'copy'
    and amount_before - amount_after in (mine.total_amount, mine.sell_amount) and first_seen_at > mine.first_begun`;

/** The debit of a funding is in the history within this time of it, or never. */
const OTHERS_SINCE = `mine.first_begun - interval '48 hours'`;

const NOT_DEBITED_BEFORE = (ledgerAccount: string): string =>
  `not exists (select from ledger_transfers left_by where left_by.debit = ${ledgerAccount} and left_by.credit = 'outside'
     and left_by.made_at < mine.first_begun)`;

/**
 * The provider shows it as done, and the request ended so long before the read that its debit does not come later: if there is
 * none, it was debited in another form, or not at all.
 */
const IS_EXPECTED = `outcome = 'took_effect' and is_done
  and coalesce(answered_at + make_interval(secs => $3::float8 / 1000) <= history.read_at, false)`;

const OTHER_DEBITS = `select ${IS_EXPECTED} as is_expected from mine join history on true cross join lateral (
    select asked_for.outcome, asked_for.begun_at, asked_for.answered_at,
      payments.state in (${sqlList(PAID_PAYMENT_STATES)}) and asked_for.attempt = payments.attempt as is_done
    from payments join provider_requests asked_for on asked_for.payment_id = payments.payment_id and asked_for.operation = 'fund'
    where payments.account = mine.account and payments.sell_currency = mine.sell_currency
      and round(coalesce(payments.total_amount, payments.sell_amount), 4) = mine.total_amount
      and ${NOT_DEBITED_BEFORE(`'payment/' || payments.payment_id || '-' || asked_for.attempt`)}
    union all
    select asked_for.outcome, asked_for.begun_at, asked_for.answered_at, other.state in (${sqlList(COMPLETED_CONVERSION_STATES)})
    from conversion_orders other join conversion_requests asked_for on asked_for.order_id = other.order_id
      and asked_for.operation = 'fund'
    where other.account = mine.account and other.sell_currency = mine.sell_currency
      and other.total_amount = mine.total_amount and other.order_id <> mine.order_id
      and ${NOT_DEBITED_BEFORE(`'conversion/' || other.order_id`)}) as asked_of_others
  where coalesce(outcome in (${sqlList(EFFECTIVE_OUTCOMES)}), true) and begun_at > ${OTHERS_SINCE}`;

/** When a read began that found a complete history without the debit: the first one after the last request. */
export async function noteAbsence(database: Queryable, orderId: string, readBeganMs: number): Promise<void> {
  await database.query(
    `update conversion_orders set absent_at = to_timestamp($2::float8 / 1000) where order_id = $1 and absent_at is null`,
    [orderId, readBeganMs],
  );
}

/** What the history says of the debit, for people who decide what became of the order. */
export async function noteDebitEvidence(
  database: Queryable,
  orderId: string,
  { found, readBeganMs }: { found: DebitEvidence; readBeganMs: number },
): Promise<void> {
  await database.query(
    `update conversion_orders set debit_evidence = $2, debit_looked_for_at = to_timestamp($3::float8 / 1000) where order_id = $1`,
    [orderId, found, readBeganMs],
  );
}

/** When a read began that proved that no request so far has taken effect: another one is sent only soon after it. */
export async function noteUnfunded(database: Queryable, orderId: string, readBeganMs: number): Promise<void> {
  await database.query(
    `update conversion_orders set unfunded_at = to_timestamp($2::float8 / 1000) where order_id = $1`,
    [orderId, readBeganMs],
  );
}

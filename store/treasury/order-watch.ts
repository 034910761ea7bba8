import type { ConversionReason } from '../../domain/treasury/conversion-reason-codes.ts';
import { type ConversionState, UNFUNDED_CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import { FUND_WITHIN_MS } from '../../domain/treasury/funding-evidence.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import { epochMs } from '../database/sql-times.ts';
import { SENT } from './funding-facts.ts';

/**
 * What is known of the requests to fund an order that were sent: one has taken effect; the outcome of one is open; none is known
 * to have taken effect, so that a debit may still come late; or none was sent.
 */
export type FundingRequests = 'took_effect' | 'open' | 'without_effect' | 'none';

/** How an order stands, for its workflow. */
export interface OrderStage {
  account: string;
  state: ConversionState;
  stateReason: ConversionReason | null;
  /** Nobody looks at it any more. */
  hasEnded: boolean;
  hasConversion: boolean;
  /** Milliseconds until it expires, and until the provider takes no request to fund it; negative: since. */
  expiresInMs: number;
  cutoffInMs: number | null;
  /** How often a quote was asked for since people decided. */
  quotes: number;
  funding: FundingRequests;
  /** Whether it was proved just now that no request to fund has taken effect. */
  isProvenUnfunded: boolean;
  /** Whether it was created a while ago, and what the provider shows was not read since: somebody else may have funded it. */
  isToBeReadBeforeFunding: boolean;
  /** Whether the ledger has posted its debit, whatever is known of requests: it is not funded then. */
  isDebitPosted: boolean;
  /** A manual outcome that a second person has confirmed, and that was not concluded. */
  manualOutcomeId: string | null;
}

const FUNDING_REQUESTS = `(select case when bool_or(outcome = 'took_effect') then 'took_effect' when bool_or(outcome is null) then 'open'
    when count(*) filter (where ${SENT}) > 0 then 'without_effect' else 'none' end
  from conversion_requests where order_id = $1 and operation = 'fund')`;

export async function readFundingRequests(database: Queryable, orderId: string): Promise<FundingRequests> {
  const { rows } = await database.query<{ funding: FundingRequests }>(`select ${FUNDING_REQUESTS} as funding`, [
    orderId,
  ]);
  return rows[0]?.funding ?? 'none';
}

/** Reads the stage, and notes that the workflow has looked, and been notified of every change by people. */
export function readOrderStage(database: Queryable, orderId: string): Promise<OrderStage> {
  const looks = `update conversion_orders set looked_at = clock_timestamp(), notified_changes = changes where order_id = $1 returning *`;
  return selectStage(database, orderId, looks);
}

/** As `readOrderStage`, without noting anything. */
export function peekOrderStage(database: Queryable, orderId: string): Promise<OrderStage> {
  return selectStage(database, orderId, 'select * from conversion_orders where order_id = $1');
}

async function selectStage(database: Queryable, orderId: string, order: string): Promise<OrderStage> {
  const { rows } = await database.query<OrderStage>(
    `with looked as (${order})
     select account, state, state_reason as "stateReason", not conversion_is_looked_at(state, ended_at, named_at) as "hasEnded", conversion_id is not null as "hasConversion",
       (extract(epoch from expires_at - clock_timestamp()) * 1000)::float8 as "expiresInMs",
       (extract(epoch from funding_cutoff_at - clock_timestamp()) * 1000)::float8 as "cutoffInMs", quotes,
       ${FUNDING_REQUESTS} as funding, conversion_debit_is_posted($1) as "isDebitPosted",
       coalesce(conversion_first_funding_refusal(looked) = 'evidence_old', false) as "isToBeReadBeforeFunding",
       coalesce(unfunded_at > clock_timestamp() - make_interval(secs => $2::float8 / 1000), false) as "isProvenUnfunded",
       (select manual_outcome_id from conversion_manual_outcomes where order_id = $1 and state = 'proposed' and confirmed_by is not null)
         as "manualOutcomeId"
     from looked`,
    [orderId, FUND_WITHIN_MS],
  );
  const [stage] = rows;
  if (stage === undefined) throw new Error(`there is no order ${orderId}`);
  return stage;
}

/** For how long a created order has not been funded. */
export interface FundingWait {
  /** Since the last request to fund it ended, or two people decided; if neither has happened, since it was created. */
  sinceMs: number;
  isDebitPosted: boolean;
  isPastCutoff: boolean;
}

/** Null: it is in another state, or a request has taken effect. */
export async function readFundingWait(database: Queryable, orderId: string): Promise<FundingWait | null> {
  const { rows } = await database.query<FundingWait>(
    `select ${epochMs(`coalesce(greatest(
         (select max(coalesce(answered_at, begun_at)) from conversion_requests where order_id = $1 and operation = 'fund' and ${SENT}),
         (select max(closed_at) from conversion_manual_outcomes where order_id = $1 and state = 'confirmed')), created_at)`)} as "sinceMs",
       conversion_debit_is_posted($1) as "isDebitPosted", coalesce(funding_cutoff_at < clock_timestamp(), false) as "isPastCutoff"
     from conversion_orders where order_id = $1 and state in (${sqlList(UNFUNDED_CONVERSION_STATES)}) and ${FUNDING_REQUESTS} <> 'took_effect'`,
    [orderId],
  );
  return rows[0] ?? null;
}

/**
 * Orders that are looked at and whose workflow is to be started or woken: people have changed something that it was not notified of, or it has not
 * looked for hours, so it may be lost. Each is returned to one caller, and again a minute later if that had no effect.
 */
export async function takeOrdersToWake(
  database: Queryable,
  lostAfterMs: number,
): Promise<{ orderId: string; account: string }[]> {
  const { rows } = await database.query<{ orderId: string; account: string }>(
    `update conversion_orders set woken_at = clock_timestamp()
     where (ended_at is null or conversion_may_run_late(state)) and conversion_is_looked_at(state, ended_at, named_at) and (woken_at is null or woken_at < clock_timestamp() - interval '1 minute')
       and (notified_changes < changes or coalesce(looked_at, placed_at) < clock_timestamp() - make_interval(secs => $1::float8 / 1000))
     returning order_id as "orderId", account`,
    [lostAfterMs],
  );
  return rows;
}

/** An event named a conversion. Answers its order, if that is to be looked at: it is open, or the provider may carry it out late; null: none. */
export async function noteConversionNamed(
  database: Queryable,
  account: string,
  conversionId: string,
): Promise<string | null> {
  const { rows } = await database.query<{ orderId: string | null }>(
    `select note_conversion_named($1, $2) as "orderId"`,
    [account, conversionId],
  );
  return rows[0]?.orderId ?? null;
}

/** Since when an order is taken for funded, and whether the provider has said so. */
export interface FundedSince {
  /** Milliseconds since the epoch: since it was funded, or since two people said so last. */
  sinceMs: number;
  /** Whether only the history shows it: the debit may be of something else. */
  isByHistoryAlone: boolean;
}

/** Null: it is not funded. */
export async function readFundedSince(database: Queryable, orderId: string): Promise<FundedSince | null> {
  const { rows } = await database.query<FundedSince>(
    `select ${epochMs('greatest(funded_at, confirmed.at)')} as "sinceMs",
       confirmed.at is null and not exists (select from conversion_requests where order_id = $1 and operation = 'fund'
         and outcome = 'took_effect' and answer = 'as_asked') as "isByHistoryAlone"
     from conversion_orders cross join lateral (select max(closed_at) as at from conversion_manual_outcomes
       where conversion_manual_outcomes.order_id = conversion_orders.order_id and outcome = 'funded'
         and conversion_manual_outcomes.state = 'confirmed') as confirmed
     where order_id = $1 and conversion_orders.state = 'funded' and funded_at is not null`,
    [orderId],
  );
  return rows[0] ?? null;
}

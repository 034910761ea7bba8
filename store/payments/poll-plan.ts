import { IN_FLIGHT_PAYMENT_STATES, SENDING_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import { STARTED_RUN_STATES } from '../../domain/runs/run-state.ts';
import { unfundedToRead } from './funding-deadline.ts';

/** What decides whether the poller reads the provider now. Ages in milliseconds, by the database's clock. */
export interface InFlightSummary {
  /** Funded, and not known to have ended. */
  inFlight: number;
  /** Of these, the ones with a webhook since they were last read. */
  withWebhook: number;
  /** Time since the newest and the oldest of them were funded. */
  youngestMs: number | null;
  oldestMs: number | null;
  /** Whether payments of started runs are still to be created or funded. */
  sending: boolean;
  /** Started runs of this account that have not ended. */
  activeRuns: number;
  /** Ended payments whose workflows are still to be notified. */
  notificationsPending: number;
  /** Given up as unknown with a known id of the provider, or with a creation that is looked for: the poller goes on for them. */
  unknown: number;
  /** Waiting for money and to be read: a webhook came for it, or its deadline has passed. */
  unfundedToRead: number;
}

/**
 * For so long an unknown payment keeps the poller running. It is read as long as the poller runs, also later, unless it was
 * found more than once.
 */
const UNKNOWN_FOR = `interval '30 days'`;

export async function summarizeInFlight(
  database: Queryable,
  account: string,
  { fundsAgeLimitMs }: { fundsAgeLimitMs: number },
): Promise<InFlightSummary> {
  const { rows } = await database.query<{
    in_flight: number;
    withWebhook: number;
    youngest_ms: number | null;
    oldest_ms: number | null;
    sending: boolean;
    active_runs: number;
    pending: number;
    unknown: number;
    unfunded_to_read: number;
  }>(
    `with active as (
       select run_id from runs where account = $1 and finished_at is null and state in (${sqlList(STARTED_RUN_STATES)})
     )
     select count(*)::int as in_flight,
       count(*) filter (where webhook_received_at > coalesce(polled_at, 'epoch'))::int as "withWebhook",
       (extract(epoch from clock_timestamp() - max(funded_at)) * 1000)::float8 as youngest_ms,
       (extract(epoch from clock_timestamp() - min(funded_at)) * 1000)::float8 as oldest_ms,
       exists (select from payments join active using (run_id) where state in (${sqlList(SENDING_PAYMENT_STATES)})) as sending,
       (select count(*)::int from active) as active_runs,
       (select count(*)::int from payments where account = $1 and notification_pending) as pending,
       (select count(*)::int from payments where account = $1 and (state = 'unknown' and provider_payment_id is not null
         and ended_at > clock_timestamp() - ${UNKNOWN_FOR}
         -- guard: unseen-creation-keeps-looking, resolved-as-unpaid-keeps-looking
         or payment_is_watched(payments))) as unknown,
       (select count(*)::int from payments where account = $1 and ${unfundedToRead('$2')}) as unfunded_to_read
     from payments where account = $1 and state in (${sqlList(IN_FLIGHT_PAYMENT_STATES)})`,
    [account, fundsAgeLimitMs / 1_000],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate gave no row');
  return {
    inFlight: row.in_flight,
    withWebhook: row.withWebhook,
    youngestMs: row.youngest_ms,
    oldestMs: row.oldest_ms,
    sending: row.sending,
    activeRuns: row.active_runs,
    notificationsPending: row.pending,
    unknown: row.unknown,
    unfundedToRead: row.unfunded_to_read,
  };
}

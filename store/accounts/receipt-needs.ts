import { FINAL_FUNDING_STATUSES } from '../../domain/accounts/funding-status.ts';
import type { ListNeeds, ReceiptNeeds } from '../../domain/accounts/receipt-schedule.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import { sinceMs } from '../database/sql-times.ts';

/** For so long after a notification of a refund or a funding it is asked for, if no list shows it. */
const NAMED_WITHIN = '7 days';
/** What the provider does not show is asked for three times, after pauses that grow. Anybody may send notifications. */
const MAX_TIMES_ASKED = 3;
const MAX_ASKED_PER_HOUR = 60;

interface Needs {
  mayCome: boolean;
  refundsAskedMs: number | null;
  refundNews: boolean;
  unlistedRefund: string | null;
  fundingsAskedMs: number | null;
  receiptNews: boolean;
  nextPage: number | null;
  isFailing: boolean;
  goesOn: boolean;
  namedFunding: string | null;
}

/** SQL: whether a record `known` that a notification named may be asked for by its id. */
const MAY_ASK = (table: 'refunds' | 'fundings') => `coalesce(known.times_asked, 0) < ${MAX_TIMES_ASKED}
  and (known.asked_at is null or known.asked_at < clock_timestamp() - interval '6 seconds' * power(10, known.times_asked))
  and (select count(*) from ${table} lately where lately.account = $1 and lately.asked_at > clock_timestamp() - interval '1 hour')
    < ${MAX_ASKED_PER_HOUR}`;

/** Why the provider is to be asked what explains receipts, from the database alone. */
export async function readReceiptNeeds(
  database: Queryable,
  account: string,
  returnsWithinMs: number,
): Promise<ReceiptNeeds> {
  const { rows } = await database.query<Needs>(
    `with lists as (
       select max(asked_at) filter (where kind = 'refunds') as refunds_asked, max(read_at) filter (where kind = 'refunds') as refunds_read,
         max(asked_at) filter (where kind = 'fundings') as fundings_asked, max(next_page) as next_page,
         coalesce(bool_or(answered_at is null or answered_at < asked_at) filter (where kind = 'fundings'), false) as is_failing,
         coalesce(bool_or(begun_at is not null), false) as goes_on,
         max(coalesce(begun_at, read_at)) filter (where kind = 'fundings') as fundings_begun
       from listings where account = $1
     ), unexplained as (
       select max(seen_at) as seen_at from receipts where account = $1 and explained_by is null
     )
     select ${sinceMs('refunds_asked')} as "refundsAskedMs", ${sinceMs('fundings_asked')} as "fundingsAskedMs",
       next_page as "nextPage", is_failing as "isFailing", goes_on as "goesOn",
       exists (select from payments where account = $1 and state = 'paid'
           and ended_at > clock_timestamp() - make_interval(secs => $2))
         or exists (select from refunds where account = $1 and entry_id is null and amount > 0
           and first_seen_at > clock_timestamp() - make_interval(secs => $2))
         or exists (select from fundings where account = $1 and entry_id is null and status is distinct from 'failed'
           and not was_completed and first_seen_at > clock_timestamp() - make_interval(secs => $2))
         or exists (select from deposits where account = $1 and entry_id is null
           and last_reported_at > clock_timestamp() - interval '${NAMED_WITHIN}') as "mayCome",
       coalesce(unexplained.seen_at > coalesce(refunds_read, '-infinity'), false)
         or exists (select from webhook_inbox where account = $1 and kind = 'refund'
           and last_received_at > coalesce(refunds_read, '-infinity')) as "refundNews",
       coalesce(unexplained.seen_at > coalesce(fundings_begun, '-infinity'), false) as "receiptNews",
       (select named.resource_id from webhook_inbox named
         left join refunds known on known.account = $1 and refund_id = named.resource_id
         where named.account = $1 and kind = 'refund' and named.resource_id is not null
           and last_received_at > clock_timestamp() - interval '${NAMED_WITHIN}' and last_received_at < refunds_read
           and known.read_at is null and ${MAY_ASK('refunds')}
         order by last_received_at limit 1) as "unlistedRefund",
       (select named.resource_id from webhook_inbox named
         left join fundings known on known.account = $1 and funding_id = named.resource_id
         where named.account = $1 and kind = 'funding' and named.resource_id is not null
           and last_received_at > clock_timestamp() - interval '${NAMED_WITHIN}'
           and (known.status_read_at > '-infinity' and last_received_at > known.status_read_at
               and known.status not in (${sqlList(FINAL_FUNDING_STATUSES)})
               and (known.asked_at is null or last_received_at > known.asked_at)
             or known.status_read_at is null and ${MAY_ASK('fundings')})
         order by last_received_at limit 1) as "namedFunding"
     from lists, unexplained`,
    [account, returnsWithinMs / 1_000],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate gave no row');
  return needsOf(row);
}

function needsOf(row: Needs): ReceiptNeeds {
  const { mayCome, unlistedRefund, namedFunding, nextPage, isFailing, goesOn } = row;
  const refunds: ListNeeds = { sinceAskedMs: row.refundsAskedMs, hasNews: row.refundNews };
  const fundings: ListNeeds = { sinceAskedMs: row.fundingsAskedMs, hasNews: row.receiptNews };
  return {
    ...{ mayCome, refunds, unlistedRefund, namedFunding },
    fundings: { ...fundings, nextPage, goesOn, isFailing },
  };
}

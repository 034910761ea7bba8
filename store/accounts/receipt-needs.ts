import type { ReceiptNeeds } from '../../domain/accounts/receipt-schedule.ts';
import type { Queryable } from '../database/database.ts';

/** For so long after a notification of a refund it is asked for, if no list shows it. */
const NAMED_WITHIN = '7 days';
/** A refund that is not shown is asked for three times, after pauses that grow. Anybody may send notifications. */
const MAX_TIMES_ASKED = 3;
const MAX_ASKED_PER_HOUR = 20;

/** Why the provider is to be asked what explains receipts, from the record alone. */
export async function readReceiptNeeds(
  database: Queryable,
  account: string,
  returnsWithinMs: number,
): Promise<ReceiptNeeds> {
  const { rows } = await database.query<ReceiptNeeds>(
    `with list as (
       select max(asked_at) as asked_at, max(read_at) as read_at from listings where account = $1 and kind = 'refunds'
     )
     select (extract(epoch from clock_timestamp() - list.asked_at) * 1000)::float8 as "sinceRefundsAskedMs",
       exists (select from payments where account = $1 and state = 'paid'
           and ended_at > clock_timestamp() - make_interval(secs => $2))
         or exists (select from refunds where account = $1 and entry_id is null and amount > 0
           and first_seen_at > clock_timestamp() - make_interval(secs => $2)) as "mayComeBack",
       exists (select from webhook_inbox where account = $1 and kind = 'refund'
           and last_received_at > coalesce(list.asked_at, '-infinity'))
         or exists (select from receipts where account = $1 and explained_by is null
           and seen_at > coalesce(list.asked_at, '-infinity')) as "hasNewsOfRefunds",
       (select named.resource_id from webhook_inbox named left join refunds on refunds.account = $1 and refund_id = named.resource_id
         where named.account = $1 and kind = 'refund' and named.resource_id is not null
           and last_received_at > clock_timestamp() - interval '${NAMED_WITHIN}' and last_received_at < list.read_at
           and refunds.read_at is null and coalesce(times_asked, 0) < ${MAX_TIMES_ASKED}
           and (refunds.asked_at is null or refunds.asked_at < clock_timestamp() - interval '6 seconds' * power(10, times_asked))
           and (select count(*) from refunds lately where lately.account = $1
             and lately.asked_at > clock_timestamp() - interval '1 hour') < ${MAX_ASKED_PER_HOUR}
         order by last_received_at limit 1) as "unlistedRefund"
     from list`,
    [account, returnsWithinMs / 1_000],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate gave no row');
  return row;
}

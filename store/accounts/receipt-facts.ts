import { ENTRY_DELAYS, receiptFact, refundFact } from '../../domain/accounts/expected-movements.ts';
import type { Fact } from '../../domain/accounts/money-fact.ts';
import { compareAmounts, withoutFloatNoise } from '../../domain/money.ts';
import type { Queryable } from '../database/database.ts';
import { END_OF_DAY, type FactRange, notClosed } from './fact-sources.ts';
import { epochMs } from '../database/sql-times.ts';

/** What the provider has announced so long ago, and what never came, is not waited for. */
const MAX_AGE = '60 days';

interface ReportedReceipt {
  id: string;
  currency: string;
  amount: string;
  reportedFromMs: number;
  reportedUntilMs: number;
}

interface RefundRow extends ReportedReceipt {
  paymentId: string | null;
  total: string | null;
  fee: string | null;
}

/**
 * Refunds with the amount that the provider shows. One whose money was found is expected at the date of that; another one from
 * the funding of its payment on: the money may have come before the refund was shown.
 */
export async function refundFacts(database: Queryable, { account, day }: FactRange): Promise<Fact[]> {
  const { rows } = await database.query<RefundRow>(
    `select refund_id as id, currency, amount::text as amount, payment_id as "paymentId", total::text as total, fee::text as fee,
       ${epochMs(`coalesce(credited_at, funding_begun_at + make_interval(secs => $3), first_seen_at)`)} as "reportedFromMs",
       ${epochMs('coalesce(credited_at, read_at)')} as "reportedUntilMs"
     from refunds
     left join lateral (
       select payments.payment_id, attempt, coalesce(total_amount, sell_amount) as total, payments.fee,
         (select min(begun_at) from provider_requests requests
          where requests.payment_id = payments.payment_id and operation = 'fund') as funding_begun_at
       from payments where payments.account = $1 and provider_payment_id = resource_id and funded_at is not null
     ) as paid on true
     where refunds.account = $1 and amount > 0 and first_seen_at < ${END_OF_DAY} and coalesce(credited_at, '-infinity') < ${END_OF_DAY}
       and first_seen_at >= $2::date - interval '${MAX_AGE}' and ${notClosed(`'refund/' || refund_id`)}
       and ${notClosed(`'refund/' || payment_id || '-' || attempt`)}
     order by refund_id`,
    [account, day, ENTRY_DELAYS.creditMs / 1_000],
  );
  return rows.map(({ id, fee, total, ...refund }) => {
    const amount = withoutFloatNoise(refund.amount);
    const isWhole = total !== null && compareAmounts(amount, withoutFloatNoise(total)) === 0;
    const fees = isWhole && fee !== null ? [withoutFloatNoise(fee)] : [];
    return refundFact({ ...refund, amount, fees, factId: `refund/${id}`, providerId: id });
  });
}

/** Fundings that the provider shows as completed. One that was completed when it was first shown may be older than the history. */
export async function fundingFacts(database: Queryable, { account, day }: FactRange): Promise<Fact[]> {
  const { rows } = await database.query<ReportedReceipt>(
    `select funding_id as id, currency, amount::text as amount, ${epochMs('coalesce(credited_at, first_seen_at)')} as "reportedFromMs",
       ${epochMs('coalesce(credited_at, completed_at)')} as "reportedUntilMs"
     from fundings
     where account = $1 and amount > 0 and coalesce(credited_at, completed_at) < ${END_OF_DAY}
       and first_seen_at >= $2::date - interval '${MAX_AGE}' and ${notClosed(`'funding/' || funding_id`)}
     order by funding_id`,
    [account, day],
  );
  return rows.map((row) => receiptOf('funding', row));
}

/** Deposits that an entry of the history confirms: a report alone proves nothing, and names no currency. */
export async function depositFacts(database: Queryable, { account, day }: FactRange): Promise<Fact[]> {
  const { rows } = await database.query<ReportedReceipt>(
    `select deposits.transaction_id || '/' || deposits.amount as id, currency, deposits.amount::text as amount,
       ${epochMs('dated_at')} as "reportedFromMs", ${epochMs('dated_at')} as "reportedUntilMs"
     from deposits join receipts using (account, currency, entry_id)
     where account = $1 and dated_at < ${END_OF_DAY} and reported_at >= $2::date - interval '${MAX_AGE}'
       and ${notClosed(`'deposit/' || deposits.transaction_id || '/' || deposits.amount`)}
     order by 1`,
    [account, day],
  );
  return rows.map((row) => receiptOf('deposit', row));
}

function receiptOf(kind: 'funding' | 'deposit', { id, ...reported }: ReportedReceipt): Fact {
  const receipt = { ...reported, amount: withoutFloatNoise(reported.amount) };
  return receiptFact(kind, { ...receipt, factId: `${kind}/${id}`, providerId: id });
}

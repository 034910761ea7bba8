import { EFFECTIVE_OUTCOMES } from '../../domain/payments/request-result.ts';
import { ENTRY_DELAYS, paymentFact, refundFact } from '../../domain/accounts/expected-movements.ts';
import type { Fact } from '../../domain/accounts/money-fact.ts';
import { withoutFloatNoise } from '../../domain/money.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { END_OF_DAY, type FactRange, notClosed } from '../accounts/fact-sources.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import { epochMs } from '../database/sql-times.ts';

interface FundedRow {
  paymentId: string;
  attempt: number;
  providerPaymentId: string | null;
  state: PaymentState;
  currency: string;
  total: string;
  sold: string;
  fee: string | null;
  fundedFromMs: number;
  fundedUntilMs: number;
  isFunded: boolean;
  /** Null: it has not ended, or after the day. */
  endedMs: number | null;
  /** Whether an earlier day has not closed it. */
  isDebitOpen: boolean;
  /** The same, and the provider shows no refund of it: that would be a fact of its own. */
  isRefundOpen: boolean;
}

/** Facts of payments that have not changed for so long have ended, or never will. */
const MAX_AGE = '60 days';

/** States in which a funded payment's money is expected back, and in which it may come back. */
const RETURNS: Readonly<Partial<Record<PaymentState, 'expected' | 'possible'>>> = {
  returned: 'expected',
  rejected: 'possible',
  failed: 'possible',
};

/** Payments that the provider was asked to fund, and money of them that comes back. */
export async function paymentFacts(database: Queryable, { account, day }: FactRange): Promise<Fact[]> {
  const { rows } = await database.query<FundedRow>(
    `select payment_id as "paymentId", attempt, provider_payment_id as "providerPaymentId", state, sell_currency as currency,
       coalesce(total_amount, sell_amount)::text as total, sell_amount::text as sold, fee::text as fee,
       ${epochMs('first_at')} as "fundedFromMs", ${epochMs("coalesce(last_at, first_at + interval '10 minutes')")} as "fundedUntilMs",
       funded_at is not null as "isFunded", ${epochMs(`case when ended_at < ${END_OF_DAY} then ended_at end`)} as "endedMs",
       ${notClosed(`'payment/' || payment_id || '-' || attempt`)} as "isDebitOpen",
       ${notClosed(`'refund/' || payment_id || '-' || attempt`)} and not exists (select from refunds
         where refunds.account = $1 and resource_id = provider_payment_id and read_at is not null) as "isRefundOpen"
     from payments
     cross join lateral (
       select min(begun_at) as first_at, max(answered_at) as last_at from provider_requests requests
       where requests.payment_id = payments.payment_id and requests.attempt = payments.attempt and operation = 'fund'
         and coalesce(outcome in (${sqlList(EFFECTIVE_OUTCOMES)}), true)) as asked
     where account = $1 and changed_at >= $2::date - interval '${MAX_AGE}' and sell_amount is not null and first_at < ${END_OF_DAY}
     order by payment_id`,
    [account, day],
  );
  return rows.flatMap((row) => [
    ...(row.isDebitOpen ? [debitOf(row)] : []),
    ...(row.isRefundOpen ? refundOf(row) : []),
  ]);
}

function debitOf(row: FundedRow): Fact {
  return paymentFact({
    ...row,
    factId: `payment/${row.paymentId}-${row.attempt}`,
    providerId: row.providerPaymentId,
    totalAmount: withoutFloatNoise(row.total),
    sellAmount: withoutFloatNoise(row.sold),
    fees: feesOf(row),
  });
}

/** It may be in the history long before the payment was seen to have been returned. */
function refundOf(row: FundedRow): Fact[] {
  const certainty = RETURNS[row.state];
  if (certainty === undefined || row.endedMs === null || !row.isFunded) return [];
  const refund = refundFact({
    factId: `refund/${row.paymentId}-${row.attempt}`,
    providerId: null,
    paymentId: row.paymentId,
    currency: row.currency,
    amount: withoutFloatNoise(row.total),
    fees: feesOf(row),
    reportedFromMs: row.fundedFromMs + ENTRY_DELAYS.creditMs,
    reportedUntilMs: row.endedMs,
  });
  return [{ ...refund, certainty }];
}

function feesOf({ fee }: FundedRow): string[] {
  return fee === null ? [] : [withoutFloatNoise(fee)];
}

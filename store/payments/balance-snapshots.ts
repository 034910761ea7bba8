import type { Queryable } from '../database/database.ts';

/** Amounts are decimal strings. */
export interface BalanceSnapshot {
  currency: string;
  amount: string;
  ageMs: number;
}

/**
 * Stores what a read that began at `readAt` (`beginReading`) showed, unless a later read is stored. If a currency is listed
 * more than once, the largest balance is stored: a payment is funded from one balance.
 */
export async function saveBalances(
  database: Queryable,
  account: string,
  readAt: string,
  balances: readonly { currency: string; amount: string }[],
): Promise<void> {
  await database.query(
    `insert into balance_snapshots (account, currency, amount, read_at)
     select $1, currency, max(amount::numeric), $4::timestamptz from unnest($2::text[], $3::text[]) as held (currency, amount)
     group by currency
     on conflict (account, currency) do update set amount = excluded.amount, read_at = excluded.read_at
     -- A future timestamp means that the clock was changed: overwrite it.
     -- guard: later-balance-stays
     where balance_snapshots.read_at <= excluded.read_at or balance_snapshots.read_at > clock_timestamp()`,
    [account, balances.map((balance) => balance.currency), balances.map((balance) => balance.amount), readAt],
  );
}

export async function readBalances(database: Queryable, account: string): Promise<BalanceSnapshot[]> {
  const { rows } = await database.query<{ currency: string; amount: string; age_ms: number }>(
    `select currency, amount, (extract(epoch from clock_timestamp() - read_at) * 1000)::float8 as age_ms
     from balance_snapshots where account = $1`,
    [account],
  );
  return rows.map((row) => ({ currency: row.currency, amount: row.amount, ageMs: row.age_ms }));
}

/**
 * Whether the balance in the payment's sell currency is enough for it, as read after the request was answered. Null if it
 * was not read since.
 */
export async function coversPayment(
  database: Queryable,
  paymentId: string,
  requestId: string,
): Promise<boolean | null> {
  const { rows } = await database.query<{ covers: boolean }>(
    `select balances.amount >= coalesce(total_amount, payments.sell_amount, 0) as covers
     from payments
     join provider_requests request on request.payment_id = payments.payment_id and request.request_id = $2
     join balance_snapshots balances on balances.account = payments.account and balances.currency = payments.sell_currency
     -- guard: balance-after-the-refusal
     where payments.payment_id = $1 and balances.read_at > request.answered_at and balances.read_at <= clock_timestamp()`,
    [paymentId, requestId],
  );
  return rows[0]?.covers ?? null;
}

import type { Queryable } from '../database/database.ts';

/** What was paid to accounts of the book, by currency. Amounts are decimal strings. */
export interface PaidToAccount {
  accountHash: string;
  currency: string;
  payments: number;
  usualAmount: string;
  lastAmount: string;
  lastAt: Date;
  lastRunId: string;
}

/** Payments by which money has left, to these accounts: how many, the median amount, and the last one. */
export async function readPaidToAccounts(
  database: Queryable,
  account: string,
  accountHashes: readonly string[],
): Promise<PaidToAccount[]> {
  const { rows } = await database.query<PaidToAccount>(
    `select asked.hash as "accountHash", paid.currency, count(*)::int as payments,
       percentile_disc(0.5) within group (order by paid.amount)::text as "usualAmount",
       (array_agg(paid.amount order by paid.paid_at desc))[1]::text as "lastAmount", max(paid.paid_at) as "lastAt",
       (array_agg(paid.run_id order by paid.paid_at desc))[1] as "lastRunId"
     from unnest($2::text[]) as asked (hash) cross join lateral paid_to_account($1, asked.hash) paid
     group by asked.hash, paid.currency order by max(paid.paid_at) desc`,
    [account, accountHashes],
  );
  return rows;
}

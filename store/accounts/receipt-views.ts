import type { Queryable } from '../database/database.ts';

/** Null: all. */
interface Filter {
  accounts: readonly string[] | null;
  limit: number;
}

/** Amounts are decimal strings. */
export interface DepositView {
  account: string;
  transactionId: string;
  state: 'reported' | 'confirmed';
  amount: string;
  currency: string | null;
  status: string;
  virtualAccountId: string | null;
  reportedAt: Date;
  ageSeconds: number;
  confirmedAt: Date | null;
  entryId: string | null;
}

/** The newest first. */
export async function listDeposits(
  database: Queryable,
  { accounts, state, limit }: Filter & { state: 'reported' | 'confirmed' | null },
): Promise<DepositView[]> {
  const { rows } = await database.query<DepositView>(
    `select account, transaction_id as "transactionId", case when entry_id is null then 'reported' else 'confirmed' end as state,
       amount::text as amount, currency, status, virtual_account_id as "virtualAccountId", reported_at as "reportedAt",
       extract(epoch from clock_timestamp() - reported_at)::int as "ageSeconds", confirmed_at as "confirmedAt", entry_id as "entryId"
     from deposits
     where ($1::text[] is null or account = any($1)) and ($2::text is null or (entry_id is null) = ($2 = 'reported'))
     order by reported_at desc, account, transaction_id, amount limit $3`,
    [accounts, state, limit],
  );
  return rows;
}

export interface FundingView {
  account: string;
  fundingId: string;
  status: string | null;
  currency: string | null;
  amount: string | null;
  reference: string | null;
  firstSeenAt: Date;
  ageSeconds: number;
  creditedAt: Date | null;
  entryId: string | null;
}

/** The newest first. */
export async function listFundings(
  database: Queryable,
  { accounts, currency, status, limit }: Filter & { currency: string | null; status: string | null },
): Promise<FundingView[]> {
  const { rows } = await database.query<FundingView>(
    `select account, funding_id as "fundingId", status, currency, amount::text as amount, reference, first_seen_at as "firstSeenAt",
       extract(epoch from clock_timestamp() - first_seen_at)::int as "ageSeconds", credited_at as "creditedAt", entry_id as "entryId"
     from fundings
     where ($1::text[] is null or account = any($1)) and ($2::text is null or currency = $2) and ($3::text is null or status = $3)
     order by first_seen_at desc, account, funding_id limit $4`,
    [accounts, currency, status, limit],
  );
  return rows;
}

export interface ReceiptView {
  account: string;
  currency: string;
  entryId: string;
  amount: string;
  datedAt: Date;
  ageSeconds: number;
  type: string;
  transactionId: string | null;
  matchesEarlierDebit: boolean;
  explainedBy: 'refund' | 'funding' | 'deposit' | 'conversion' | 'person' | null;
  refundId: string | null;
  fundingId: string | null;
  depositTransactionId: string | null;
  assignedBy: string | null;
  assignedAt: Date | null;
  reason: string | null;
}

/** The newest first. */
export async function listReceipts(
  database: Queryable,
  { accounts, currency, all, limit }: Filter & { currency: string | null; all: boolean },
): Promise<ReceiptView[]> {
  const { rows } = await database.query<ReceiptView>(
    `select receipts.account, receipts.currency, receipts.entry_id as "entryId", receipts.amount::text as amount,
       receipts.dated_at as "datedAt", extract(epoch from clock_timestamp() - receipts.dated_at)::int as "ageSeconds",
       transaction_type as type, receipts.transaction_id as "transactionId", follows_debit as "matchesEarlierDebit",
       explained_by as "explainedBy", refund_id as "refundId", funding_id as "fundingId",
       deposits.transaction_id as "depositTransactionId", said.by as "assignedBy", said.at as "assignedAt", said.reason
     from receipts
     join balance_entries using (account, currency, entry_id)
     left join refunds using (account, currency, entry_id)
     left join fundings using (account, currency, entry_id)
     left join deposits using (account, currency, entry_id)
     left join lateral (
       select users.name as by, assigned_at as at, remarks.body as reason
       from receipt_assignments said join users on users.user_id = assigned_by left join remarks using (remark_id)
       where said.account = receipts.account and said.currency = receipts.currency and said.entry_id = receipts.entry_id
       order by assigned_at desc limit 1
     ) as said on true
     where ($1::text[] is null or receipts.account = any($1)) and ($2::text is null or receipts.currency = $2)
       and ($3 or explained_by is null)
     order by receipts.dated_at desc, receipts.account, receipts.currency, receipts.entry_id limit $4`,
    [accounts, currency, all, limit],
  );
  return rows;
}

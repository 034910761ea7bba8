import type { Queryable } from '../database/database.ts';

export interface LedgerFilter {
  /** Null: all. */
  accounts: readonly string[] | null;
  currency: string | null;
  runId: string | null;
}

export interface LedgerBalanceView {
  account: string;
  currency: string;
  ledgerAccount: string;
  amount: string;
  runId: string | null;
  rowRef: string | null;
  shortBy: string | null;
}

const MAX_BALANCES = 1_000;

/** SQL: the ledger accounts of run $3 and of its payments. */
const OF_RUN = `(select array_agg('payment/' || payment_id || '-' || tried) || ('run/' || $3::uuid)
  from payments, generate_series(1, attempt) as tried where run_id = $3)::text[]`;

/** SQL: whatever the plan, no other ledger account's name is read as an id. */
const PAYMENT_ID = `case kind when 'payment' then split_part(left(ledger_account, 44), '/', 2)::uuid end`;

/** Ledger accounts with money, or of runs that lack some: `outside` and `free` first, then by their ids. */
export async function listLedgerBalances(database: Queryable, filter: LedgerFilter): Promise<LedgerBalanceView[]> {
  const { rows } = await database.query<LedgerBalanceView>(
    `select held.account, held.currency, ledger_account as "ledgerAccount", held.amount::text as amount,
       coalesce(payments.run_id, case kind when 'run' then split_part(ledger_account, '/', 2)::uuid end) as "runId",
       row_ref as "rowRef", short_by::text as "shortBy"
     from ledger_balances held
     left join payments on payments.payment_id = ${PAYMENT_ID}
     where ($1::text[] is null or held.account = any($1)) and ($2::text is null or held.currency = $2)
       and ($3::uuid is null or ledger_account = any(${OF_RUN}))
       and (held.amount <> 0 or short_by is not null or kind in ('outside', 'free'))
     order by held.account, held.currency, kind <> 'outside', kind <> 'free', kind <> 'run', ledger_account
     limit ${MAX_BALANCES}`,
    [filter.accounts, filter.currency, filter.runId],
  );
  return rows;
}

/** What is reserved of the balance for a run, and what it lacks, by currency; nothing where the ledger does not decide. */
export async function readReservedFor(
  database: Queryable,
  { account, runId }: { account: string; runId: string },
): Promise<{ currency: string; amount: string; missing: string | null }[]> {
  const { rows } = await database.query<{ currency: string; amount: string; missing: string | null }>(
    `select currency, amount::text, short_by::text as missing from ledger_balances
     where account = $1 and ledger_account = 'run/' || $2::uuid and kind = 'run' and (amount > 0 or short_by is not null)
     order by currency`,
    [account, runId],
  );
  return rows;
}

export interface LedgerTransferView {
  transferId: number;
  account: string;
  currency: string;
  madeAt: Date;
  debit: string;
  credit: string;
  amount: string;
  reason: string;
  cause: string;
}

/** The newest first, before the transfer `after`. */
export async function listLedgerTransfers(
  database: Queryable,
  { accounts, currency, runId, after, limit }: LedgerFilter & { after: number; limit: number },
): Promise<LedgerTransferView[]> {
  const { rows } = await database.query<LedgerTransferView>(
    `select transfer_id as "transferId", account, currency, made_at as "madeAt", debit, credit, amount::text as amount, reason, cause
     from ledger_transfers
     where ($1::text[] is null or account = any($1)) and ($2::text is null or currency = $2)
       and ($3::uuid is null or debit = any(${OF_RUN}) or credit = any(${OF_RUN}))
       and transfer_id < $4
     order by transfer_id desc limit $5`,
    [accounts, currency, runId, after, limit],
  );
  return rows;
}

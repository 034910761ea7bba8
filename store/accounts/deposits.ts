import type { Queryable } from '../database/database.ts';

/** What a notification said of a deposit. The amount is a decimal string. Contract: payments 6. */
export interface ReportedDeposit {
  transactionId: string;
  amount: string;
  status: string;
  virtualAccountId: string | null;
  accountNumber: string | null;
}

/** So many reports of an account wait for their money at most: anybody may send them. Of more, people are asked what came in. */
export const MAX_OPEN_DEPOSITS = 10_000;

/** Anybody may send a notification: it is a report, until the history has the money. */
export async function reportDeposit(
  database: Queryable,
  account: string,
  deposit: ReportedDeposit,
  maxOpen = MAX_OPEN_DEPOSITS,
): Promise<void> {
  await database.query(
    `insert into deposits (account, transaction_id, amount, status, virtual_account_id, account_number)
     select $1, $2, $3::numeric, $4, $5, $6
     -- guard: open-deposits-are-capped
     where (select count(*) from (select from deposits where account = $1 and entry_id is null limit $7) as open) < $7
       or exists (select from deposits where account = $1 and transaction_id = $2 and amount = $3::numeric)
     on conflict (account, transaction_id, amount) do update set status = excluded.status, last_reported_at = clock_timestamp()`,
    [
      account,
      deposit.transactionId,
      deposit.amount,
      deposit.status,
      deposit.virtualAccountId,
      deposit.accountNumber,
      maxOpen,
    ],
  );
}

import type { Queryable } from '../database/database.ts';

/** What a notification said of a deposit. The amount is a decimal string. Contract: payments 6. */
export interface ReportedDeposit {
  transactionId: string;
  amount: string;
  status: string;
  virtualAccountId: string | null;
  accountNumber: string | null;
}

/** Anybody may send a notification: it is a report, until the history has the money. */
export async function reportDeposit(database: Queryable, account: string, deposit: ReportedDeposit): Promise<void> {
  await database.query(
    `insert into deposits (account, transaction_id, amount, status, virtual_account_id, account_number) values ($1, $2, $3, $4, $5, $6)
     on conflict (account, transaction_id, amount) do update set status = excluded.status, last_reported_at = clock_timestamp()`,
    [account, deposit.transactionId, deposit.amount, deposit.status, deposit.virtualAccountId, deposit.accountNumber],
  );
}

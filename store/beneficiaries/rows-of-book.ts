import type { Queryable } from '../database/database.ts';

/** Rows that are held because the book of beneficiaries does not have their account as confirmed. */

export interface HeldRow {
  runId: string;
  fileName: string;
  line: number;
  /** A decimal string. */
  amount: string;
  currency: string;
}

const SHOWN = 50;

/** Those to one of these accounts, or under one of these names: the ones that have waited longest. */
export async function readRowsHeldFor(
  database: Queryable,
  account: string,
  { accountHashes, nameHashes }: { accountHashes: readonly string[]; nameHashes: readonly string[] },
): Promise<HeldRow[]> {
  const { rows } = await database.query<HeldRow>(
    `select run_id as "runId", file_name as "fileName", payments.line, payments.amount::text,
       case amount_side when 'sell' then sell_currency else buy_currency end as currency
     from payments join runs using (run_id) cross join lateral beneficiary_of(payments) paid
     where payments.state = 'account_unconfirmed' and payments.account = $1
       and (paid.account_hash = any($2) or paid.name_hash = any($3))
     order by payments.changed_at, payments.line limit ${SHOWN}`,
    [account, accountHashes, nameHashes],
  );
  return rows;
}

/** The keys under which the book has the account or the name of a row. */
export async function listBookKeysOfRow(database: Queryable, account: string, paymentId: string): Promise<string[]> {
  const { rows } = await database.query<{ key: string }>(
    `select distinct beneficiary_key as key from payments cross join lateral beneficiary_of(payments) paid
     join beneficiary_accounts book on book.account = payments.account
       and (book.account_hash = paid.account_hash or book.name_hash = paid.name_hash)
     where payment_id = $2 and payments.account = $1 order by 1 limit ${SHOWN}`,
    [account, paymentId],
  );
  return rows.map(({ key }) => key);
}

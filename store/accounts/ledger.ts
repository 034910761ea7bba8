import type { Queryable } from '../database/database.ts';

/** What is known of the money in a currency whose ledger decides what may be funded. Amounts are decimal strings. */
export interface KnownMoney {
  currency: string;
  balance: string;
  /** Reserved for runs, or committed to payments and conversions, with what these lack: money that arrives is theirs first. */
  committed: string;
}

export async function readKnownMoney(database: Queryable, account: string): Promise<KnownMoney[]> {
  const { rows } = await database.query<KnownMoney>(
    `select currency, last_amount::text as balance, (last_amount - coalesce((select amount from ledger_balances held
       where held.account = chains.account and held.currency = chains.currency and ledger_account = 'free'), 0)
       + coalesce((select sum(short_by) from ledger_balances held
         where held.account = chains.account and held.currency = chains.currency and kind = 'run' and short_by is not null), 0)
     )::text as committed
     from balance_chains chains where account = $1 and money_for_run(account, currency, null) is not null`,
    [account],
  );
  return rows;
}

/** What is reserved for others and yields to a run that is not approved yet, by currency. */
export async function readYieldingTo(database: Queryable, runId: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.query<{ currency: string; amount: string }>(
    'select currency, amount::text from yielding_to($1)',
    [runId],
  );
  return new Map(rows.map(({ currency, amount }) => [currency, amount]));
}

/** After a read of the history: reserves what is free for runs, and ends commitments whose debit is not in the history. */
export async function releaseEndedCommitments(database: Queryable, account: string): Promise<void> {
  await database.query('select release_ended_commitments($1)', [account]);
}

/**
 * A created payment whose money is not there waits for it, without being funded. False: the money is there, the ledger does
 * not decide, or the payment is further.
 */
export async function awaitFunds(database: Queryable, paymentId: string): Promise<boolean> {
  const { rows } = await database.query<{ waits: boolean }>('select await_funds($1) as waits', [paymentId]);
  return rows[0]?.waits === true;
}

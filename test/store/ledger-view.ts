import type { Database } from '../../store/database/database.ts';
import { ACCOUNT } from './a-stored-run.ts';

/** The ledger of one currency, as it is recorded. */
export class LedgerView {
  readonly currency: string;
  readonly #database: Database;

  constructor(database: Database, currency: string) {
    this.#database = database;
    this.currency = currency;
  }

  /** Balances of the ledger by kind. */
  async ledger(): Promise<Record<'outside' | 'free' | 'run' | 'payment' | 'conversion', number>> {
    const { rows } = await this.#database.query<{ kind: string; amount: string }>(
      'select kind, sum(amount)::text as amount from ledger_balances where account = $1 and currency = $2 group by kind',
      [ACCOUNT, this.currency],
    );
    const of = (kind: string): number => Number(rows.find((row) => row.kind === kind)?.amount ?? 0);
    return {
      outside: of('outside'),
      free: of('free'),
      run: of('run'),
      payment: of('payment'),
      conversion: of('conversion'),
    };
  }

  async lastAmount(): Promise<number | null> {
    const { rows } = await this.#database.query<{ amount: string }>(
      'select last_amount::text as amount from balance_chains where account = $1 and currency = $2',
      [ACCOUNT, this.currency],
    );
    return rows[0] === undefined ? null : Number(rows[0].amount);
  }

  /** Whether every balance is the sum of its transfers, and none but `outside` and `free` is negative. */
  async wrongBalances(): Promise<unknown[]> {
    const { rows } = await this.#database.query<Record<string, unknown>>(
      `select ledger_account, amount, moved from (
         select ledger_account, amount, coalesce((select sum(case when credit = ledger_account then transfers.amount else -transfers.amount end)
           from ledger_transfers transfers where transfers.account = $1 and transfers.currency = $2
             and ledger_account in (debit, credit)), 0) as moved
         from ledger_balances where account = $1 and currency = $2) as sums
       where amount <> moved or (amount < 0 and ledger_account not in ('outside', 'free'))`,
      [ACCOUNT, this.currency],
    );
    return rows;
  }
}

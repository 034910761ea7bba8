/** SQL: what a payment takes from the balance, as far as it is known; `total_of` in the database. Amounts of the provider may be floats. */
export const TOTAL = 'round(coalesce(total_amount, sell_amount, 0), 4)';

/** SQL: when the balances of an account were last read; null: never. */
export const lastRead = (account: string): string =>
  `(select max(read_at) from balance_snapshots where account = ${account})`;

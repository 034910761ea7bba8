import { type Database, inTransaction } from './database.ts';

export interface ProviderToken {
  token: string;
  expiresAtMs: number;
}

/** The provider's bearer tokens, one an account, shared by every process. */
export interface ProviderTokens {
  read(account: string): Promise<ProviderToken | null>;
  renew(account: string, stale: string | null, renew: () => Promise<ProviderToken>): Promise<ProviderToken>;
  forget(account: string, token: string): Promise<void>;
}

/** `renew` runs for one caller at a time over all processes; the others wait for it and get what it stored. */
export function createProviderTokens(database: Database, now: () => number): ProviderTokens {
  async function read(account: string, from: Pick<Database, 'query'> = database): Promise<ProviderToken | null> {
    const { rows } = await from.query<{ token: string; expires_at: Date }>(
      'select token, expires_at from provider_tokens where account = $1',
      [account],
    );
    const row = rows[0];
    return row === undefined ? null : { token: row.token, expiresAtMs: row.expires_at.getTime() };
  }

  return {
    read: (account) => read(account),
    renew: (account, stale, renew) =>
      inTransaction(database, async (transaction) => {
        await transaction.query(`select pg_advisory_xact_lock(hashtextextended('provider-token/' || $1, 0))`, [
          account,
        ]);
        const stored = await read(account, transaction);
        if (stored !== null && stored.token !== stale && stored.expiresAtMs > now()) return stored;
        const renewed = await renew();
        await transaction.query(
          `insert into provider_tokens (account, token, expires_at) values ($1, $2, $3)
           on conflict (account) do update set token = excluded.token, expires_at = excluded.expires_at`,
          [account, renewed.token, new Date(renewed.expiresAtMs)],
        );
        return renewed;
      }),
    forget: async (account, token) => {
      await database.query('delete from provider_tokens where account = $1 and token = $2', [account, token]);
    },
  };
}

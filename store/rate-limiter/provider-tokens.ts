import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';

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

/**
 * After this long without an extension another process may renew the token. If two renew at once, that costs a request, and
 * both tokens are valid.
 */
const RENEWAL_LEASE_MS = 30_000;
const EXTEND_EVERY_MS = 10_000;
const RETRY_MS = 100;

/**
 * `renew` runs for one caller at a time in all processes; the others wait and get the token that it stored. No database
 * connection is held meanwhile.
 */
export function createProviderTokens(database: Database, now: () => number): ProviderTokens {
  return {
    read: (account) => readToken(database, account),
    renew: async (account, stale, renew) => {
      const isGood = (stored: ProviderToken | null): stored is ProviderToken =>
        stored !== null && stored.token !== stale && stored.expiresAtMs > now();
      const holder = randomUUID();
      for (;;) {
        const stored = await readToken(database, account);
        if (isGood(stored)) return stored;
        if (await leaseRenewal(database, account, holder)) break;
        await sleep(RETRY_MS);
      }
      return withRenewalLease(database, { account, holder }, async () => {
        // The process that had the lease before may have stored a token.
        const stored = await readToken(database, account);
        // guard: token-of-the-turn-before (2 lines)
        if (isGood(stored)) return stored;
        const renewed = await renew();
        await storeToken(database, account, renewed);
        return renewed;
      });
    },
    forget: async (account, token) => {
      await database.query('delete from provider_tokens where account = $1 and token = $2', [account, token]);
    },
  };
}

async function readToken(database: Database, account: string): Promise<ProviderToken | null> {
  const { rows } = await database.query<{ token: string; expires_at: Date }>(
    'select token, expires_at from provider_tokens where account = $1',
    [account],
  );
  const row = rows[0];
  return row === undefined ? null : { token: row.token, expiresAtMs: row.expires_at.getTime() };
}

async function storeToken(database: Database, account: string, { token, expiresAtMs }: ProviderToken): Promise<void> {
  await database.query(
    `insert into provider_tokens (account, token, expires_at) values ($1, $2, $3)
     on conflict (account) do update set token = excluded.token, expires_at = excluded.expires_at`,
    [account, token, new Date(expiresAtMs)],
  );
}

async function leaseRenewal(database: Database, account: string, holder: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into provider_token_turns (account, holder, held_until)
     values ($1, $2, clock_timestamp() + make_interval(secs => $3))
     on conflict (account) do update set holder = excluded.holder, held_until = excluded.held_until
     -- guard: token-renewed-by-one
     where provider_token_turns.held_until < clock_timestamp()`,
    [account, holder, RENEWAL_LEASE_MS / 1_000],
  );
  return rowCount === 1;
}

/** Extends the lease while the work runs, and gives it up afterwards. */
async function withRenewalLease<T>(
  database: Database,
  { account, holder }: { account: string; holder: string },
  work: () => Promise<T>,
): Promise<T> {
  const extend = (): Promise<unknown> =>
    database
      .query(
        `update provider_token_turns set held_until = clock_timestamp() + make_interval(secs => $3)
         where account = $1 and holder = $2`,
        [account, holder, RENEWAL_LEASE_MS / 1_000],
      )
      .catch(() => undefined);
  const extending = setInterval(() => void extend(), EXTEND_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(extending);
    await database
      .query('delete from provider_token_turns where account = $1 and holder = $2', [account, holder])
      .catch(() => undefined);
  }
}

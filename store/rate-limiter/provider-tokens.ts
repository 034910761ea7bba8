import { hkdfSync, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { decrypt, DecryptionFailed, encrypt } from '../personal-data/encryption.ts';

export interface ProviderToken {
  token: string;
  expiresAtMs: number;
}

/**
 * What an account's token is encrypted with in the database: derived from its secret, which workers alone have, and which gets
 * whoever has it a token anyway.
 */
export function tokenKeyOf(secretAccessKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretAccessKey, '', 'payrun provider token', 32));
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
export function createProviderTokens(database: Database, key: Uint8Array, now: () => number): ProviderTokens {
  return {
    read: (account) => readToken(database, key, account),
    renew: async (account, stale, renew) => {
      const isGood = (stored: ProviderToken | null): stored is ProviderToken =>
        stored !== null && stored.token !== stale && stored.expiresAtMs > now();
      const holder = randomUUID();
      for (;;) {
        const stored = await readToken(database, key, account);
        if (isGood(stored)) return stored;
        if (await leaseRenewal(database, account, holder)) break;
        await sleep(RETRY_MS);
      }
      return withRenewalLease(database, { account, holder }, async () => {
        // The process that had the lease before may have stored a token.
        const stored = await readToken(database, key, account);
        // guard: token-of-the-turn-before (2 lines)
        if (isGood(stored)) return stored;
        const renewed = await renew();
        await storeToken(database, key, account, renewed);
        return renewed;
      });
    },
    forget: async (account, token) => {
      const row = await readRow(database, account);
      if (row === null || opened(key, account, row.encrypted) !== token) return;
      await database.query('delete from provider_tokens where account = $1 and encrypted_token = $2', [
        account,
        row.encrypted,
      ]);
    },
  };
}

interface TokenRow {
  encrypted: Buffer;
  expiresAt: Date;
}

async function readRow(database: Database, account: string): Promise<TokenRow | null> {
  const { rows } = await database.query<TokenRow>(
    'select encrypted_token as encrypted, expires_at as "expiresAt" from provider_tokens where account = $1',
    [account],
  );
  return rows[0] ?? null;
}

async function readToken(database: Database, key: Uint8Array, account: string): Promise<ProviderToken | null> {
  const row = await readRow(database, account);
  const token = row === null ? null : opened(key, account, row.encrypted);
  return row === null || token === null ? null : { token, expiresAtMs: row.expiresAt.getTime() };
}

/** Null where the account had another secret when it was stored, or somebody has put something else there. */
function opened(key: Uint8Array, account: string, encrypted: Uint8Array): string | null {
  try {
    return decrypt(key, contextOf(account), encrypted).toString('utf8');
  } catch (error) {
    if (error instanceof DecryptionFailed) return null;
    throw error;
  }
}

function contextOf(account: string): string {
  return `provider token ${account}`;
}

async function storeToken(
  database: Database,
  key: Uint8Array,
  account: string,
  { token, expiresAtMs }: ProviderToken,
): Promise<void> {
  // guard: provider-token-encrypted
  const encrypted = encrypt(key, contextOf(account), Buffer.from(token, 'utf8'));
  await database.query(
    `insert into provider_tokens (account, encrypted_token, expires_at) values ($1, $2, $3)
     on conflict (account) do update set encrypted_token = excluded.encrypted_token, expires_at = excluded.expires_at`,
    [account, encrypted, new Date(expiresAtMs)],
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

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

/** A process that is silent for so long has lost its turn. Two that renew at once cost a request, and both tokens are good. */
const TURN_MS = 30_000;
const EXTEND_EVERY_MS = 10_000;
const LOOK_AGAIN_MS = 100;

/**
 * `renew` runs for one caller at a time over all processes; the others wait for it and get what it stored. No connection to
 * the database is held meanwhile.
 */
export function createProviderTokens(database: Database, now: () => number): ProviderTokens {
  async function read(account: string): Promise<ProviderToken | null> {
    const { rows } = await database.query<{ token: string; expires_at: Date }>(
      'select token, expires_at from provider_tokens where account = $1',
      [account],
    );
    const row = rows[0];
    return row === undefined ? null : { token: row.token, expiresAtMs: row.expires_at.getTime() };
  }

  async function takeTurn(account: string, holder: string): Promise<boolean> {
    const { rowCount } = await database.query(
      `insert into provider_token_turns (account, holder, held_until)
       values ($1, $2, clock_timestamp() + make_interval(secs => $3))
       on conflict (account) do update set holder = excluded.holder, held_until = excluded.held_until
       where provider_token_turns.held_until < clock_timestamp()`,
      [account, holder, TURN_MS / 1_000],
    );
    return rowCount === 1;
  }

  async function inTurn<T>(account: string, holder: string, work: () => Promise<T>): Promise<T> {
    const extend = (): Promise<unknown> =>
      database
        .query(
          `update provider_token_turns set held_until = clock_timestamp() + make_interval(secs => $3)
           where account = $1 and holder = $2`,
          [account, holder, TURN_MS / 1_000],
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

  return {
    read,
    renew: async (account, stale, renew) => {
      const isGood = (stored: ProviderToken | null): stored is ProviderToken =>
        stored !== null && stored.token !== stale && stored.expiresAtMs > now();
      const holder = randomUUID();
      for (;;) {
        const stored = await read(account);
        if (isGood(stored)) return stored;
        if (await takeTurn(account, holder)) break;
        await sleep(LOOK_AGAIN_MS);
      }
      return inTurn(account, holder, async () => {
        // Stored by whoever had the turn just before.
        const stored = await read(account);
        if (isGood(stored)) return stored;
        const renewed = await renew();
        await database.query(
          `insert into provider_tokens (account, token, expires_at) values ($1, $2, $3)
           on conflict (account) do update set token = excluded.token, expires_at = excluded.expires_at`,
          [account, renewed.token, new Date(renewed.expiresAtMs)],
        );
        return renewed;
      });
    },
    forget: async (account, token) => {
      await database.query('delete from provider_tokens where account = $1 and token = $2', [account, token]);
    },
  };
}

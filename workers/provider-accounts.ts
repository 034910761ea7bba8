import type { ProviderAccount } from '../config/account-settings.ts';
import { createProviderClient, type ProviderClient } from '../provider/client.ts';
import { createMac, type Mac } from '../provider/mac.ts';
import type { RateLimiter } from '../provider/rate-limiter/rate-limiter.ts';
import { createRateLimiter } from '../provider/rate-limiter/shared-rate-limiter.ts';
import type { Database } from '../store/database/database.ts';
import type { TokenStore } from '../provider/calls/session.ts';
import { providerIdentityOf } from '../store/accounts/provider-accounts.ts';
import { contentSha256 } from '../domain/sha256.ts';
import { createProviderTokens, tokenKeyOf } from '../store/rate-limiter/provider-tokens.ts';
import { createRequestLeases, type DayShift, type RequestLeases } from '../store/rate-limiter/request-leases.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { rateLimiterObserver, requestObserver } from '../telemetry/observers.ts';
import { startLeaseHolder } from '../store/rate-limiter/lease-holder.ts';
import { createLeaseTable } from '../store/rate-limiter/lease-table.ts';

interface OpenAccount {
  name: string;
  account: ProviderAccount;
  rateLimiter: RateLimiter;
  client: ProviderClient;
  mac: Mac;
}

/** The clients of all configured accounts, each with its rate limiter. */
export interface ProviderAccounts {
  of(account: string): ProviderClient;
  /** Makes the MACs of what the account's provider returned. */
  macOf(account: string): Mac;
  /** Opens another account. @throws RangeError for wrong settings, after which it is not open */
  add(account: ProviderAccount): void;
  /** Closes an account that no worker serves, so that it can be opened again with other settings. */
  remove(account: string): Promise<void>;
  /** Returns this process's leases. To be called after the last request. */
  close(): Promise<void>;
}

export async function openProviderAccounts(options: {
  database: Database;
  accounts: readonly ProviderAccount[];
  requestTimeoutMs: number;
  now: () => number;
  warn: (message: string) => void;
  /** None is kept if absent. */
  metrics?: Metrics | undefined;
  /** Instead of those that all processes share. */
  tokens?: TokenStore;
  /** For tests: shifts the day that requests are counted in. */
  dayShift?: () => DayShift;
}): Promise<ProviderAccounts> {
  const { database, accounts, now, warn, metrics } = options;
  const opened: OpenAccount[] = [];
  const table = createLeaseTable(database);
  const freeing: { leases: RequestLeases | null } = { leases: null };
  const running = await startLeaseHolder(table, async () => freeing.leases?.freeAbandoned());
  const leases = createRequestLeases({
    table,
    holder: running.holder,
    limitsOf: (name) => {
      const { requestsPerSecond, requestsPerDay, requestsReservedPerDay } = accountNamed(opened, name).account;
      return { perSecond: requestsPerSecond, perDay: requestsPerDay, reservedPerDay: requestsReservedPerDay };
    },
    ...(options.dayShift === undefined ? {} : { dayShift: options.dayShift }),
  });
  freeing.leases = leases;
  const open = (account: ProviderAccount): OpenAccount => {
    const rateLimiter = createRateLimiter({
      account: account.name,
      store: leases,
      limitPerSecond: account.requestsPerSecond,
      onStoreError: () => warn(`account ${account.name}: a request lease could not be returned; it is tried again`),
      observer: metrics === undefined ? undefined : rateLimiterObserver(metrics, account.name),
    });
    const client = createProviderClient({
      account: account.name,
      baseUrl: account.apiUrl,
      credentials: account.credentials,
      rateLimiter,
      tokens: tokensOf(account, options.tokens ?? storedTokensOf(account, database, now)),
      now,
      limits: { timeoutMs: options.requestTimeoutMs },
      onWarning: warn,
      observer: metrics === undefined ? undefined : requestObserver(metrics, account.name),
      ...account.variant,
      ...account.connection,
    });
    const mac = createMac(account.name, account.credentials.secretAccessKey);
    return { name: account.name, account, rateLimiter, client, mac };
  };
  opened.push(...accounts.map(open));
  return {
    of: (name) => accountNamed(opened, name).client,
    macOf: (name) => accountNamed(opened, name).mac,
    add: (account) => {
      if (opened.some(({ name }) => name === account.name)) throw new Error(`account ${account.name} is open already`);
      opened.push(open(account));
    },
    remove: async (name) => {
      const removed = accountNamed(opened, name);
      await close(removed);
      opened.splice(opened.indexOf(removed), 1);
    },
    close: async () => {
      for (const account of opened) await close(account);
      await running.stop();
    },
  };
}

function storedTokensOf({ credentials }: ProviderAccount, database: Database, now: () => number): TokenStore {
  return createProviderTokens(database, tokenKeyOf(credentials.secretAccessKey), now);
}

/**
 * Tokens are kept by the account with the provider and not by its name alone: when another address or access key is given
 * under the name, the token of before is not sent there, nor one from there used by workers that still have the old one.
 */
function tokensOf({ name, apiUrl, credentials }: ProviderAccount, tokens: TokenStore): TokenStore {
  const { apiAddress, accessKey } = providerIdentityOf({ account: name, apiUrl, accessKeyId: credentials.accessKeyId });
  const key = `${name} ${contentSha256(`${apiAddress} ${accessKey}`).slice(0, 32)}`;
  return {
    read: () => tokens.read(key),
    renew: (_name, stale, renew) => tokens.renew(key, stale, renew),
    forget: (_name, token) => tokens.forget(key, token),
  };
}

/** Requests that are under way write to the database first. */
async function close({ rateLimiter, client }: OpenAccount): Promise<void> {
  await rateLimiter.drained();
  client.close();
}

function accountNamed<T extends { name: string }>(accounts: readonly T[], name: string): T {
  const account = accounts.find((candidate) => candidate.name === name);
  if (account === undefined) throw new Error(`no provider account named ${name} is configured`);
  return account;
}

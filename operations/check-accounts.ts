import type { Database } from '../store/database/database.ts';
import type { ProviderAccount } from '../config/account-settings.ts';
import { findProvider, isSameProvider, providerIdentityOf } from '../store/accounts/provider-accounts.ts';
import type { TokenStore } from '../provider/calls/session.ts';
import { checkConnectivity } from './connectivity-check.ts';
import { openProviderAccounts } from '../workers/provider-accounts.ts';

export interface ConnectivityCheck {
  /** Null: the account answered, or was not checked. */
  problem: string | null;
  detail: string;
}

/** Time to wait for a request lease, in addition to the request itself. */
const LEASE_WAIT_MS = 10_000;

/** Checks each account as a worker does, through the rate limiter that all workers share. Keyed by account name. */
export async function checkAccounts(
  database: Database,
  accounts: readonly ProviderAccount[],
  requestTimeoutMs: number,
): Promise<Map<string, ConnectivityCheck>> {
  // Tokens of its own: one that is stored would be accepted where the credentials are wrong.
  const provider = { database, accounts, requestTimeoutMs, now: Date.now, warn: () => undefined, tokens: ownTokens() };
  const opened = await openProviderAccounts(provider).catch(() => null);
  if (opened === null) {
    const reason = 'its credentials are not tried, as the database is not migrated yet';
    return new Map(accounts.map(({ name, apiUrl }) => [name, { problem: null, detail: `${apiUrl}, ${reason}` }]));
  }
  try {
    const checks = await Promise.all(
      accounts.map(async ({ name, apiUrl, credentials }): Promise<[string, ConnectivityCheck]> => {
        const recorded = await findProvider(database, name);
        const mine = providerIdentityOf({ account: name, apiUrl, accessKeyId: credentials.accessKeyId });
        if (recorded !== null && !isSameProvider(recorded, mine)) {
          const problem = `${apiUrl}: this database knows the account ${name} by another address or access key: no worker would start`;
          return [name, { problem, detail: apiUrl }];
        }
        const problem = await checkConnectivity(opened.of(name), requestTimeoutMs + LEASE_WAIT_MS);
        return [
          name,
          { problem: problem === null ? null : `${apiUrl}: ${problem}`, detail: `${apiUrl} accepts its credentials` },
        ];
      }),
    );
    return new Map(checks);
  } finally {
    await opened.close();
  }
}

/** Kept in memory, for one check. */
function ownTokens(): TokenStore {
  const known = new Map<string, Awaited<ReturnType<TokenStore['renew']>>>();
  return {
    read: (account) => Promise.resolve(known.get(account) ?? null),
    renew: async (account, _stale, renew) => {
      const renewed = await renew();
      known.set(account, renewed);
      return renewed;
    },
    forget: (account) => Promise.resolve(void known.delete(account)),
  };
}

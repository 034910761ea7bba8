import { contentSha256 } from '../../domain/sha256.ts';
import { isLoopbackHost } from '../../domain/loopback.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';

/** Which provider a record belongs to, and which account there. */
export interface ProviderIdentity {
  account: string;
  /** The API's address without trailing slashes; for a loopback address, without host and port. */
  apiAddress: string;
  /** SHA-256 of the access key's id, hex. */
  accessKey: string;
}

export function providerIdentityOf(provider: {
  account: string;
  apiUrl: string;
  accessKeyId: string;
}): ProviderIdentity {
  const { hostname, origin, pathname, protocol } = new URL(provider.apiUrl);
  return {
    account: provider.account,
    // A local sandbox may have another port after a restart.
    apiAddress: (isLoopbackHost(hostname) ? `${protocol}//loopback` : origin) + pathname.replace(/\/+$/, ''),
    accessKey: contentSha256(provider.accessKeyId),
  };
}

/** Whether both are the same account with the same provider, by whatever name. */
export function isSameProvider(one: ProviderIdentity, other: ProviderIdentity): boolean {
  // guard: provider-address-kept, provider-account-kept
  return one.apiAddress === other.apiAddress && one.accessKey === other.accessKey;
}

/**
 * Records the provider of an account if none is recorded, and returns the recorded one: that of the same name, else the
 * account of another name that is the same one with the provider. Null when the database has accounts of payrun's own sandbox
 * and this is none, or the reverse: example users, for whom anyone may act, are in the database of a sandbox alone.
 */
export function recordProvider(
  database: Database,
  provider: ProviderIdentity & { isSandbox: boolean },
): Promise<ProviderIdentity | null> {
  return inTransaction(database, async (transaction) => {
    // One after another, so that two names for one account are noticed.
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('provider_accounts', 0))`);
    return recordOnce(transaction, provider);
  });
}

async function recordOnce(
  transaction: Queryable,
  { account, apiAddress, accessKey, isSandbox }: ProviderIdentity & { isSandbox: boolean },
): Promise<ProviderIdentity | null> {
  await transaction.query(
    `with recorded as (
       insert into provider_accounts (account, api_address, access_key, is_sandbox)
       select $1, $2, $3, $4 where not exists (select from provider_accounts
         where api_address = $2 and access_key = $3 or is_sandbox <> $4)
       on conflict do nothing returning account
     )
     insert into audit_entries (actor, kind, detail)
     select 'worker', 'provider_recorded', jsonb_build_object('account', account, 'apiAddress', $2::text) from recorded`,
    [account, apiAddress, accessKey, isSandbox],
  );
  const { rows } = await transaction.query<ProviderIdentity>(
    `select account, api_address as "apiAddress", access_key as "accessKey"
     from provider_accounts where account = $1 or api_address = $2 and access_key = $3 order by account <> $1 limit 1`,
    [account, apiAddress, accessKey],
  );
  return rows[0] ?? null;
}

export interface RecordedProvider extends ProviderIdentity {
  isSandbox: boolean;
  recordedAt: Date;
}

/** All that are recorded, by name. */
export async function listProviders(database: Queryable): Promise<RecordedProvider[]> {
  const { rows } = await database.query<RecordedProvider>(
    `select account, api_address as "apiAddress", access_key as "accessKey", is_sandbox as "isSandbox",
       recorded_at as "recordedAt"
     from provider_accounts order by account`,
  );
  return rows;
}

/** The account with the provider that is recorded under the name; null: none yet. */
export async function findProvider(database: Queryable, account: string): Promise<ProviderIdentity | null> {
  const { rows } = await database.query<ProviderIdentity>(
    `select account, api_address as "apiAddress", access_key as "accessKey" from provider_accounts where account = $1`,
    [account],
  );
  return rows[0] ?? null;
}

import { contentSha256 } from '../content-hash.ts';
import { isLoopbackHost } from '../../domain/loopback.ts';
import type { Queryable } from '../database/database.ts';

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

/**
 * Records the provider of an account if none is recorded, and returns the recorded one. Whether it is payrun's own sandbox is
 * never changed later: only such a record may have example users.
 */
export async function recordProvider(
  database: Queryable,
  { account, apiAddress, accessKey, isSandbox }: ProviderIdentity & { isSandbox: boolean },
): Promise<ProviderIdentity> {
  await database.query(
    `with recorded as (
       insert into provider_accounts (account, api_address, access_key, is_sandbox) values ($1, $2, $3, $4)
       on conflict do nothing returning account
     )
     insert into audit_entries (actor, kind, detail)
     select 'worker', 'provider_recorded', jsonb_build_object('account', account, 'apiAddress', $2::text) from recorded`,
    [account, apiAddress, accessKey, isSandbox],
  );
  const { rows } = await database.query<ProviderIdentity>(
    `select account, api_address as "apiAddress", access_key as "accessKey"
     from provider_accounts where account = $1`,
    [account],
  );
  return rows[0] ?? { account, apiAddress, accessKey };
}

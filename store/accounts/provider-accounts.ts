import { createHash } from 'node:crypto';
import type { Queryable } from '../database/database.ts';

/** Which provider a record belongs to, and which account there. */
export interface ProviderIdentity {
  account: string;
  /** The address without its path's end; of one on this machine, without its port. */
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
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  return {
    account: provider.account,
    // A sandbox of this machine may take another port at its next start.
    apiAddress: (isLoopback ? `${protocol}//loopback` : origin) + pathname.replace(/\/+$/, ''),
    accessKey: createHash('sha256').update(provider.accessKeyId).digest('hex'),
  };
}

/**
 * Records the provider of an account if none is; answers the one that is on record. Whether it is payrun's own sandbox is
 * recorded once and for all: only such a record takes users for a trial.
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

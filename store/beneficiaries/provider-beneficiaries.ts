import type { KnownBeneficiary } from '../../domain/beneficiaries/known-beneficiary.ts';
import { countriesOf } from '../../domain/beneficiaries/beneficiary-identity.ts';
import type { Database, Queryable } from '../database/database.ts';
import { addLookAlikeNames, lookAlikeName } from './look-alike-keys.ts';
import type { PayeeData } from '../personal-data/payee-data.ts';
import { type KnownIdentity, knownIdentityHashesOf } from '../../domain/runs/row-identity.ts';

/** A beneficiary as the provider has shown it, for people who decide on rows that name it by its id. */
export interface ShownBeneficiary extends KnownIdentity {
  beneficiaryId: string;
  known: KnownBeneficiary;
  /** Of its bank, by which the policy judges; null: none is recorded. */
  countries: string[] | null;
  /** A worker's, over all fields. */
  mac: string | null;
}

/** As it is stored: encrypted, base64. */
export interface StoredShown extends Omit<ShownBeneficiary, 'known'> {
  account: string;
  encrypted: string;
}

/** SQL: the `StoredShown` of `named`, as JSON. */
export const SHOWN_BENEFICIARY = `jsonb_build_object('account', named.account, 'beneficiaryId', named.beneficiary_id,
  'encrypted', encode(named.encrypted, 'base64'), 'accountHash', named.account_hash, 'routingHash', named.routing_hash, 'nameHash', named.name_hash,
  'countries', named.countries, 'mac', named.mac)`;

export function openShown(payees: PayeeData, { account, encrypted, ...shown }: StoredShown): ShownBeneficiary {
  const known = payees.decryptBeneficiary(account, shown.beneficiaryId, Buffer.from(encrypted, 'base64'));
  return { ...shown, known };
}

/**
 * Ids in rows to be paid whose beneficiaries the provider has not shown, while the run is checked: read later, their accounts are not compared
 * with those of other rows. A beneficiary that it did not have is read again for every later run.
 */
export async function listUnreadBeneficiaries(database: Queryable, runId: string): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `select distinct instruction #>> '{beneficiary,beneficiaryId}' as id
     from payments join runs using (run_id)
     where payments.run_id = $1 and runs.state = 'validating' and payments.state = 'ready' and payments.account_hash is null
       and not exists (select from provider_beneficiaries named
         where named.account = payments.account and named.beneficiary_id = instruction #>> '{beneficiary,beneficiaryId}'
           and (named.encrypted is not null or named.read_at > runs.submitted_at))
     order by 1`,
    [runId],
  );
  return rows.map(({ id }) => id);
}

/** Stores beneficiaries as the provider shows them; later ones do not replace them. `known` null: it has none with this id. */
export async function saveProviderBeneficiaries(
  database: Database,
  payees: PayeeData,
  account: string,
  shown: readonly { beneficiaryId: string; known: KnownBeneficiary | null; mac: string | null }[],
): Promise<void> {
  const records = shown.map(({ beneficiaryId, known, mac }) => {
    const hashes = knownIdentityHashesOf(payees.hash, known);
    return {
      beneficiary_id: beneficiaryId,
      encrypted: known === null ? null : payees.encryptBeneficiary(account, beneficiaryId, known).toString('base64'),
      countries: known === null ? null : countriesOf(known),
      account_hash: hashes.accountHash,
      routing_hash: hashes.routingHash,
      name_hash: hashes.nameHash,
      mac,
    };
  });
  await database.query(
    `insert into provider_beneficiaries (account, beneficiary_id, encrypted, countries, account_hash, routing_hash, name_hash, mac)
     select $1, beneficiary_id, decode(encrypted, 'base64'), nullif(countries, 'null'), account_hash, routing_hash, name_hash, mac
     from jsonb_to_recordset($2::jsonb) as shown (beneficiary_id text, encrypted text, countries jsonb, account_hash text,
       routing_hash text, name_hash text, mac text)
     on conflict (account, beneficiary_id) do update set encrypted = excluded.encrypted, countries = excluded.countries,
       account_hash = excluded.account_hash, routing_hash = excluded.routing_hash, name_hash = excluded.name_hash,
       mac = excluded.mac, read_at = clock_timestamp()
     where provider_beneficiaries.encrypted is null`,
    [account, JSON.stringify(records)],
  );
  const names = shown.flatMap(({ known }) => (known === null ? [] : [lookAlikeName(payees.hash, known)]));
  await addLookAlikeNames(database, account, names);
}

/** Renews the MAC after the provider has shown the same again. */
export async function renewProviderBeneficiaryMac(
  database: Queryable,
  account: string,
  { beneficiaryId, mac }: { beneficiaryId: string; mac: string },
): Promise<void> {
  await database.query('update provider_beneficiaries set mac = $3 where account = $1 and beneficiary_id = $2', [
    account,
    beneficiaryId,
    mac,
  ]);
}

import type { KnownBeneficiary } from '../domain/known-beneficiary.ts';
import type { Queryable } from './database.ts';
import { knownAccountAndNameHashOf } from './row-identity.ts';

/**
 * The ids by which rows to be paid name beneficiaries that the provider has not shown. One that it did not have is asked
 * for again for every later run.
 */
export async function listUnreadBeneficiaries(database: Queryable, runId: string): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `select distinct instruction #>> '{beneficiary,beneficiaryId}' as id
     from payments join runs using (run_id)
     where payments.run_id = $1 and payments.state = 'ready' and payments.account_hash is null
       and not exists (select from provider_beneficiaries named
         where named.account = payments.account and named.beneficiary_id = instruction #>> '{beneficiary,beneficiaryId}'
           and (named.details is not null or named.read_at > runs.submitted_at))
     order by 1`,
    [runId],
  );
  return rows.map(({ id }) => id);
}

/** What the provider shows of beneficiaries, once and for all; `known` null: it has none of this id at present. */
export async function saveProviderBeneficiaries(
  database: Queryable,
  account: string,
  shown: readonly { beneficiaryId: string; known: KnownBeneficiary | null }[],
): Promise<void> {
  const records = shown.map(({ beneficiaryId, known }) => {
    const hashes = known === null ? null : knownAccountAndNameHashOf(known);
    return {
      beneficiary_id: beneficiaryId,
      details: known,
      account_hash: hashes?.accountHash ?? null,
      name_hash: hashes?.nameHash ?? null,
    };
  });
  await database.query(
    `insert into provider_beneficiaries (account, beneficiary_id, details, account_hash, name_hash)
     select $1, beneficiary_id, nullif(details, 'null'), account_hash, name_hash
     from jsonb_to_recordset($2::jsonb) as shown (beneficiary_id text, details jsonb, account_hash text, name_hash text)
     on conflict (account, beneficiary_id) do update set details = excluded.details, account_hash = excluded.account_hash,
       name_hash = excluded.name_hash, read_at = clock_timestamp()
     where provider_beneficiaries.details is null`,
    [account, JSON.stringify(records)],
  );
}

import type { Queryable } from './database.ts';

/**
 * What is known of a payee with the provider. One payment at a time may create it: `claimed` names another payment
 * that is at it, `unknown_outcome` this payment's own earlier try whose answer was never seen.
 */
export type BeneficiaryClaim =
  | { kind: 'known'; beneficiaryId: string }
  | { kind: 'claimed' }
  | { kind: 'mine' }
  | { kind: 'unknown_outcome' };

/** A claim whose holder has not answered for this long is taken over, and its outcome looked up first. */
const CLAIM_LASTS = '2 minutes';

export async function claimBeneficiary(
  database: Queryable,
  claim: { account: string; fingerprint: string; paymentId: string },
): Promise<BeneficiaryClaim> {
  const { rows } = await database.query<{
    is_new: boolean;
    beneficiary_id: string | null;
    is_mine: boolean;
    is_old: boolean;
  }>(
    `with claimed as (
       insert into beneficiaries (account, fingerprint, claimed_by) values ($1, $2, $3)
       on conflict do nothing returning fingerprint
     )
     select true as is_new, null as beneficiary_id, true as is_mine, false as is_old from claimed
     union all
     select false, beneficiary_id, claimed_by = $3, claimed_at < clock_timestamp() - $4::interval
     from beneficiaries where account = $1 and fingerprint = $2`,
    [claim.account, claim.fingerprint, claim.paymentId, CLAIM_LASTS],
  );
  const row = rows[0];
  if (row === undefined) return { kind: 'claimed' };
  if (row.is_new) return { kind: 'mine' };
  if (row.beneficiary_id !== null) return { kind: 'known', beneficiaryId: row.beneficiary_id };
  if (!row.is_mine && !row.is_old) return { kind: 'claimed' };
  await database.query(
    `update beneficiaries set claimed_by = $3, claimed_at = clock_timestamp()
     where account = $1 and fingerprint = $2 and beneficiary_id is null`,
    [claim.account, claim.fingerprint, claim.paymentId],
  );
  return { kind: 'unknown_outcome' };
}

/** The provider's id of the payee, for this payment and for every later one with the same details. */
export async function saveBeneficiary(
  database: Queryable,
  known: { account: string; fingerprint: string; paymentId: string; beneficiaryId: string },
): Promise<void> {
  await database.query(
    `with saved as (
       update beneficiaries set beneficiary_id = $4, known_at = clock_timestamp()
       where account = $1 and fingerprint = $2 and beneficiary_id is null
     ), audited as (
       insert into audit_entries (actor, kind, run_id, payment_id, detail)
       select 'worker', 'beneficiary_created', run_id, payment_id, jsonb_build_object('beneficiary', $4::text)
       from payments where payment_id = $3
     )
     update payments set beneficiary_id = $4, changed_at = clock_timestamp() where payment_id = $3`,
    [known.account, known.fingerprint, known.paymentId, known.beneficiaryId],
  );
}

/** Gives a claim back, so that the next payment to the same payee tries anew. */
export async function dropBeneficiaryClaim(
  database: Queryable,
  claim: { account: string; fingerprint: string; paymentId: string },
): Promise<void> {
  await database.query(
    'delete from beneficiaries where account = $1 and fingerprint = $2 and claimed_by = $3 and beneficiary_id is null',
    [claim.account, claim.fingerprint, claim.paymentId],
  );
}

/** A payee that is known already, taken over into the payment. */
export async function useBeneficiary(database: Queryable, paymentId: string, beneficiaryId: string): Promise<void> {
  await database.query(
    'update payments set beneficiary_id = $2, changed_at = clock_timestamp() where payment_id = $1',
    [paymentId, beneficiaryId],
  );
}

/** The provider no longer has this payee: it is made known anew. False when the row itself named it by its id. */
export async function forgetBeneficiary(
  database: Queryable,
  gone: { account: string; paymentId: string; beneficiaryId: string },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `with forgotten as (
       delete from beneficiaries where account = $1 and beneficiary_id = $3
     ), audited as (
       insert into audit_entries (actor, kind, run_id, payment_id, detail)
       select 'worker', 'beneficiary_gone', run_id, payment_id, jsonb_build_object('beneficiary', $3::text)
       from payments where payment_id = $2
     )
     update payments set beneficiary_id = null, changed_at = clock_timestamp()
     where payment_id = $2 and beneficiary_id = $3 and instruction -> 'beneficiary' ->> 'kind' = 'details'`,
    [gone.account, gone.paymentId, gone.beneficiaryId],
  );
  return rowCount === 1;
}

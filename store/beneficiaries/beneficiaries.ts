import { UNCREATED_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { sqlList } from '../database/sql-list.ts';
import type { Queryable } from '../database/database.ts';

/**
 * What the database has about a beneficiary at the provider. One payment at a time may create it. `mine`: this payment has the
 * claim. `claimed`: another payment has it. `unknown_outcome`: this payment has taken over an earlier claim whose answer was
 * never seen.
 */
export type ClaimOutcome =
  | { kind: 'known'; beneficiaryId: string; mac: string | null }
  | { kind: 'claimed' }
  | { kind: 'mine'; claimedAt: string }
  | { kind: 'unknown_outcome'; claimedAt: string };

/** The claim to create a beneficiary. `claimedAt` distinguishes it from all others, also of the same payment. */
export interface BeneficiaryClaim {
  account: string;
  /** The hash of all its details. */
  fingerprint: string;
  paymentId: string;
  claimedAt: string;
}

/** After this long another payment may take a claim over, and looks its outcome up first. */
const CLAIM_LASTS = '2 minutes';

export async function claimBeneficiary(
  database: Queryable,
  claim: { account: string; fingerprint: string; paymentId: string },
): Promise<ClaimOutcome> {
  const { rows } = await database.query<{
    is_new: boolean;
    claimed_at: string;
    beneficiary_id: string | null;
    mac: string | null;
    is_mine: boolean;
    is_old: boolean;
  }>(
    `with claimed as (
       insert into beneficiaries (account, fingerprint, claimed_by) values ($1, $2, $3)
       on conflict do nothing returning claimed_at
     )
     select true as is_new, claimed_at::text, null as beneficiary_id, null as mac, true as is_mine, false as is_old from claimed
     union all
     select false, claimed_at::text, beneficiary_id, mac, claimed_by = $3, claimed_at < clock_timestamp() - $4::interval
     from beneficiaries where account = $1 and fingerprint = $2`,
    [claim.account, claim.fingerprint, claim.paymentId, CLAIM_LASTS],
  );
  const row = rows[0];
  if (row === undefined) return { kind: 'claimed' };
  if (row.is_new) return { kind: 'mine', claimedAt: row.claimed_at };
  if (row.beneficiary_id !== null) return { kind: 'known', beneficiaryId: row.beneficiary_id, mac: row.mac };
  if (!row.is_mine && !row.is_old) return { kind: 'claimed' };
  // If two payments take it over at the same time, only one succeeds.
  const { rows: taken } = await database.query<{ claimed_at: string }>(
    `update beneficiaries set claimed_by = $3, claimed_at = greatest(clock_timestamp(), claimed_at + interval '1 microsecond')
     where account = $1 and fingerprint = $2 and beneficiary_id is null and claimed_at = $4::timestamptz
     returning claimed_at::text`,
    [claim.account, claim.fingerprint, claim.paymentId, row.claimed_at],
  );
  const [claimed] = taken;
  return claimed === undefined ? { kind: 'claimed' } : { kind: 'unknown_outcome', claimedAt: claimed.claimed_at };
}

/**
 * Stores the provider's id of the beneficiary, with its MAC, for this payment and every later one with the same details. False
 * when the claim was superseded: the beneficiary that this payment created is not used, and the audit trail names it.
 */
export async function saveBeneficiary(
  database: Queryable,
  claim: BeneficiaryClaim,
  created: { beneficiaryId: string; mac: string },
): Promise<boolean> {
  const { rows } = await database.query<{ saved: number }>(
    `with saved as (
       update beneficiaries set beneficiary_id = $4, mac = $6, known_at = clock_timestamp()
       where account = $1 and fingerprint = $2 and beneficiary_id is null and claimed_at = $5::timestamptz
       returning beneficiary_id
     ), audited as (
       insert into audit_entries (actor, kind, run_id, payment_id, detail)
       select 'worker', case when exists (select from saved) then 'beneficiary_created' else 'beneficiary_unused' end,
         run_id, payment_id, jsonb_build_object('beneficiary', $4::text)
       from payments where payment_id = $3
     )
     select count(*)::int as saved from saved`,
    [claim.account, claim.fingerprint, claim.paymentId, created.beneficiaryId, claim.claimedAt, created.mac],
  );
  return rows[0]?.saved === 1;
}

/** Gives up a claim, so that the next payment to the same beneficiary can create it. */
export async function dropBeneficiaryClaim(database: Queryable, claim: BeneficiaryClaim): Promise<void> {
  await database.query(
    `delete from beneficiaries
     where account = $1 and fingerprint = $2 and beneficiary_id is null and claimed_at = $3::timestamptz`,
    [claim.account, claim.fingerprint, claim.claimedAt],
  );
}

/** The provider no longer has this beneficiary: it is created again. False when the row names it by its id. */
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
     where payment_id = $2 and state in (${sqlList(UNCREATED_PAYMENT_STATES)}) and instruction -> 'beneficiary' ->> 'kind' = 'details'`,
    [gone.account, gone.paymentId, gone.beneficiaryId],
  );
  return rowCount === 1;
}

/**
 * The beneficiary in the database may not be the approved one: it is not used, and one is created again. `beneficiaryId` null:
 * none is recorded.
 */
export async function discardBeneficiary(
  database: Queryable,
  discarded: { account: string; fingerprint: string; paymentId: string; beneficiaryId: string | null },
): Promise<void> {
  await database.query(
    `with discarded as (
       delete from beneficiaries where account = $1 and fingerprint = $2 and beneficiary_id = $4 returning beneficiary_id
     ), audited as (
       insert into audit_entries (actor, kind, run_id, payment_id, detail)
       select 'worker', 'beneficiary_discarded', run_id, payment_id, jsonb_build_object('beneficiary', $4::text)
       from payments, discarded where payment_id = $3
     )
     update payments set beneficiary_id = null, changed_at = clock_timestamp()
     where payment_id = $3 and state in (${sqlList(UNCREATED_PAYMENT_STATES)}) and beneficiary_id is not null`,
    [discarded.account, discarded.fingerprint, discarded.paymentId, discarded.beneficiaryId],
  );
}

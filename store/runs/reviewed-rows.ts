/**
 * SQL for rows and their beneficiaries, which the row describes or names by the provider's id. For use with
 * `from payments ${NAMED}`.
 */

export const NAMED = `left join provider_beneficiaries named on payments.account_hash is null
  and named.account = payments.account and named.beneficiary_id = payments.instruction #>> '{beneficiary,beneficiaryId}'`;

/** The beneficiary as far as it is known (`KnownBeneficiary`), and the hashes of its account, routing and name. */
export const KNOWN = `coalesce(payments.instruction #> '{beneficiary,details}', named.details)`;
export const ACCOUNT_HASH = 'coalesce(payments.account_hash, named.account_hash)';
export const ROUTING_HASH = 'coalesce(payments.routing_hash, named.routing_hash)';
export const NAME_HASH = 'coalesce(payments.name_hash, named.name_hash)';

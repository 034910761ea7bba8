/** SQL for rows and their beneficiaries. For use with `from payments ${BENEFICIARY}`. */

export const BENEFICIARY = 'cross join lateral beneficiary_of(payments) as beneficiary';

/** The beneficiary as far as it is known (`KnownBeneficiary`), and the hashes of its account, routing and name. */
export const KNOWN = 'beneficiary.details';
export const ACCOUNT_HASH = 'beneficiary.account_hash';
export const ROUTING_HASH = 'beneficiary.routing_hash';
export const NAME_HASH = 'beneficiary.name_hash';

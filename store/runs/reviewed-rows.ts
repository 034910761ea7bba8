import { CONTENT_COLUMNS } from './row-content.ts';

/** SQL for rows and their beneficiaries. For use with `from payments ${BENEFICIARY}`. */

export const BENEFICIARY = 'cross join lateral beneficiary_of(payments) as beneficiary';

/** The `StoredBeneficiary`: as far as it is known. */
export const BENEFICIARY_COLUMNS = `${CONTENT_COLUMNS}, payments.account, beneficiary.shown`;

/** The hashes of its account, routing and name. */
export const ACCOUNT_HASH = 'beneficiary.account_hash';
export const ROUTING_HASH = 'beneficiary.routing_hash';
export const NAME_HASH = 'beneficiary.name_hash';

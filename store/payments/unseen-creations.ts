/** For so long somebody looks for a payment whose creation was not seen. */
const LOOKED_FOR = `interval '7 days'`;

/** SQL: two people said that the payment was never created: what they know may be wrong. */
export const IS_RESOLVED_AS_ABSENT = `payments.state = 'cancelled' and payments.error_code = 'resolved_never_created'`;

/**
 * SQL: a payment whose creation was not seen, or not answered, and that is unknown or was resolved by people as never created: it has no
 * id by which it could be read, and is looked for by its reference.
 */
export const CREATION_IS_LOOKED_FOR = `(payments.state = 'unknown' or ${IS_RESOLVED_AS_ABSENT}) and payments.provider_payment_id is null
    and payments.ended_at > clock_timestamp() - ${LOOKED_FOR} and may_have_been_created(payments.payment_id, payments.attempt)`;

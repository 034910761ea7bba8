/** For so long somebody looks for a payment whose creation was not seen, or that people have called unpaid. */
const LOOKED_FOR = `interval '7 days'`;

/** SQL: two people said lately that the payment was never created, or was not paid: what they know may be wrong. */
export const IS_RESOLVED_AS_UNPAID = `payments.error_code in ('resolved_never_created', 'resolved_rejected', 'resolved_failed')
    and payments.ended_at > clock_timestamp() - ${LOOKED_FOR}`;

/**
 * SQL: a payment whose creation was not seen, or not answered, and that is unknown or was resolved by people as unpaid: it has no
 * id by which it could be read, and is looked for by its reference.
 */
export const CREATION_IS_LOOKED_FOR = `(payments.state = 'unknown' or ${IS_RESOLVED_AS_UNPAID}) and payments.provider_payment_id is null
    and payments.ended_at > clock_timestamp() - ${LOOKED_FOR} and may_have_been_created(payments.payment_id, payments.attempt)`;

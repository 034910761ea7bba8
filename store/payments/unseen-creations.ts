/** For so long somebody looks for a payment whose creation was not seen. */
const LOOKED_FOR = `interval '7 days'`;

/**
 * SQL: an unknown payment whose creation was not seen, or not answered: it has no id by which it could be read, and is looked
 * for by its reference.
 */
export const CREATION_IS_LOOKED_FOR = `payments.state = 'unknown' and payments.provider_payment_id is null
    and payments.ended_at > clock_timestamp() - ${LOOKED_FOR} and may_have_been_created(payments.payment_id, payments.attempt)`;

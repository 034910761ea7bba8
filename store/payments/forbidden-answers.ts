import type { Operation } from '../../provider/operations.ts';
import type { Queryable } from '../database/database.ts';

/** By what it is seen that the provider did the same for another payment ($1) between two times. */
const SERVED: Readonly<Partial<Record<Operation, string>>> = {
  'beneficiary-create': `select from beneficiaries where account = $3 and claimed_by <> $1 and beneficiary_id is not null
    and claimed_at > pairs.earlier and known_at < pairs.later`,
  'simple-payment-get-upload-url': `select from file_uploads join payments others using (payment_id)
    where others.account = $3 and payment_id <> $1 and requested_at > pairs.earlier and requested_at < pairs.later`,
  'simple-payment-quote': served('quote'),
  'simple-payment-create': served('create'),
  'simple-payment-fund': served('fund'),
};

function served(operation: string): string {
  return `select from provider_requests where account = $3 and payment_id <> $1 and operation = '${operation}'
    and answer = 'as_asked' and begun_at > pairs.earlier and answered_at < pairs.later`;
}

/**
 * Notes that a request for a payment was forbidden, and answers whether that is about the payment: the last three times it
 * was, and in between, both times, the provider did the same for others.
 */
export async function noteForbidden(
  database: Queryable,
  { account, paymentId }: { account: string; paymentId: string },
  operation: Operation,
): Promise<boolean> {
  await database.query('insert into forbidden_answers (payment_id, operation) values ($1, $2)', [paymentId, operation]);
  const others = SERVED[operation];
  if (others === undefined) return false;
  const { rows } = await database.query<{ between: number }>(
    `with latest as (
       select answered_at from forbidden_answers where payment_id = $1 and operation = $2
       order by answered_at desc limit 3
     ), pairs as (
       select lag(answered_at) over (order by answered_at) as earlier, answered_at as later from latest
     )
     select count(*)::int as between from pairs where earlier is not null and exists (${others})`,
    [paymentId, operation, account],
  );
  return rows[0]?.between === 2;
}

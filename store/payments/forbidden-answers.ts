import type { Queryable } from '../database/database.ts';

/** SQL: whether the provider did the same for another payment than $1 of the account $3 between two times. */
const DONE_FOR_OTHERS = {
  'beneficiary-create': `select from beneficiaries where account = $3 and claimed_by <> $1 and beneficiary_id is not null
    and claimed_at > pairs.earlier and known_at < pairs.later`,
  'simple-payment-get-upload-url': `select from file_uploads join payments others using (payment_id)
    where others.account = $3 and payment_id <> $1 and requested_at > pairs.earlier and requested_at < pairs.later`,
  'simple-payment-quote': answeredForOthers('quote'),
  'simple-payment-create': answeredForOthers('create'),
  'simple-payment-fund': answeredForOthers('fund'),
} as const;

/** The provider's operations that can be compared between payments. */
export type ComparableOperation = keyof typeof DONE_FOR_OTHERS;

function answeredForOthers(operation: string): string {
  return `select from provider_requests where account = $3 and payment_id <> $1 and operation = '${operation}'
    and answer = 'as_asked' and begun_at > pairs.earlier and answered_at < pairs.later`;
}

/**
 * Notes that a request for a payment was forbidden. Returns whether the reason is the payment itself: its last three
 * requests of this operation were forbidden, and in both intervals between them the provider did the same for others.
 */
export async function noteForbidden<Operation extends string>(
  database: Queryable,
  { account, paymentId }: { account: string; paymentId: string },
  // An operation that the provider does not have could never be compared: it does not compile.
  operation: ComparableOperation extends Operation ? Operation : never,
): Promise<boolean> {
  await database.query('insert into forbidden_answers (payment_id, operation) values ($1, $2)', [paymentId, operation]);
  if (!isComparable(operation)) return false;
  const { rows } = await database.query<{ between: number }>(
    `with latest as (
       select answered_at from forbidden_answers where payment_id = $1 and operation = $2
       order by answered_at desc limit 3
     ), pairs as (
       select lag(answered_at) over (order by answered_at) as earlier, answered_at as later from latest
     )
     select count(*)::int as between from pairs where earlier is not null and exists (${DONE_FOR_OTHERS[operation]})`,
    [paymentId, operation, account],
  );
  // guard: forbidden-between-others
  return rows[0]?.between === 2;
}

function isComparable(operation: string): operation is ComparableOperation {
  return Object.hasOwn(DONE_FOR_OTHERS, operation);
}

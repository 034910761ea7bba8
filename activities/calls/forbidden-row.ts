import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { Queryable } from '../../store/database/database.ts';
import { noteForbidden } from '../../store/payments/forbidden-answers.ts';
import type { ProviderReply } from './call-provider.ts';
import { FORBIDDEN } from './failure-meaning.ts';

/**
 * A 403 is first assumed to be about the credentials, which people correct. If it repeats for one payment while the
 * provider serves others in between, it is returned as a refusal of that payment.
 */
export async function refusalIfRowForbidden<T>(
  database: Queryable,
  payment: { account: string; paymentId: string },
  reply: ProviderReply<T> | ProviderFailure,
): Promise<ProviderReply<T> | ProviderFailure> {
  if (!(reply instanceof ProviderFailure) || reply.kind !== 'unauthenticated' || reply.httpStatus !== FORBIDDEN)
    return reply;
  if (!(await noteForbidden(database, payment, reply.operation))) return reply;
  return new ProviderFailure({
    operation: reply.operation,
    kind: 'refused',
    reason: 'the provider forbids it for this payment, but not for others',
    httpStatus: reply.httpStatus,
    providerCode: reply.providerCode,
    providerMessage: reply.providerMessage,
  });
}

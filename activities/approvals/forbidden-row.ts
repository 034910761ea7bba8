import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { Queryable } from '../../store/database/database.ts';
import { noteForbidden } from '../../store/payments/forbidden-answers.ts';
import { FORBIDDEN, type Sent } from '../payments/call-provider.ts';

/**
 * A 403 is first taken to be about the credentials, which people put right. Where it comes again and again for one payment
 * while the provider does the same for others in between, it is a refusal of that payment: nothing happened, and the
 * provider said no.
 */
export async function asForbiddenRow<T>(
  database: Queryable,
  payment: { account: string; paymentId: string },
  sent: Sent<T> | ProviderFailure,
): Promise<Sent<T> | ProviderFailure> {
  if (!(sent instanceof ProviderFailure) || sent.kind !== 'unauthenticated' || sent.httpStatus !== FORBIDDEN)
    return sent;
  if (!(await noteForbidden(database, payment, sent.operation))) return sent;
  return new ProviderFailure({
    operation: sent.operation,
    kind: 'refused',
    reason: 'the provider forbids it for this payment, and does it for others',
    httpStatus: sent.httpStatus,
    providerCode: sent.providerCode,
    providerMessage: sent.providerMessage,
  });
}

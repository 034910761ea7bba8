import { activityInfo } from '@temporalio/activity';
import { ProviderFailure } from '../provider/failure.ts';
import type { Queryable } from '../store/database.ts';
import { othersAreServed } from '../store/payment-requests.ts';
import { FORBIDDEN, FORBIDDEN_TRIES, type Sent } from './call-provider.ts';

/** Within which the provider has served others with the same credentials. */
const SERVED_WITHIN_MS = 300_000;

/**
 * A 403 is first taken to be about the credentials, which people put right. Where it comes again and again for one payment
 * while others are served, it is a refusal of that payment: nothing happened, and the provider said no.
 */
export async function asForbiddenRow<T>(
  database: Queryable,
  { account, paymentId }: { account: string; paymentId: string },
  sent: Sent<T> | ProviderFailure,
): Promise<Sent<T> | ProviderFailure> {
  if (!(sent instanceof ProviderFailure) || sent.kind !== 'unauthenticated' || sent.httpStatus !== FORBIDDEN)
    return sent;
  if (
    activityInfo().attempt < FORBIDDEN_TRIES ||
    !(await othersAreServed(database, { account, paymentId }, SERVED_WITHIN_MS))
  ) {
    return sent;
  }
  return new ProviderFailure({
    operation: sent.operation,
    kind: 'refused',
    reason: 'the provider forbids it for this payment, and serves others',
    httpStatus: sent.httpStatus,
    providerCode: sent.providerCode,
    providerMessage: sent.providerMessage,
  });
}

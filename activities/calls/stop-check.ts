import type { ProviderFailure } from '../../provider/calls/failure.ts';
import { isStopped } from '../../store/approvals/stops.ts';
import type { Queryable } from '../../store/database/database.ts';

/** A stop is active: nothing of the run is sent. */
class PaymentsStopped extends Error {
  override readonly name = 'PaymentsStopped';
}

/**
 * A check to run just before a request of a payment is sent, since a stop may have been made while it waited for its lease.
 * If the database cannot be read, the request is not sent either.
 */
export function unlessStopped(
  database: Queryable,
  { account, runId }: { account: string; runId: string },
): () => Promise<void> {
  return async () => {
    if (await isStopped(database, account, runId)) throw new PaymentsStopped('a stop is active');
  };
}

export function wasStopped(failure: ProviderFailure): boolean {
  return failure.cause instanceof PaymentsStopped;
}

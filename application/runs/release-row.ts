import { Refused, releaseRowAs } from '../../store/approvals/authority.ts';
import { inTransaction } from '../../store/database/database.ts';
import { readSimilarPayments } from '../../store/runs/duplicates.ts';
import type { RowPlace } from '../application-api.ts';
import type { ReviewingDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { existingRow } from './existing-row.ts';
import { asApplicationError } from '../audit/record-refusal.ts';
import type { ReleaseRequest, ReleasedRow } from './row-detail.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { notifyRun } from './notify-runs.ts';

/**
 * Lets a suspected duplicate be paid with its run, which is proposed again and needs all its approvals. It counts for the
 * similar rows that were seen. @throws ApplicationError `not_allowed` for the run's maker and whoever decides on no run;
 * `conflict` when others have come since, the row is not suspected, or its run waits for no decision.
 */
export async function releaseRow(
  dependencies: ReviewingDependencies,
  user: SignedIn,
  at: RowPlace,
  { similarHash, reason }: ReleaseRequest,
): Promise<ReleasedRow> {
  const { database } = dependencies;
  const { paymentId } = await existingRow(dependencies, user, at);
  const released = await inTransaction(database, async (transaction) => {
    const { payments, hash } = await readSimilarPayments(transaction, { ...at, paymentId }, { lock: true });
    const similar = payments.map((payment) => payment.paymentId);
    // What the record refuses it writes down: that must not be undone with the transaction.
    const outcome = await releaseRowAs(transaction, user.proof, { paymentId, similar, reason }).catch(asRefused);
    if (!(outcome instanceof Refused) && hash !== similarHash) throw new ApplicationError('conflict', OTHERS_SINCE);
    return outcome;
  });
  if (released instanceof Refused) return asApplicationError(Promise.reject(released));
  await notifyRun(dependencies, at.runId, 'contentChanged');
  return { row: await existingRow(dependencies, user, at), approvals: released.approvals };
}

function asRefused(error: unknown): Refused {
  if (error instanceof Refused) return error;
  throw error;
}

const OTHERS_SINCE = 'not released: it is similar to other rows than those that were seen; look at the row again';

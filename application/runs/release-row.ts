import { Refused } from '../../store/database/call-as-user.ts';
import { releaseRowAs } from '../../store/approvals/run-decisions.ts';
import { inTransaction } from '../../store/database/database.ts';
import { readSimilarPayments } from '../../store/runs/duplicates.ts';
import type { RowKey } from '../../api/runs/row.ts';
import type { ReviewingDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { existingRow } from './find-row.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { ReleaseRequest, ReleasedRow } from '../../api/runs/release.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { notifyRun } from './notify-runs.ts';

/**
 * Lets a suspected duplicate be paid with its run, which is proposed again and needs all its approvals. It applies to the
 * similar rows that were seen. @throws ApplicationError `not_allowed` for the run's maker and for users who do not decide on runs;
 * `conflict` when other similar rows exist by now, the row is not suspected, or its run waits for no decision.
 */
export async function releaseRow(
  dependencies: ReviewingDependencies,
  user: SignedIn,
  key: RowKey,
  { similarHash, reason }: ReleaseRequest,
): Promise<ReleasedRow> {
  const { database } = dependencies;
  const { paymentId } = await existingRow(dependencies, user, key);
  const released = await inTransaction(database, async (transaction) => {
    const { payments, hash } = await readSimilarPayments(transaction, { ...key, paymentId }, { lock: true });
    const similar = payments.map((payment) => payment.paymentId);
    // The database records what it refuses: that must not be rolled back.
    const outcome = await releaseRowAs(transaction, user.tokenHash, { paymentId, similar, reason }).catch(asRefused);
    // guard: released-as-seen
    if (!(outcome instanceof Refused) && hash !== similarHash) throw new ApplicationError('conflict', OTHERS_SINCE);
    return outcome;
  });
  if (released instanceof Refused) {
    return asApplicationError(Promise.reject(released));
  }
  await notifyRun(dependencies, key.runId, 'contentChanged');
  return { row: await existingRow(dependencies, user, key), approvals: released.approvals };
}

function asRefused(error: unknown): Refused {
  if (error instanceof Refused) return error;
  throw error;
}

const OTHERS_SINCE = 'not released: it is similar to other rows than those that were seen; look at the row again';

import type { ReleaseRequest, ReleasedRows, SuspectQuery, SuspectedRows } from '../../api/runs/release.ts';
import { searchedRow } from '../../domain/runs/row-search.ts';
import { releaseRowsAs } from '../../store/runs/row-releases.ts';
import { nameKeys } from '../../store/runs/row-search-keys.ts';
import { readSuspects, type SuspectFilter } from '../../store/runs/similar-payments.ts';
import type { ReviewingDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import { payeesOf } from '../data-keys.ts';
import { iso } from '../iso-time.ts';
import { mayUse, type SignedIn } from '../users/signed-in.ts';
import { notifyRun } from './notify-runs.ts';

interface OfRun {
  runId: string;
}

/** Suspected duplicates of a run, and what they may pay a second time. Runs of accounts that the user may not use are counted only. */
export async function findSuspects(
  dependencies: ReviewingDependencies,
  user: SignedIn,
  { runId }: OfRun,
  query: SuspectQuery,
): Promise<SuspectedRows> {
  const { runs, ...found } = await readSuspects(dependencies.database, runId, await filterOf(dependencies, query));
  return {
    ...found,
    runs: runs
      // guard: repeated-within-accounts
      .filter(({ account }) => mayUse(user, account))
      .map(({ runId: ofRun, fileName, submittedAt, rowCount, paidCount, paidAt }) => ({
        ...{ runId: ofRun, fileName, rowCount, paidCount },
        submittedAt: submittedAt.toISOString(),
        paidAt: iso(paidAt),
      })),
  };
}

/**
 * Lets suspected duplicates be paid with their run, which is proposed again and needs all its approvals. It applies to the rows, and to
 * what they are like, that were seen. @throws ApplicationError `not_allowed` for the run's maker and for users who do not decide on runs;
 * `conflict` when there are others by now, or the run waits for no decision.
 */
export async function releaseRows(
  dependencies: ReviewingDependencies,
  user: SignedIn,
  { runId }: OfRun,
  { rows, hash, reason }: ReleaseRequest,
): Promise<ReleasedRows> {
  const filter = await filterOf(dependencies, rows);
  const { rowCount, approvals } = await asApplicationError(
    releaseRowsAs(dependencies.database, user.tokenHash, { runId, filter, hash, reason }),
  );
  await notifyRun(dependencies, runId, 'contentChanged');
  return { rowCount, approvals };
}

async function filterOf(dependencies: ReviewingDependencies, query: SuspectQuery): Promise<SuspectFilter> {
  const { rowRef, q, currency, code } = query;
  const search = q === null ? null : searchedRow(q);
  return {
    ...{ rowRef, currency, code },
    search:
      search === null
        ? null
        : {
            ...search,
            nameKeys: nameKeys((await payeesOf(dependencies)).hash, search.name),
            rowRef: search.reference,
          },
  };
}

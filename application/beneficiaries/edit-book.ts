import type { FileProblems } from '../../api/payment-file/row-problem.ts';
import type { AccountConfirmation } from '../../domain/beneficiaries/beneficiary-book.ts';
import { type BookLine, checkBookRow } from '../../domain/payment-file/check-book-row.ts';
import { addProblems, noProblems } from '../../domain/payment-file/row-problem.ts';
import * as stored from '../../store/beneficiaries/beneficiary-accounts.ts';
import { listStaleProposals } from '../../store/runs/run-proposals.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { asApplicationError } from '../as-application-error.ts';
import { payeesOf } from '../data-keys.ts';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import { openTable } from '../payment-file/open-payment-file.ts';
import { readRows } from '../payment-file/read-rows.ts';
import { accountOf } from '../runs/account-of-submission.ts';
import { notifyRun } from '../runs/notify-runs.ts';
import type { SignedIn } from '../users/signed-in.ts';

const MAX_LINES = 5_000;

export type AddedToBook = { kind: 'added'; added: number; known: number } | ({ kind: 'refused' } & FileProblems);

/** Adds what a CSV with our columns says to the book, or nothing of it where a line has a problem. */
export async function addBeneficiaries(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  given: { account: string | null; source: 'by_hand' | 'import'; csv: string },
): Promise<AddedToBook> {
  const account = await accountOf(dependencies, user, given.account);
  const lines: BookLine[] = [];
  const problems = noProblems();
  try {
    const opened = await openTable({ file: Buffer.from(given.csv), profile: null, rowNumbers: null });
    for await (const rows of readRows(opened)) {
      const checked = rows.map(checkBookRow);
      for (const row of checked) addProblems(problems, row.problems);
      lines.push(...checked.flatMap(({ line }) => line ?? []));
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    addProblems(problems, [error.fileProblem]);
  }
  if (problems.count > 0) return { kind: 'refused', problems: problems.listed, problemCount: problems.count };
  if (lines.length > MAX_LINES) {
    throw new ApplicationError('invalid_input', `at most ${MAX_LINES} lines are added at once: split the file`);
  }
  const { database } = dependencies;
  const added = stored.addBeneficiaryLinesAs(database, await payeesOf(dependencies), user.tokenHash, {
    ...{ account, source: given.source, lines },
  });
  return { kind: 'added', ...(await asApplicationError(added)) };
}

/** Confirms accounts as they were seen, and releases the rows that they held. */
export async function confirmBeneficiaries(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  given: { account: string | null; accounts: readonly { id: string; hash: string }[] } & AccountConfirmation,
): Promise<{ confirmed: number; released: number }> {
  const account = await accountOf(dependencies, user, given.account);
  const seen = { account, lines: given.accounts };
  const { called, note } = given;
  const payees = await payeesOf(dependencies);
  const confirmed = await asApplicationError(
    stored.confirmBeneficiaryLinesAs(dependencies.database, payees, user.tokenHash, seen, { called, note }),
  );
  // Those that are not reached now are within a minute.
  const changed = confirmed.released === 0 ? [] : await listStaleProposals(dependencies.database);
  for (const runId of changed) await notifyRun(dependencies, runId, 'contentChanged');
  return confirmed;
}

export async function endBeneficiaries(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  given: { account: string | null; ids: readonly string[]; reason: string | null },
): Promise<{ ended: number }> {
  const account = await accountOf(dependencies, user, given.account);
  return asApplicationError(stored.endBeneficiaryLinesAs(dependencies.database, user.tokenHash, { ...given, account }));
}

/** Erases lines of the book that the retention rules keep no longer. Returns how many. */
export function eraseUnusedBeneficiaries({ database }: Pick<ApplicationDependencies, 'database'>): Promise<number> {
  return stored.eraseUnusedBeneficiaries(database);
}

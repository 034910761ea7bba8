import type { FileProblems } from '../../api/payment-file/row-problem.ts';
import type { AccountConfirmation } from '../../domain/beneficiaries/beneficiary-book.ts';
import * as stored from '../../store/beneficiaries/beneficiary-accounts.ts';
import { listStaleProposals } from '../../store/runs/run-proposals.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import { payeesOf } from '../data-keys.ts';
import { readBookInThread } from '../payment-file/check-in-thread.ts';
import { accountOf } from '../runs/account-of-submission.ts';
import { notifyRun } from '../runs/notify-runs.ts';
import { SHEET_LIMITS } from '../sheets/sheet.ts';
import type { BookFile } from './book-file.ts';
import type { SignedIn } from '../users/signed-in.ts';

export type AddedToBook = { kind: 'added'; added: number; known: number } | ({ kind: 'refused' } & FileProblems);

export interface AccountsToAdd extends BookFile {
  account: string | null;
  source: 'by_hand' | 'import';
}

/** Adds what a sheet says to the book, or nothing of it where a line has a problem. */
export async function addBeneficiaries(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { account: given, source, ...file }: AccountsToAdd,
): Promise<AddedToBook> {
  const account = await accountOf(dependencies, user, given);
  const read = await readBookInThread({ ...file, limits: SHEET_LIMITS });
  if ('fileProblem' in read) {
    return { kind: 'refused', sheetNames: read.sheetNames, problems: [read.fileProblem], problemCount: 1 };
  }
  if (read.kind === 'refused') return read;
  const { lines } = read;
  const { database } = dependencies;
  const added = stored.addBeneficiaryLinesAs(database, await payeesOf(dependencies), user.tokenHash, {
    ...{ account, source, lines },
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

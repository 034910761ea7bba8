import type { FileProblems } from '../../api/payment-file/row-problem.ts';
import type { SheetReadingProposal, WantedReading } from '../../api/payment-file/reading.ts';
import type { SheetUse } from '../../domain/import-profiles/sheet-use.ts';
import type { Profile } from '../../domain/import-profiles/profile.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { accountOf } from '../runs/account-of-submission.ts';
import { SHEET_LIMITS } from '../sheets/sheet.ts';
import { proposeInThread } from './check-in-thread.ts';
import type { FileContent } from './file-content.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { knownProfiles } from './known-profiles.ts';

export interface SheetToRead {
  /** Whose known profiles may read it. Null: as for a submission, and those of none where that would have to name it. */
  account: string | null;
  file: FileContent;
  profile: Profile | null;
  reading: WantedReading;
  use: SheetUse;
}

export type SheetReadingOutcome =
  | { kind: 'proposed'; proposal: SheetReadingProposal }
  | ({ kind: 'refused' } & FileProblems);

/** How a sheet would be read. Nothing of it is stored. */
export async function proposeSheetReading(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { account, file, profile, reading, use }: SheetToRead,
): Promise<SheetReadingOutcome> {
  const whose = await accountOf(dependencies, user, account).catch((error: unknown) => {
    // The file is shown before it is decided which account pays it.
    if (account === null && error instanceof ApplicationError && error.code === 'invalid_input') return null;
    throw error;
  });
  const known = whose === null || use === 'beneficiaries' ? [] : await knownProfiles(dependencies, whose, profile);
  const answer = await proposeInThread({ file, profile, known, wanted: reading, use, limits: SHEET_LIMITS });
  if (!('fileProblem' in answer)) return { kind: 'proposed', proposal: answer };
  return { kind: 'refused', sheetNames: answer.sheetNames, problems: [answer.fileProblem], problemCount: 1 };
}

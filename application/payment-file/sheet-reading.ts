import type { FileProblems } from '../../api/payment-file/row-problem.ts';
import type { SheetReadingProposal, WantedReading } from '../../api/payment-file/reading.ts';
import type { SheetUse } from '../../domain/import-profiles/sheet-use.ts';
import type { Profile } from '../../domain/import-profiles/profile.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { accountOf } from '../runs/account-of-submission.ts';
import { SHEET_LIMITS } from '../sheets/sheet.ts';
import { proposeInThread } from './check-in-thread.ts';
import { columnsNeededFor, type Destination } from '../../domain/payment-file/corridor-template.ts';
import type { PaymentColumn } from '../../domain/payment-file/csv-columns.ts';
import { knownReferenceData } from './known-reference-data.ts';
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

/** What the provider requires of its rows. None where that cannot be read now: the check of the file says it. */
async function neededColumns(
  dependencies: ApplicationDependencies,
  account: string,
  destinations: readonly Destination[],
): Promise<PaymentColumn[]> {
  const corridors = destinations.map(({ corridor }) => corridor);
  const reference =
    corridors.length === 0 ? null : await knownReferenceData(dependencies, account, corridors).catch(() => null);
  return reference === null ? [] : destinations.flatMap((each) => columnsNeededFor(each, reference));
}

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
  const known = whose === null || use === 'beneficiaries' ? [] : await knownProfiles(dependencies, whose, null);
  const answer = await proposeInThread({ file, profile, known, wanted: reading, use, limits: SHEET_LIMITS });
  if (!('fileProblem' in answer)) {
    const { proposal, destinations } = answer;
    const needed = whose === null ? [] : await neededColumns(dependencies, whose, destinations);
    const missing = needed.filter((column) => proposal.profile.columns[column] === undefined);
    return {
      kind: 'proposed',
      proposal: { ...proposal, missingColumns: [...new Set([...proposal.missingColumns, ...missing])] },
    };
  }
  return { kind: 'refused', sheetNames: answer.sheetNames, problems: [answer.fileProblem], problemCount: 1 };
}

import type { FileProblems } from '../../api/payment-file/row-problem.ts';
import type { SheetReadingProposal, WantedReading } from '../../api/payment-file/reading.ts';
import type { Profile } from '../../domain/import-profiles/profile.ts';
import { SHEET_LIMITS } from '../sheets/sheet.ts';
import { proposeInThread } from './check-in-thread.ts';
import type { FileContent } from './file-content.ts';

export interface SheetToRead {
  file: FileContent;
  profile: Profile | null;
  reading: WantedReading;
}

export type SheetReadingOutcome =
  | { kind: 'proposed'; proposal: SheetReadingProposal }
  | ({ kind: 'refused' } & FileProblems);

/** How a sheet would be read. Nothing of it is stored. */
export async function proposeSheetReading({ file, profile, reading }: SheetToRead): Promise<SheetReadingOutcome> {
  const answer = await proposeInThread({ file, profile, wanted: reading, limits: SHEET_LIMITS });
  if (!('fileProblem' in answer)) return { kind: 'proposed', proposal: answer };
  return { kind: 'refused', sheetNames: answer.sheetNames, problems: [answer.fileProblem], problemCount: 1 };
}

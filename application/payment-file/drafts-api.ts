import type {
  Draft,
  DraftChange,
  DraftList,
  DraftRows,
  DraftRowsQuery,
  DraftSubmission,
} from '../../api/payment-file/draft.ts';
import type { Submission, SubmitOutcome } from '../runs/submission.ts';
import type { SignedIn } from '../users/signed-in.ts';
import type { SubmittedFile } from './file-content.ts';

/** A supporting file for a draft, and the revision that was seen. */
export interface NewDraftFile {
  revision: number;
  file: SubmittedFile;
}

/** Payment files under correction, as the server calls them. A draft belongs to its maker. See `Application`. */
export interface DraftsApplication {
  /** Stores a file that can be read as a table, whatever is wrong with its cells. Throws `invalid_input` for another one. */
  addDraft(user: SignedIn, file: Omit<Submission, 'onInvalid' | 'idempotencyKey'>): Promise<Draft>;
  listDrafts(user: SignedIn): Promise<DraftList>;
  /** Null when there is no such draft of this user. */
  findDraft(user: SignedIn, draftId: string): Promise<Draft | null>;
  listDraftRows(user: SignedIn, draftId: string, query: DraftRowsQuery): Promise<DraftRows | null>;
  /** Changes cells and checks the file again. Throws `conflict` when it was changed since it was seen. */
  changeDraft(user: SignedIn, draftId: string, change: DraftChange): Promise<Draft>;
  /** Adds a supporting file, and checks again. Throws `invalid_input` for one that is there already, or is too much. */
  addDraftFile(user: SignedIn, draftId: string, added: NewDraftFile): Promise<Draft>;
  /** Submits the corrected file like any other; once it is accepted, the draft is deleted. */
  submitDraft(user: SignedIn, draftId: string, submission: DraftSubmission): Promise<SubmitOutcome>;
  deleteDraft(user: SignedIn, draftId: string): Promise<void>;
}

import {
  type Draft,
  type DraftChangeRequest,
  type DraftList,
  draftListSchema,
  type DraftRows,
  draftRowsSchema,
  draftSchema,
  type DraftSubmissionRequest,
} from '../../api/payment-file/draft.ts';
import { type AcceptedSubmission, acceptedSubmissionSchema } from '../../api/runs/submission.ts';
import { type JsonCaller, NO_CONTENT } from './json-caller.ts';
import { type FileToSubmit, type RunToSubmit, submissionForm } from './submission.ts';

/** Payment files of the user that are corrected before they are submitted. */
export interface DraftCalls {
  readonly drafts: {
    /** Takes a file of at most 10,000 rows, whatever is wrong with its cells. */
    add(file: Omit<RunToSubmit, 'onInvalid' | 'idempotencyKey'>): Promise<Draft>;
    list(): Promise<DraftList['drafts']>;
    get(draftId: string): Promise<Draft>;
    rows(
      draftId: string,
      query?: {
        from?: number;
        limit?: number;
        only?: 'all' | 'problems' | 'warnings' | 'removed';
        code?: string | null;
        column?: string | null;
      },
    ): Promise<DraftRows>;
    /** Throws `conflict` when the draft was changed since the revision that was seen. */
    change(draftId: string, change: DraftChangeRequest): Promise<Draft>;
    /** Adds a supporting file to the draft as it was seen; `conflict` as above. */
    addFile(draftId: string, revision: number, file: FileToSubmit): Promise<Draft>;
    /** Throws FileRefusedError while the file is wrong. Repeated after a lost answer, it is the same run. */
    submit(draftId: string, submission: DraftSubmissionRequest): Promise<AcceptedSubmission>;
    remove(draftId: string): Promise<void>;
  };
}

export function draftCalls(call: JsonCaller, timeoutMs: number): DraftCalls {
  const pathOf = (draftId: string): string => `/drafts/${encodeURIComponent(draftId)}`;
  return {
    drafts: {
      add: (file) => call(draftSchema, { method: 'POST', path: '/drafts', body: submissionForm(file) }, timeoutMs),
      list: async () => (await call(draftListSchema, { path: '/drafts' })).drafts,
      get: (draftId) => call(draftSchema, { path: pathOf(draftId) }),
      rows: (draftId, query = {}) => call(draftRowsSchema, { path: `${pathOf(draftId)}/rows`, query }),
      change: (draftId, body) => call(draftSchema, { method: 'PATCH', path: pathOf(draftId), body }, timeoutMs),
      addFile: (draftId, revision, { name, contentType, bytes }) => {
        const form = new FormData();
        form.set('revision', String(revision));
        form.set('file', new Blob([bytes], { type: contentType }), name);
        return call(draftSchema, { method: 'POST', path: `${pathOf(draftId)}/files`, body: form }, timeoutMs);
      },
      submit: (draftId, body) =>
        call(acceptedSubmissionSchema, { method: 'POST', path: `${pathOf(draftId)}/submit`, body }, timeoutMs),
      remove: async (draftId) => {
        await call(NO_CONTENT, { method: 'DELETE', path: pathOf(draftId) });
      },
    },
  };
}

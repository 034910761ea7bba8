import type { Draft } from '../../api/payment-file/draft.ts';
import type { AcceptedSubmission } from '../../api/runs/submission.ts';
import type { EndpointCalls } from './endpoint-calls.ts';

export interface FileToSubmit {
  /** The name by which rows mention it. */
  name: string;
  /** Of the form part; the stored type is derived from the content. */
  contentType: string;
  bytes: Uint8Array;
}

export interface RunToSubmit {
  fileName: string;
  csv: Uint8Array | string;
  files?: readonly FileToSubmit[];
  /** Columns that are the same for all rows. Values are text, amounts too. */
  defaults?: Readonly<Record<string, string>>;
  /** Other people's headers, each with our column. */
  mapping?: Readonly<Record<string, string>>;
  /** Null or absent: the only configured account, or the one called `default`. */
  account?: string | null;
  /** What becomes of a file with invalid rows. Default `reject`: all of it is refused. */
  onInvalid?: 'reject' | 'skip';
  /** The same submission with the same key, as after a lost answer, is the same run. 1 to 200 visible ASCII characters. */
  idempotencyKey?: string;
}

/** Endpoints that take a form with files, which is made here. */
export interface Uploads {
  /** Throws FileRefusedError with the problems of the file. Never repeat it blindly: look at `listRuns` first. */
  submitRun(run: RunToSubmit): Promise<AcceptedSubmission>;
  /** Takes a file of at most 10,000 rows, whatever is wrong with its cells. */
  addDraft(file: Omit<RunToSubmit, 'onInvalid' | 'idempotencyKey'>): Promise<Draft>;
  /** Adds a supporting file to the draft as it was seen: throws `conflict` when it was changed since. */
  addDraftFile(added: { draftId: string; revision: number; file: FileToSubmit }): Promise<Draft>;
}

export function uploads(calls: EndpointCalls): Uploads {
  return {
    submitRun: ({ idempotencyKey, ...run }) => {
      const headers: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      return calls.submitRun({ form: submissionForm(run) }, { headers });
    },
    addDraft: (file) => calls.addDraft({ form: submissionForm(file) }),
    addDraftFile: ({ draftId, revision, file: { name, contentType, bytes } }) => {
      const form = new FormData();
      form.set('revision', String(revision));
      form.set('file', new Blob([bytes], { type: contentType }), name);
      return calls.addDraftFile({ draftId, form });
    },
  };
}

/** The form that the server reads. */
export function submissionForm(run: RunToSubmit): FormData {
  const form = new FormData();
  form.set('onInvalid', run.onInvalid ?? 'reject');
  form.set('defaults', JSON.stringify(run.defaults ?? {}));
  form.set('mapping', JSON.stringify(run.mapping ?? {}));
  if (run.account !== undefined && run.account !== null) form.set('account', run.account);
  form.set('csv', new Blob([run.csv], { type: 'text/csv' }), run.fileName);
  for (const { name, contentType, bytes } of run.files ?? []) {
    form.append('files', new Blob([bytes], { type: contentType }), name);
  }
  return form;
}

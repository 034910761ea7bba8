import type {
  Draft,
  DraftChangeRequest,
  DraftList,
  DraftRows,
  DraftSubmissionRequest,
} from '../../api/payment-file/draft.ts';
import type { AcceptedSubmission } from '../../api/runs/submission.ts';
import { call, type ConsoleCall } from './call.ts';

/** Submits a payment file. With the same key, the same submission is the same run. */
export function submitRun(form: FormData, idempotencyKey: string): Promise<AcceptedSubmission> {
  return call<AcceptedSubmission>({
    method: 'POST',
    path: '/runs',
    body: form,
    headers: { 'idempotency-key': idempotencyKey },
  });
}

export function createDraft(form: FormData): Promise<Draft> {
  return call<Draft>({ method: 'POST', path: '/drafts', body: form });
}

export async function listDrafts(signal: AbortSignal): Promise<DraftList['drafts']> {
  return (await call<DraftList>({ path: '/drafts', signal })).drafts;
}

export function readDraft(draftId: string, signal: AbortSignal): Promise<Draft> {
  return call<Draft>({ path: `/drafts/${draftId}`, signal });
}

export function readDraftRows(
  draftId: string,
  query: NonNullable<ConsoleCall['query']>,
  signal?: AbortSignal,
): Promise<DraftRows> {
  return call<DraftRows>({ path: `/drafts/${draftId}/rows`, query, signal });
}

export function changeDraft(draftId: string, body: DraftChangeRequest): Promise<Draft> {
  return call<Draft>({ method: 'PATCH', path: `/drafts/${draftId}`, body });
}

export function addDraftFile(draftId: string, revision: number, file: File): Promise<Draft> {
  const form = new FormData();
  form.set('revision', String(revision));
  form.set('file', file, file.name);
  return call<Draft>({ method: 'POST', path: `/drafts/${draftId}/files`, body: form });
}

export function submitDraft(draftId: string, body: DraftSubmissionRequest): Promise<AcceptedSubmission> {
  return call<AcceptedSubmission>({ method: 'POST', path: `/drafts/${draftId}/submit`, body });
}

export function deleteDraft(draftId: string): Promise<unknown> {
  return call({ method: 'DELETE', path: `/drafts/${draftId}` });
}

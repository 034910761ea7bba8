import type { SubmissionFields } from '../../api/runs/submission.ts';

/** What is submitted: the payment file, and the documents that its rows name. */
export interface Chosen {
  csv: File;
  files: readonly File[];
  account: string | null;
}

/** The form of a submission; that of a draft has no `onInvalid`. */
export function formOf({ csv, files, account }: Chosen, onInvalid: SubmissionFields['onInvalid'] | null): FormData {
  const form = new FormData();
  if (onInvalid !== null) form.set('onInvalid', onInvalid);
  form.set('defaults', '{}');
  form.set('mapping', '{}');
  if (account !== null) form.set('account', account);
  form.set('csv', csv, csv.name);
  for (const file of files) form.append('files', file, file.name);
  return form;
}

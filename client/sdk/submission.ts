import type { ProfileInput, WantedReading } from '../../api/payment-file/reading.ts';

export interface FileToSubmit {
  /** The name by which rows mention it. */
  name: string;
  /** Of the form part; the stored type is derived from the content. */
  contentType: string;
  bytes: Uint8Array;
}

export interface RunToSubmit {
  fileName: string;
  /** CSV or XLSX. A large one is a `Blob` of a file, as `openAsBlob` of Node gives it: it is sent without being in memory. */
  file: Uint8Array | string | Blob;
  files?: readonly FileToSubmit[];
  /** How the file is read. Absent: its headers are ours, or it is read as an approved run with the same headers. */
  profile?: ProfileInput;
  /** Null or absent: the only configured account, or the one called `default`. */
  account?: string | null;
  /** What becomes of a file with invalid rows. Default `reject`: all of it is refused. */
  onInvalid?: 'reject' | 'skip';
  /** Nobody else decides on the run until `sendRun`. Default false. */
  checkOnly?: boolean;
  /** The same submission with the same key, as after a lost answer, is the same run. 1 to 200 visible ASCII characters. */
  idempotencyKey?: string;
}

/** The form that the server reads. */
export function submissionForm(run: RunToSubmit): FormData {
  const form = new FormData();
  form.set('onInvalid', run.onInvalid ?? 'reject');
  if (run.checkOnly === true) form.set('checkOnly', 'true');
  if (run.profile !== undefined) form.set('profile', JSON.stringify(run.profile));
  if (run.account !== undefined && run.account !== null) form.set('account', run.account);
  form.set('file', new Blob([run.file]), run.fileName);
  appendFiles(form, 'files', run.files);
  return form;
}

/** A sheet, and what was decided of how it is read. */
export interface SheetToRead {
  fileName: string;
  file: Uint8Array | string | Blob;
  /** Whose known profiles may read it, as for a submission. */
  account?: string | null;
  profile?: ProfileInput;
  reading?: WantedReading;
  /** What its rows are. */
  use?: 'payments' | 'beneficiaries';
}

export function sheetForm({ fileName, file, account = null, profile, reading, use }: SheetToRead): FormData {
  const form = new FormData();
  if (account !== null) form.set('account', account);
  if (profile !== undefined) form.set('profile', JSON.stringify(profile));
  if (reading !== undefined) form.set('reading', JSON.stringify(reading));
  if (use !== undefined) form.set('use', use);
  form.set('file', new Blob([file]), fileName);
  return form;
}

/** A sheet for the book of beneficiaries. */
export interface AccountsToAdd extends SheetToRead {
  source?: 'by_hand' | 'import';
}

export function bookForm({ source = 'import', ...sheet }: AccountsToAdd): FormData {
  const form = sheetForm(sheet);
  form.set('source', source);
  return form;
}

export function appendFiles(form: FormData, field: string, files: readonly FileToSubmit[] = []): void {
  for (const { name, contentType, bytes } of files) {
    form.append(field, new Blob([bytes], { type: contentType }), name);
  }
}

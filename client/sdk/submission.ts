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

/** The form that the server reads. */
export function submissionForm(run: RunToSubmit): FormData {
  const form = new FormData();
  form.set('onInvalid', run.onInvalid ?? 'reject');
  form.set('defaults', JSON.stringify(run.defaults ?? {}));
  form.set('mapping', JSON.stringify(run.mapping ?? {}));
  if (run.account !== undefined && run.account !== null) form.set('account', run.account);
  form.set('csv', new Blob([run.csv], { type: 'text/csv' }), run.fileName);
  appendFiles(form, 'files', run.files);
  return form;
}

export function appendFiles(form: FormData, field: string, files: readonly FileToSubmit[] = []): void {
  for (const { name, contentType, bytes } of files) {
    form.append(field, new Blob([bytes], { type: contentType }), name);
  }
}

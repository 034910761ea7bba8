import { appendFiles, type FileToSubmit } from './submission.ts';

export interface ApplicantsToSubmit {
  /** Its ending says how it is read: `.csv`, `.yaml`, `.yml` or `.json`. */
  fileName: string;
  content: Uint8Array | string;
  /** The documents, by the names that the file mentions. */
  documents?: readonly FileToSubmit[];
  /** Null or absent: the only configured account, or the one called `default`. */
  account?: string | null;
  /** Only checks the file. */
  dryRun?: boolean;
}

/** Only what is new: null removes an optional value, a document replaces the one of its name. */
export interface CaseSupplyToSubmit extends Pick<ApplicantsToSubmit, 'fileName' | 'content' | 'documents'> {
  /** The revision of the case that was seen. */
  revision: number;
}

/** The form of `submitApplicants`. */
export function applicantsForm(submission: ApplicantsToSubmit): FormData {
  const form = new FormData();
  form.set('dryRun', String(submission.dryRun ?? false));
  if (submission.account !== undefined && submission.account !== null) form.set('account', submission.account);
  return withFiles(form, submission);
}

/** The form of `supplyCase`. */
export function supplyForm(supply: CaseSupplyToSubmit): FormData {
  const form = new FormData();
  form.set('revision', String(supply.revision));
  return withFiles(form, supply);
}

function withFiles(form: FormData, { fileName, content, documents }: Omit<CaseSupplyToSubmit, 'revision'>): FormData {
  form.set('file', new Blob([content]), fileName);
  appendFiles(form, 'documents', documents);
  return form;
}

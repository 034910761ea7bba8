import { PayrunApiError } from '../../client/sdk/errors.ts';
import type { ProfileInput } from '../../api/payment-file/reading.ts';
import type { SubmissionFields } from '../../api/runs/submission.ts';

/** What is submitted: the payment file, and the documents that its rows name. */
export interface Chosen {
  file: File;
  /** How it is read. Null: its headers are ours. */
  profile: ProfileInput | null;
  files: readonly File[];
  account: string | null;
  /** The run is checked, and nobody else decides on it until it is sent. Absent: false. */
  checkOnly?: boolean;
}

/** The form of a submission; that of a draft has neither `onInvalid` nor `checkOnly`. */
export function formOf(
  { file, profile, files, account, checkOnly = false }: Chosen,
  onInvalid: SubmissionFields['onInvalid'] | null,
): FormData {
  const form = new FormData();
  if (checkOnly) form.set('checkOnly', 'true');
  if (onInvalid !== null) form.set('onInvalid', onInvalid);
  if (profile !== null) form.set('profile', JSON.stringify(profile));
  if (account !== null) form.set('account', account);
  form.set('file', file, file.name);
  for (const each of files) form.append('files', each, each.name);
  return form;
}

/**
 * The account that a run is paid from: the only one that the user may use, or the one that was chosen. Null: it is still to be
 * chosen. It is always sent, so that the server never takes another one for a field that was left empty.
 */
export function accountToPayFrom(usable: readonly string[], chosen: string | null): string | null {
  const [only] = usable;
  if (usable.length === 1 && only !== undefined) return only;
  return chosen !== null && usable.includes(chosen) ? chosen : null;
}

const keys = new WeakMap<File, Map<string, string>>();

/** One key for one file as it was chosen and is read: pressed twice, or after a lost answer, it is the same run. */
export function keyOf({ file, profile, checkOnly = false }: Pick<Chosen, 'file' | 'profile' | 'checkOnly'>): string {
  const ofFile = keys.get(file) ?? new Map<string, string>();
  const reading = JSON.stringify({ profile, checkOnly });
  const key = ofFile.get(reading) ?? crypto.randomUUID();
  keys.set(file, ofFile.set(reading, key));
  return key;
}

/** The run that was submitted under the same key. Null: the error says something else. */
export function runOfConflict(error: unknown): string | null {
  if (!(error instanceof PayrunApiError) || error.code !== 'conflict') return null;
  const runId = error.details?.['runId'];
  return typeof runId === 'string' ? runId : null;
}

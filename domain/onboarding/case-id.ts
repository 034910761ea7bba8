import { v5 as uuidV5 } from 'uuid';

/** Pinned for ever: another value would make other cases of the same applicants. */
const CASE_NAMESPACE = '6d1b0c2e-5a0f-5f0e-9d1c-0c6f9a2b7e41';

/** The same account and reference are the same case, so that a file submitted twice starts nobody twice. */
export function caseIdOf(account: string, applicantRef: string): string {
  return uuidV5(`${account}\n${applicantRef}`, CASE_NAMESPACE);
}

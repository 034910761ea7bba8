import type { CaseDetail } from '../../client/sdk/index.ts';
import type { Ledger } from './demo-script.ts';

/** The ledger of the sandbox, as far as it is about users. */
export interface UserLedger
  extends Pick<Ledger, 'requests' | 'rejectedByLimit' | 'mostInAnySecond' | 'credentialLeaks'> {
  /** Ids of users who share an e-mail, one list for each e-mail. */
  signedUpMoreThanOnce: string[][];
  /** How many users have each status. */
  users: Record<string, number>;
}

export interface PlayedOnboarding {
  cases: readonly CaseDetail[];
  /** The case that the provider asked for a document again. */
  resubmittedId: string;
  /** New cases when the same files were submitted once more. */
  newWhenRepeated: number;
  ledger: UserLedger;
}

/** What differs from the script; empty if nothing does. */
export function findOnboardingDeviations({
  cases,
  resubmittedId,
  newWhenRepeated,
  ledger,
}: PlayedOnboarding): string[] {
  const found: string[] = [];
  const expect = (isMet: boolean, deviation: string): void => {
    if (!isMet) found.push(deviation);
  };
  for (const { caseId, applicantRef, state, revision, documents } of cases) {
    expect(state === 'approved', `${applicantRef} is ${state}, not approved`);
    const expected = caseId === resubmittedId ? 2 : 1;
    expect(revision === expected, `${applicantRef} was supplied in ${revision} revisions, not ${expected}`);
    const isComplete = documents.every((document) => document.state === 'verified');
    expect(isComplete, `the provider does not have every document of ${applicantRef}`);
  }
  const users = Object.values(ledger.users).reduce((sum, count) => sum + count, 0);
  expect(users === cases.length, `the provider has ${users} users for ${cases.length} applicants`);
  expect(ledger.signedUpMoreThanOnce.length === 0, 'an applicant was signed up more than once');
  expect(newWhenRepeated === 0, 'a file that was submitted twice made new cases');
  expect(ledger.rejectedByLimit === 0, `${ledger.rejectedByLimit} requests were over the limit`);
  expect(ledger.credentialLeaks === 0, 'an upload carried credentials');
  return found;
}

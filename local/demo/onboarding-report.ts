import { textTable } from '../../client/cli/text-table.ts';
import type { CaseDetail } from '../../client/sdk/index.ts';
import type { UserLedger } from './onboarding-script.ts';

export function caseTable(cases: readonly CaseDetail[]): string {
  return textTable(
    [
      { title: 'Applicant' },
      { title: 'Type' },
      { title: 'State' },
      { title: 'Documents' },
      { title: 'Supplied' },
      { title: "Provider's user" },
    ],
    cases.map(({ applicantRef, accountType, state, documents, revision, userId }) => [
      applicantRef,
      accountType,
      state,
      `${documents.filter((document) => document.state === 'verified').length} of ${documents.length} verified`,
      revision === 1 ? 'once' : `${revision} times`,
      userId ?? '',
    ]),
  );
}

export function userLedgerTable(
  seconds: number,
  { users, signedUpMoreThanOnce, requests, ...ledger }: UserLedger,
): string {
  const of = (operation: string): string => String(requests.byOperation[operation] ?? 0);
  return textTable(
    [{ title: "The provider's own ledger says" }, { title: '', align: 'right' }],
    [
      ['users', String(Object.values(users).reduce((sum, count) => sum + count, 0))],
      ['people who were signed up more than once', String(signedUpMoreThanOnce.length)],
      ['sign-ups requested', of('user-signup-v2')],
      ['files uploaded, a document that was supplied again counts twice', of('document-upload-file')],
      ['screenings requested', of('user-screen')],
      ['requests in all', String(requests.total)],
      ['most requests in any second', String(ledger.mostInAnySecond)],
      ['requests rejected by the limit', String(ledger.rejectedByLimit)],
      ['seconds from the files to the last decision', seconds.toFixed(1)],
    ],
  );
}

const FIRST_COMMANDS = [
  'bin/payrun users examples',
  'bin/payrun onboard submit examples/onboarding/individual.yaml --files examples/onboarding/files --as olivia',
  'bin/payrun onboard watch --as olivia',
] as const;

export function onboardingNextSteps(isKept: boolean): string[] {
  return isKept
    ? [
        'bin/payrun users examples',
        'bin/payrun onboard list --as olivia',
        'bin/payrun onboard submit examples/onboarding/applicants.csv --files examples/onboarding/files --as olivia',
      ]
    : [
        'npm run demo -- --onboarding --keep    keeps everything running, to look around',
        'bin/payrun up                          is payrun itself; then, in another terminal:',
        ...FIRST_COMMANDS,
      ];
}

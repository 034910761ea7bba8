import { snakeCase } from '../../../domain/onboarding/applicant-fields.ts';
import { COMPANY_FIELDS, DETAIL_FIELDS } from '../../../domain/onboarding/applicant.ts';
import type { CaseState } from '../../../domain/onboarding/case-state.ts';
import { documentTypeOfSlot } from '../../../domain/onboarding/choices.ts';
import type { LedgerReport } from '../../../sandbox/control/ledger-report.ts';
import type { UserLine } from '../../../sandbox/control/user-controls.ts';
import type { Finding } from '../outcome.ts';
import { type Given, type ScenarioApplicant, sha256Of } from './applicants.ts';
import type { CaseWorkflow, RecordedCase } from './recorded-cases.ts';
import type { SignUpRequests } from './sign-up-requests.ts';

/** The cases of a scenario as the provider, Postgres, Temporal and the proxy before the provider show them. */
export interface OnboardingViews {
  applicants: readonly ScenarioApplicant[];
  users: readonly UserLine[];
  /** Ids of users that were signed up before the scenario. */
  elsewhere: ReadonlySet<string>;
  cases: readonly RecordedCase[];
  /** By id of the case. */
  workflows: ReadonlyMap<string, CaseWorkflow>;
  signUps: SignUpRequests;
  ledger: LedgerReport;
  /** The sandbox keeps the name of a company. */
  keepsCompanyName: boolean;
  limitPerSecond: number;
}

type Say = (kind: Finding['kind'], what: string) => void;

/** Every contradiction between the views; empty when they agree. */
export function compareOnboarding(views: OnboardingViews): Finding[] {
  const findings: Finding[] = [];
  const sayOf =
    (subject: string): Say =>
    (kind, what) =>
      findings.push({ kind, what: `${subject}: ${what}` });
  for (const applicant of views.applicants) compareApplicant(views, applicant, sayOf(applicant.applicantRef));
  compareUsers(views, sayOf('the provider'));
  compareLedger(views, sayOf('the ledger'));
  return findings;
}

function compareApplicant(views: OnboardingViews, applicant: ScenarioApplicant, say: Say): void {
  const users = views.users.filter(({ emailSha256 }) => emailSha256 === applicant.emailSha256);
  const cases = views.cases.filter(({ applicantRef }) => applicantRef === applicant.applicantRef);
  const { sent, effective } = views.signUps.of(applicant.emailSha256);
  const wasThere = users.some(({ userId }) => views.elsewhere.has(userId));
  if (users.length > 1) say('signedUpTwice', `the provider has ${users.length} users of this mail address`);
  if (effective > 1) say('signedUpTwice', `${effective} sign-ups were sent that may have had an effect`);
  if (wasThere && sent > 0) say('signedUpTwice', `${sent} sign-ups were sent of a user who exists already`);
  const [recorded] = cases;
  if (recorded === undefined) {
    say('lost', 'there is no case');
    return;
  }
  if (cases.length > 1) say('signedUpTwice', `there are ${cases.length} cases`);
  if (sent > recorded.signUps) say('disagreement', `${sent} sign-ups were sent, the database has ${recorded.signUps}`);
  if (recorded.effectiveSignUps > 1) say('signedUpTwice', `the database has ${recorded.effectiveSignUps} sign-ups`);
  compareWorkflow(views, recorded, say);
  compareState(views, { applicant, recorded, user: users[0] }, say);
}

/** The workflow has ended when the case has, and not before. */
function compareWorkflow({ workflows }: OnboardingViews, { caseId, state, hasEnded }: RecordedCase, say: Say): void {
  const workflow = workflows.get(caseId) ?? { status: 'NOT_FOUND', state: null };
  if (!hasEnded) {
    say('lost', `the case is still ${state}`);
    if (workflow.status !== 'RUNNING') say('lost', `its workflow is ${workflow.status}, and the case is ${state}`);
  } else if (workflow.status !== 'COMPLETED' || workflow.state !== state) {
    say('disagreement', `the case is ${state}, its workflow ${workflow.status} ${String(workflow.state)}`);
  }
}

interface OneCase {
  applicant: ScenarioApplicant;
  recorded: RecordedCase;
  /** The provider's user of the mail address. */
  user: UserLine | undefined;
}

/** The provider's status of a user whose case ended so. */
const DECIDED: Partial<Record<CaseState, string>> = { approved: 'approved', rejected: 'rejected' };

function compareState(views: OnboardingViews, one: OneCase, say: Say): void {
  const { recorded, user, applicant } = one;
  const { state, userId } = recorded;
  const has = user === undefined ? 'no such user' : `the user ${user.userId} (${user.status})`;
  if (userId !== null && userId !== user?.userId) say('lost', `the case has the user ${userId}, the provider ${has}`);
  const isOurs = user !== undefined && !views.elsewhere.has(user.userId);
  if (userId === null && isOurs) say('lost', `the case is ${state} without a user, the provider has ${has}`);
  // Of other requests it no longer matters once the case has moved on.
  if (userId !== null && recorded.openSignUps > 0) say('disagreement', 'its sign-up has no outcome');
  if (recorded.openManualOutcomes > 0)
    say('disagreement', `${recorded.openManualOutcomes} proposals were never closed`);
  const isOther = applicant.plan.way === 'other_person';
  if (isOther && state === 'refused') return;
  // People may withdraw it before payrun has compared the person.
  const isWithdrawnBefore = state === 'withdrawn' && applicant.plan.withdrawn !== null && userId === null;
  if (isOther && !isWithdrawnBefore) say('disagreement', `somebody else's user was taken over: it is ${state}`);
  if ((state === 'refused' || state === 'never_created') && user !== undefined && userId !== null) {
    say('lost', `the case is ${state}, and has ${has}`);
  }
  const decided = DECIDED[state];
  if (decided === undefined) {
    compareVerified(one, say);
    return;
  }
  if (user?.status !== decided || recorded.providerStatus !== decided) {
    say('disagreement', `the case is ${state} (${String(recorded.providerStatus)}), the provider has ${has}`);
  }
  const given = applicant.given.get(recorded.revision);
  if (given === undefined) {
    say('disagreement', `nobody gave revision ${recorded.revision}`);
    return;
  }
  if (user === undefined) return;
  compareDocuments(one, given, say);
  compareValues(views, user, given, say);
}

/** What payrun calls verified is at the provider, byte for byte, also of a case that was not decided. */
function compareVerified({ recorded, user }: OneCase, say: Say): void {
  for (const { slot, documentId, sha256, isVerified } of recorded.documents) {
    const theirs = user?.documents.find((document) => document.documentId === documentId);
    if (isVerified && theirs?.sha256 !== sha256)
      say('disagreement', `${slot} is verified, and differs at the provider`);
  }
}

/** Exactly the files that were given last, each under the name by which payrun finds it again. */
function compareDocuments({ recorded, user }: OneCase, given: Given, say: Say): void {
  const unknown = new Set(user?.documents.map(({ documentId }) => documentId));
  for (const [slot, { sha256, revision, bytes }] of given.documents) {
    const ours = recorded.documents.find((document) => document.slot === slot);
    if (ours?.isVerified !== true || ours.sha256 !== sha256 || ours.revision !== revision) {
      say('disagreement', `${slot}: the database has revision ${String(ours?.revision)}, not verified or another file`);
    }
    const name = `${recorded.caseId}-${slot}-${revision}`;
    const theirs = user?.documents.find(({ documentId }) => documentId === ours?.documentId);
    unknown.delete(theirs?.documentId ?? '');
    const isSame =
      theirs?.sha256 === sha256 &&
      theirs.sizeBytes === bytes.length &&
      theirs.documentType === documentTypeOfSlot(slot) &&
      theirs.documentName === name;
    if (!isSame) say('disagreement', `${slot}: the provider has another file, type or name than was given`);
  }
  if (unknown.size > 0) say('disagreement', `the provider has ${unknown.size} further documents`);
}

function compareValues(views: OnboardingViews, user: UserLine, { values }: Given, say: Say): void {
  const differing = (
    fields: readonly string[],
    theirs: Readonly<Record<string, string>>,
    keyOf: (field: string) => string,
  ): string[] =>
    fields.filter((field) => {
      const given = values[keyOf(field)];
      return theirs[field] !== (given === undefined ? undefined : sha256Of(providerForm(given)));
    });
  const details = differing(DETAIL_FIELDS, user.details, snakeCase);
  if (details.length > 0) say('disagreement', `details differ at the provider: ${details.join(', ')}`);
  if (user.company === null) return;
  const fields = [...(views.keepsCompanyName ? ['companyName'] : []), ...COMPANY_FIELDS];
  const company = differing(fields, user.company, (field) =>
    snakeCase(field.startsWith('company') ? field : `company_${field}`),
  );
  if (company.length > 0) say('disagreement', `the company differs at the provider: ${company.join(', ')}`);
}

/** Days are sent as DD-MM-YYYY. */
function providerForm(value: string): string {
  return value.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3-$2-$1');
}

/** Every user of the provider belongs to one case, and every sign-up to an applicant. */
function compareUsers({ users, elsewhere, applicants, cases, signUps }: OnboardingViews, say: Say): void {
  const known = new Set(applicants.map(({ emailSha256 }) => emailSha256));
  for (const { userId, status, emailSha256 } of users) {
    const owners = cases.filter((recorded) => recorded.userId === userId).length;
    if (owners !== 1 && !elsewhere.has(userId)) say('lost', `the user ${userId} (${status}) has ${owners} cases`);
    if (!known.has(emailSha256)) say('disagreement', `the user ${userId} is no applicant of the scenario`);
  }
  const strangers = signUps.mails().filter((mail) => !known.has(mail)).length;
  if (strangers > 0) say('disagreement', `${strangers} mail addresses were signed up that no applicant has`);
  if (cases.length !== applicants.length) say('lost', `${applicants.length} applicants have ${cases.length} cases`);
}

function compareLedger({ ledger, signUps, elsewhere, limitPerSecond }: OnboardingViews, say: Say): void {
  const requested = ledger.requests.byOperation['user-signup-v2'] ?? 0;
  // Otherwise the proxy has missed one, and the counts of sign-ups prove nothing.
  if (requested !== signUps.total() + elsewhere.size) {
    say('disagreement', `${requested} sign-ups reached it, the proxy has seen ${signUps.total()}`);
  }
  if (ledger.rejectedByLimit > 0) say('disagreement', `${ledger.rejectedByLimit} requests were over the limit`);
  if (ledger.mostInAnySecond > limitPerSecond) say('disagreement', `${ledger.mostInAnySecond} requests in a second`);
  if (ledger.credentialLeaks > 0) say('disagreement', `${ledger.credentialLeaks} uploads carried a credential`);
}

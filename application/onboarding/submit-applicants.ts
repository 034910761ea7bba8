import type { ApplicantProblems } from '../../api/onboarding/applicant-problem.ts';
import { readLocalDay } from '../../store/approvals/local-days.ts';
import { type Applicant, type ApplicantDocument, requestsOfApplicant } from '../../domain/onboarding/applicant.ts';
import type { ApplicantProblem } from '../../domain/onboarding/applicant-problem.ts';
import { caseIdOf } from '../../domain/onboarding/case-id.ts';
import { FILE_KIND_BYTES } from '../../domain/payment-file/supporting-file-kind.ts';
import { shownValue } from '../../domain/payment-file/row-problem.ts';
import {
  type ApplicantWarning,
  identificationWarnings,
  referenceWarnings,
} from '../../domain/onboarding/applicant-warnings.ts';
import type { Queryable } from '../../store/database/database.ts';
import { listCasesOfFiles } from '../../store/onboarding/case-revisions.ts';
import { secondsToSend } from '../../domain/runs/finishing-time.ts';
import { readApplicant } from '../../store/onboarding/case-content.ts';
import { addCasesAs, type NewCase, type NewCaseFile, supplyCaseAs } from '../../store/onboarding/case-decisions.ts';
import { isScreeningShownLate } from '../../store/onboarding/case-requests.ts';
import { findCaseView, listKnownMails, listKnownRefs } from '../../store/onboarding/case-views.ts';
import { readSendingState } from '../../store/payments/request-days.ts';
import type { ApplicantFileFormat, SubmittedApplicants, SuppliedCase } from '../../api/onboarding/submission.ts';
import { ApplicationError, orNotFound } from '../application-error.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { FileContent, SubmittedFile } from '../payment-file/file-content.ts';
import { bytesOf, firstBytesOf, type HashOf, hashesOf, sizeOf } from '../payment-file/file-content.ts';
import { accountOf } from '../runs/account-of-submission.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { findHolds } from './case-views.ts';
import {
  type ApplicantFile,
  checkApplicants,
  checkRevision,
  type GivenAddress,
  listed,
  type RefusedApplicants,
} from './check-applicants.ts';
import { differsFromCase } from './compare-known.ts';
import { knownCountries } from './known-countries.ts';
import { notifyCase, notifyCasePoller } from './notify-cases.ts';
import { configuredKeys } from '../data-keys.ts';
import { caseCipher, openedMailIndex } from './personal-data-keys.ts';

interface SubmittedApplicantFile {
  fileName: string;
  content: FileContent;
  format: ApplicantFileFormat;
  /** The documents that it names. */
  files: readonly SubmittedFile[];
}

export interface ApplicantSubmission extends SubmittedApplicantFile {
  /** Null: the only account that the user is limited to, or the first configured one for a user without a limit. */
  account: string | null;
  dryRun: boolean;
}

export interface CaseSupply extends SubmittedApplicantFile {
  /** That the user has seen. */
  revision: number;
}

/** Problems are the first 1,000 in the order of the file; the count is of all. */
export type ApplicantOutcome = ({ kind: 'accepted' } & SubmittedApplicants) | ({ kind: 'refused' } & ApplicantProblems);

export type SupplyOutcome = ({ kind: 'accepted' } & SuppliedCase) | ({ kind: 'refused' } & ApplicantProblems);

/** Checks a file by every rule; nothing is stored of a refused one. Cases that the account has already are left as they are. */
export async function submitApplicants(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  submission: ApplicantSubmission,
): Promise<ApplicantOutcome> {
  const { database } = dependencies;
  const keys = configuredKeys(dependencies);
  const account = await accountOf(dependencies, user, submission.account);
  const checked = await checkApplicants(
    await inputOf(submission),
    await contextOf(dependencies, account, submission.files),
  );
  const known = await listKnownRefs(
    database,
    account,
    checked.addresses.map(({ applicantRef }) => applicantRef),
  );
  const hmacOf = await openedMailIndex(dependencies);
  const newAddresses = checked.addresses.filter(({ applicantRef }) => !known.has(applicantRef));
  const repeated = await repeatedMails(dependencies, account, submission.fileName, newAddresses, hmacOf);
  if (checked.kind === 'refused') return refusedWith(submission.fileName, checked, repeated);
  if (repeated.length > 0) return { kind: 'refused', ...listed(submission.fileName, repeated) };
  const { applicants, contentTypes } = checked;
  const isNew = new Set(applicants.filter(({ applicantRef }) => !known.has(applicantRef)));
  const hashOf = hashesOf(submission.files);
  const warnings = await warningsOf(database, account, [...isNew], hashOf);
  if (!submission.dryRun) {
    const given: NewCase[] = [];
    for (const applicant of isNew) {
      const files = await filesOf(applicant.documents, { files: submission.files, hashOf, contentTypes });
      const caseId = caseIdOf(account, applicant.applicantRef);
      given.push({ caseId, emailHmac: hmacOf(applicant.email), applicant, files });
    }
    const added = await asApplicationError(addCasesAs(database, user.tokenHash, keys, { account, cases: given }));
    // Somebody else may have submitted the same applicant at the same moment.
    for (const { caseId, applicant } of given) if (!added.has(caseId)) isNew.delete(applicant);
    await notifyCasePoller(dependencies, account);
  }
  const cases: SubmittedApplicants['cases'] = [];
  for (const applicant of applicants) {
    const { applicantRef } = applicant;
    const isAdded = isNew.has(applicant);
    const differs = isAdded ? null : await differsFromCase(dependencies, account, applicant, hashOf);
    const state = known.get(applicantRef) ?? 'draft';
    cases.push({ caseId: caseIdOf(account, applicantRef), applicantRef, isNew: isAdded, state, differs });
  }
  const holds = await findHolds(dependencies, [account]);
  const duration = await durationOf(dependencies, account, [...isNew]);
  return { kind: 'accepted', cases, newCount: isNew.size, warnings, ...duration, holds };
}

/** Before anything is stored, so that cases are compared with others. */
async function warningsOf(
  database: Queryable,
  account: string,
  applicants: readonly Applicant[],
  hashOf: HashOf,
): Promise<ApplicantWarning[]> {
  const hashes = new Map<string, string>();
  for (const { fileName } of applicants.flatMap(({ documents }) => documents)) {
    const hash = await hashOf(fileName);
    if (hash !== null) hashes.set(fileName, hash);
  }
  const known = await listCasesOfFiles(database, account, [...hashes.values()]);
  const documents = applicants.flatMap((applicant) =>
    // For a user who is taken over, the documents of an earlier case are given again.
    (applicant.providerUserId === null ? applicant.documents : []).flatMap(({ slot, fileName }): ApplicantWarning[] => {
      const other = known.get(hashes.get(fileName) ?? '');
      if (other === undefined) return [];
      const message = `the file of ${slot} is also in the case ${other}`;
      return [{ applicantRef: applicant.applicantRef, code: 'document_in_other_case', message }];
    }),
  );
  return [...referenceWarnings(applicants), ...identificationWarnings(applicants), ...documents];
}

/** What is wrong with the file itself, and with mail addresses that are known: one round of corrections is enough. */
function refusedWith(
  fileName: string,
  { problems, problemCount }: RefusedApplicants,
  repeated: readonly ApplicantProblem[],
): ApplicantOutcome {
  const all = listed(fileName, [...problems, ...repeated]);
  return { kind: 'refused', problems: all.problems, problemCount: problemCount + repeated.length };
}

/** Applicants whose mail address another case of the account has. Found before anything is stored. */
async function repeatedMails(
  { database }: ApplicationDependencies,
  account: string,
  file: string,
  addresses: readonly GivenAddress[],
  hmacOf: (address: string) => Buffer,
): Promise<ApplicantProblem[]> {
  const hmacs = new Map(addresses.map((address) => [address, hmacOf(address.email)]));
  const known = await listKnownMails(database, account, [...hmacs.values()]);
  return addresses.flatMap((address): ApplicantProblem[] => {
    const other = known.get(hmacs.get(address)?.toString('hex') ?? '');
    // An existing user may be taken over by another case, once the first one has ended.
    // guard: mail-signed-up-once
    if (other === undefined || (!other.isOpen && address.takesOver)) return [];
    return [
      {
        code: 'email_known',
        file,
        line: address.line,
        applicantRef: shownValue(address.applicantRef),
        field: 'email',
        value: shownValue(address.email),
        problem: `the case ${other.ref} has this mail address already`,
        fix: other.isOpen
          ? 'leave the applicant out, or look at that case'
          : 'nobody is signed up twice: take the user over, with the id that the case shows as provider_user_id',
      },
    ];
  });
}

/** New values and files for a case that waits for them. */
export async function supplyCase(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
  supply: CaseSupply,
): Promise<SupplyOutcome> {
  const { database } = dependencies;
  const shown = orNotFound(await findCaseView(database, caseId), 'there is no such case');
  const cipher = await caseCipher(dependencies, caseId);
  const current = cipher === null ? null : await readApplicant(database, cipher, caseId);
  if (cipher === null || current === null) throw new ApplicationError('conflict', 'the data of the case is erased');
  const context = await contextOf(dependencies, shown.account, supply.files);
  const recorded = { current, isCompanyFixed: shown.state === 'resubmission' };
  const checked = await checkRevision(await inputOf(supply), recorded, context);
  if (checked.kind === 'refused') {
    const { problems, problemCount } = checked;
    return { kind: 'refused', problems, problemCount };
  }
  const { applicant, newDocuments, contentTypes } = checked;
  const hashOf = hashesOf(supply.files);
  const files = await filesOf(newDocuments, { files: supply.files, hashOf, contentTypes });
  const supplied = { caseId, seenRevision: supply.revision, applicant, files };
  const revision = await asApplicationError(supplyCaseAs(database, user.tokenHash, cipher, supplied));
  await notifyCase(dependencies, { caseId, account: shown.account });
  return { kind: 'accepted', caseId, revision };
}

async function inputOf({ fileName, format, content }: Pick<ApplicantSubmission, 'fileName' | 'format' | 'content'>) {
  return { fileName, format, content: await bytesOf(content) };
}

async function contextOf(dependencies: ApplicationDependencies, account: string, files: readonly SubmittedFile[]) {
  const known = new Map<string, ApplicantFile>();
  for (const { name, bytes } of files) {
    known.set(name, { sizeBytes: sizeOf(bytes), firstBytes: await firstBytesOf(bytes, FILE_KIND_BYTES) });
  }
  return {
    files: known,
    countries: await knownCountries(dependencies, account),
    requirements: dependencies.settings.documentRequirements,
    today: await readLocalDay(dependencies.database, account, dependencies.now()),
  };
}

async function filesOf(
  documents: readonly ApplicantDocument[],
  given: { files: readonly SubmittedFile[]; hashOf: HashOf; contentTypes: ReadonlyMap<string, string> },
): Promise<NewCaseFile[]> {
  const { files, hashOf, contentTypes } = given;
  const named = new Map(files.map((file) => [file.name, file.bytes]));
  return Promise.all(
    documents.map(async ({ slot, documentType, fileName }) => {
      const content = named.get(fileName);
      const contentType = contentTypes.get(fileName);
      const sha256 = await hashOf(fileName);
      if (content === undefined || contentType === undefined || sha256 === null)
        throw new Error('a document was checked without its file');
      const sizeBytes = sizeOf(content);
      return { slot, documentType, contentType, fileName, sha256, sizeBytes, read: () => bytesOf(content) };
    }),
  );
}

async function durationOf(
  { database, accounts }: ApplicationDependencies,
  account: string,
  applicants: readonly Applicant[],
): Promise<Pick<SubmittedApplicants, 'requestCount' | 'secondsToFinish'>> {
  const isScreeningRead = await isScreeningShownLate(database, account);
  const requestCount = applicants.reduce((sum, one) => sum + requestsOfApplicant(one, isScreeningRead), 0);
  const limits = accounts.find(({ name }) => name === account);
  if (limits === undefined) throw new Error(`account ${account} is not configured`);
  const perDay = { perDay: limits.requestsPerDay, reservedPerDay: limits.requestsReservedPerDay };
  const today = await readSendingState(database, account);
  return {
    requestCount,
    secondsToFinish: secondsToSend(requestCount, { perSecond: limits.requestsPerSecond, ...perDay }, today),
  };
}

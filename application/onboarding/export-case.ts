import type { CaseExport } from '../../api/onboarding/case-detail.ts';
import { applicantValues } from '../../domain/onboarding/applicant-fields.ts';
import { noteCaseExportAs } from '../../store/onboarding/case-decisions.ts';
import { listFormerDocuments, listRevisions } from '../../store/onboarding/case-revisions.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError, orNotFound } from '../application-error.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { documentState, findCase } from './case-views.ts';
import { caseCipher } from './personal-data-keys.ts';

/**
 * Everything about a case, to be handed out, also what later values and files have replaced. The audit trail has who took it
 * before anything is read.
 */
export async function exportCase(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
): Promise<CaseExport> {
  const { database } = dependencies;
  await asApplicationError(noteCaseExportAs(database, user.tokenHash, caseId));
  const detail = orNotFound(await findCase(dependencies, caseId, { withValues: true }), 'there is no such case');
  const cipher = await caseCipher(dependencies, caseId);
  // Somebody has erased it meanwhile.
  if (cipher === null) throw new ApplicationError('conflict', 'the data of the case is erased');
  const revisions = await listRevisions(database, caseId);
  const former = await listFormerDocuments(database, caseId);
  return {
    ...detail,
    revisions: revisions.flatMap(({ revision, encrypted, suppliedAt }) => {
      if (encrypted === null) return [];
      const values = applicantValues(cipher.decryptApplicant(revision, encrypted));
      return [{ revision, suppliedAt: suppliedAt.toISOString(), values }];
    }),
    formerDocuments: former.map(({ encryptedName, isAnnounced, isUploaded, isVerified, ...document }) => ({
      ...document,
      fileName: encryptedName === null ? null : cipher.decryptFileName(document.slot, encryptedName),
      state: documentState({ isAnnounced, isUploaded, isVerified }),
    })),
  };
}

import type { Applicant } from '../../domain/onboarding/applicant.ts';
import { type CaseCipher, readApplicant, readCaseCipher } from '../../store/onboarding/case-content.ts';
import { type CaseRecord, readCase } from '../../store/onboarding/cases.ts';
import { configuredKeys } from '../data-keys.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export interface OpenedCase {
  record: CaseRecord;
  cipher: CaseCipher;
  applicant: Applicant;
}

/** A case with what was supplied last. Throws when its data is erased, or cannot be read. */
export async function openedCase(dependencies: ActivityDependencies, caseId: string): Promise<OpenedCase> {
  const { database } = dependencies;
  const record = await readCase(database, caseId);
  const cipher = await readCaseCipher(database, configuredKeys(dependencies), caseId);
  const applicant = cipher === null ? null : await readApplicant(database, cipher, caseId);
  if (cipher === null || applicant === null) throw new Error(`case ${caseId}: its data is erased`);
  return { record, cipher, applicant };
}

/** The provider's id of the case's user. Throws when it is not known. */
export function userIdOf({ caseId, userId }: CaseRecord): string {
  if (userId === null) throw new Error(`case ${caseId} has no user id`);
  return userId;
}

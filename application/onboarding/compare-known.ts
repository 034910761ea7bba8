import { isDeepStrictEqual } from 'node:util';
import type { Applicant } from '../../domain/onboarding/applicant.ts';
import { caseIdOf } from '../../domain/onboarding/case-id.ts';
import { readApplicant } from '../../store/onboarding/case-content.ts';
import { listDocuments } from '../../store/onboarding/case-documents.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import type { HashOf } from '../payment-file/file-content.ts';
import { caseCipher } from './personal-data-keys.ts';

/**
 * Whether an applicant in a file differs from what their case has by now: in a value, or in the content of a document. Null
 * when the case's data cannot be read, as after it was erased.
 */
export async function differsFromCase(
  dependencies: ApplicationDependencies,
  account: string,
  applicant: Applicant,
  hashOf: HashOf,
): Promise<boolean | null> {
  const caseId = caseIdOf(account, applicant.applicantRef);
  const current = await readable(currentOf(dependencies, caseId));
  if (current === null) return null;
  if (!isDeepStrictEqual(valuesOf(applicant), valuesOf(current))) return true;
  const stored = new Map(
    (await listDocuments(dependencies.database, caseId)).map(({ slot, sha256 }) => [slot, sha256] as const),
  );
  for (const { slot, fileName } of applicant.documents) {
    const hash = await hashOf(fileName);
    if (hash === null || hash !== stored.get(slot)) return true;
  }
  return false;
}

async function currentOf(dependencies: ApplicationDependencies, caseId: string): Promise<Applicant | null> {
  const cipher = await caseCipher(dependencies, caseId);
  return cipher === null ? null : readApplicant(dependencies.database, cipher, caseId);
}

/** A case whose key is not configured keeps nobody from submitting others. */
async function readable(work: Promise<Applicant | null>): Promise<Applicant | null> {
  return work.catch((error: unknown) => {
    if (error instanceof ApplicationError && error.code === 'unavailable') return null;
    throw error;
  });
}

/** As stored, which leaves out what is undefined; files are compared by content, whatever they are called. */
function valuesOf({ documents, ...values }: Applicant): unknown {
  const slots = documents.map(({ slot, documentType }) => ({ slot, documentType }));
  return JSON.parse(JSON.stringify({ ...values, slots: slots.sort((a, b) => (a.slot < b.slot ? -1 : 1)) }));
}

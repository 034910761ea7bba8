import { type CaseCipher, mailIndex, readCaseCipher } from '../../store/onboarding/case-content.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { configuredKeys, readable } from '../data-keys.ts';

/** Null: the data of the case is erased. @throws ApplicationError `unavailable` when its key is not configured */
export async function caseCipher(dependencies: ApplicationDependencies, caseId: string): Promise<CaseCipher | null> {
  return readable(readCaseCipher(dependencies.database, configuredKeys(dependencies), caseId));
}

/** HMACs of mail addresses. @throws ApplicationError `unavailable` when the key of their secret is not configured */
export async function openedMailIndex(dependencies: ApplicationDependencies): Promise<(address: string) => Buffer> {
  return readable(mailIndex(dependencies.database, configuredKeys(dependencies)));
}

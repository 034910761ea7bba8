import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import { type CaseCipher, mailIndex, readCaseCipher } from '../../store/onboarding/case-content.ts';
import { DataKeyMissing } from '../../store/personal-data/key-wrapping.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';

/** @throws ApplicationError `unavailable` when no key for personal data is configured */
export function configuredKeys({ dataKeys }: Pick<ApplicationDependencies, 'dataKeys'>): DataKeys {
  if (dataKeys !== null) return dataKeys;
  throw new ApplicationError(
    'unavailable',
    'onboarding needs a key for personal data: have PAYRUN_DATA_KEY set for servers and workers (payrun keys new)',
  );
}

/** Null: the data of the case is erased. @throws ApplicationError `unavailable` when its key is not configured */
export async function caseCipher(dependencies: ApplicationDependencies, caseId: string): Promise<CaseCipher | null> {
  return readable(readCaseCipher(dependencies.database, configuredKeys(dependencies), caseId));
}

/** HMACs of mail addresses. @throws ApplicationError `unavailable` when the key of their secret is not configured */
export async function openedMailIndex(dependencies: ApplicationDependencies): Promise<(address: string) => Buffer> {
  return readable(mailIndex(dependencies.database, configuredKeys(dependencies)));
}

async function readable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DataKeyMissing) throw new ApplicationError('unavailable', error.message, { cause: error });
    throw error;
  }
}

import type { DataKeys } from '../domain/personal-data/data-keys.ts';
import { openPayeeData, type PayeeData } from '../store/personal-data/payee-data.ts';
import { DataKeyMissing, RunKeyMissing, SecretMissing } from '../store/personal-data/key-wrapping.ts';
import type { ApplicationDependencies } from './application-dependencies.ts';
import { ApplicationError } from './application-error.ts';

/** @throws ApplicationError `unavailable` when no key for personal data is configured */
export function configuredKeys({ dataKeys }: Pick<ApplicationDependencies, 'dataKeys'>): DataKeys {
  if (dataKeys !== null) return dataKeys;
  throw new ApplicationError(
    'unavailable',
    'personal data needs a key: have PAYRUN_DATA_KEY set for servers and workers (payrun keys new)',
  );
}

/** What the installation has of those who are paid. @throws ApplicationError `unavailable` when its key is not configured */
export function payeesOf(dependencies: Pick<ApplicationDependencies, 'database' | 'dataKeys'>): Promise<PayeeData> {
  return readable(openPayeeData(dependencies.database, configuredKeys(dependencies)));
}

/** @throws ApplicationError `unavailable` when a data key is not configured, or keys were not restored */
export async function readable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DataKeyMissing || error instanceof RunKeyMissing || error instanceof SecretMissing) {
      throw new ApplicationError('unavailable', error.message, { cause: error });
    }
    throw error;
  }
}

import type { DataKeys } from '../domain/personal-data/data-keys.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** Throws where no key is configured: Temporal tries the activity again, until a worker has one. */
export function configuredKeys({ dataKeys }: Pick<ActivityDependencies, 'dataKeys'>): DataKeys {
  if (dataKeys === null) throw new Error('no key for personal data is configured: set PAYRUN_DATA_KEY for all workers');
  return dataKeys;
}

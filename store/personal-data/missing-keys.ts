import { type DataKeys, explainMissingKeys, missingKeys } from '../../domain/personal-data/data-keys.ts';
import type { Queryable } from '../database/database.ts';
import { countByKey } from './key-rotation.ts';

/**
 * At the start of a process: says which data keys are missing, in the log and to the person who starts payrun. It never
 * keeps the process from starting, since payments do not need these keys.
 */
export async function reportMissingKeys(
  database: Queryable,
  keys: DataKeys | null,
  { log, print }: { log: Record<'error' | 'warn', (message: string) => void>; print: (line: string) => void },
): Promise<void> {
  try {
    const missing = missingKeys(await countByKey(database), keys);
    if (missing.length === 0) return;
    const message = explainMissingKeys(missing);
    log.error(message);
    print(message);
  } catch {
    log.warn('it could not be checked whether all data keys are configured: payrun keys check');
  }
}

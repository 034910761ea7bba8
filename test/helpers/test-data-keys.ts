import { createHash } from 'node:crypto';
import type { DataKey, DataKeys } from '../../domain/personal-data/data-keys.ts';

/** A key of its own for each name. */
export function aDataKey(name: string): DataKey {
  const bytes = createHash('sha256').update(`data key ${name}`).digest();
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 16), bytes };
}

const current = aDataKey('tests');
export const TEST_DATA_KEYS: DataKeys = { current, all: [current] };
export const TEST_KEY_IDS = [current.id];

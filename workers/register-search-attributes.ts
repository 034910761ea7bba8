import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../domain/runs/search-attributes.ts';
import { ensureSearchAttributes, type SearchAttributeType } from '../local/embedded/search-attributes.ts';

const TYPE_NAMES = { KEYWORD: 'Keyword', INT: 'Int' } as const satisfies Record<string, SearchAttributeType>;

/** The search attributes as Temporal's operators know them. */
export function searchAttributeTypes(): Record<string, SearchAttributeType> {
  return Object.fromEntries(SEARCH_ATTRIBUTES.map(({ name, type }) => [name, TYPE_NAMES[type]]));
}

/**
 * Declares the search attributes to the namespace. Some clusters leave that to their operators: there the worker goes
 * on, and the first workflow start says what is missing.
 */
export async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
  warn: (message: string) => void,
): Promise<void> {
  try {
    await ensureSearchAttributes(connection, namespace, searchAttributeTypes());
  } catch {
    warn(
      `the search attributes could not be declared; an operator must add ${SEARCH_ATTRIBUTES.map(({ name }) => name).join(', ')}`,
    );
  }
}

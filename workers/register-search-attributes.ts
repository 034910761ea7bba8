import type { Connection } from '@temporalio/client';
import { ensureSearchAttributes, searchAttributeTypes } from '../config/temporal/search-attributes.ts';

/**
 * Adds payrun's search attributes to the namespace. On some clusters only operators may do that: the worker then
 * continues, and the first workflow start fails with an error that names the missing ones.
 */
export async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
  warn: (message: string) => void,
): Promise<void> {
  const types = searchAttributeTypes();
  try {
    await ensureSearchAttributes(connection, namespace, types);
  } catch {
    warn(`the search attributes could not be added; an operator must add ${Object.keys(types).join(', ')}`);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from '../../domain/runs/search-attributes.ts';

const TYPES = proto.temporal.api.enums.v1.IndexedValueType;
const POLL_MS = 100;
const USABLE_WITHIN_MS = 30_000;

/** A type of search attribute, as Temporal's command line names it. */
export type SearchAttributeType = 'Keyword' | 'Int';

const TYPE_NAMES = { KEYWORD: 'Keyword', INT: 'Int' } as const satisfies Record<string, SearchAttributeType>;

const TYPE_OF: Readonly<Record<SearchAttributeType, proto.temporal.api.enums.v1.IndexedValueType>> = {
  Keyword: TYPES.INDEXED_VALUE_TYPE_KEYWORD,
  Int: TYPES.INDEXED_VALUE_TYPE_INT,
};

/** The search attributes of payrun's workflows, each with its type. */
export function searchAttributeTypes(): Record<string, SearchAttributeType> {
  return Object.fromEntries(SEARCH_ATTRIBUTES.map(({ name, type }) => [name, TYPE_NAMES[type]]));
}

/**
 * Adds the attributes that the namespace does not have, and waits until they can be searched by. The dev server takes
 * its `--search-attribute` flags only when it creates the namespace, so attributes of a later version have to be added.
 * @throws Error when an attribute exists with another type, or the server refuses them or does not accept them within
 * 30 s
 */
export async function ensureSearchAttributes(
  connection: Connection,
  namespace: string,
  wanted: Readonly<Record<string, SearchAttributeType>>,
): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing: Record<string, proto.temporal.api.enums.v1.IndexedValueType> = {};
  for (const [name, type] of Object.entries(wanted)) {
    const found = customAttributes[name];
    if (found === undefined) missing[name] = TYPE_OF[type];
    else if (found !== TYPE_OF[type]) {
      throw new Error(`the search attribute ${name} of namespace ${namespace} is not of type ${type}: rename it`);
    }
  }
  if (Object.keys(missing).length === 0) return;
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: missing });
  for (const name of Object.keys(missing)) await waitUntilUsable(connection, namespace, name);
}

/** The server's caches include an attribute only some time after it was added. */
async function waitUntilUsable(connection: Connection, namespace: string, name: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    try {
      await connection.workflowService.countWorkflowExecutions({ namespace, query: `${name} IS NULL` });
      return;
    } catch (error) {
      if (waitedMs >= USABLE_WITHIN_MS) {
        throw new Error(`the search attribute ${name} cannot be used yet: start again`, { cause: error });
      }
      await sleep(POLL_MS);
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';

const TYPES = proto.temporal.api.enums.v1.IndexedValueType;
const POLL_MS = 100;
const USABLE_WITHIN_MS = 30_000;

export type SearchAttributeType = 'Text' | 'Keyword' | 'Int' | 'Double' | 'Bool' | 'Datetime' | 'KeywordList';

const TYPE_OF: Readonly<Record<SearchAttributeType, proto.temporal.api.enums.v1.IndexedValueType>> = {
  Text: TYPES.INDEXED_VALUE_TYPE_TEXT,
  Keyword: TYPES.INDEXED_VALUE_TYPE_KEYWORD,
  Int: TYPES.INDEXED_VALUE_TYPE_INT,
  Double: TYPES.INDEXED_VALUE_TYPE_DOUBLE,
  Bool: TYPES.INDEXED_VALUE_TYPE_BOOL,
  Datetime: TYPES.INDEXED_VALUE_TYPE_DATETIME,
  KeywordList: TYPES.INDEXED_VALUE_TYPE_KEYWORD_LIST,
};

/**
 * Registers those of `wanted` that the namespace does not have, and waits until they can be searched by. The dev server
 * takes its `--search-attribute` flags only when it creates the namespace, so later ones would silently be missing.
 * Errors: an attribute exists with another type; the server refuses or does not take them up within 30 s.
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
  for (const name of Object.keys(missing)) await becomesUsable(connection, namespace, name);
}

/** The server's own caches take an attribute up a moment after it was registered. */
async function becomesUsable(connection: Connection, namespace: string, name: string): Promise<void> {
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

import type { HistoryEntry } from '../../api/accounts/balance.ts';
import type { AuditEntrySummary } from '../../api/audit/audit.ts';
import type { InputOf } from '../../api/endpoint-call.ts';
import type { ENDPOINTS } from '../../api/endpoints.ts';
import type { EndpointCalls } from './endpoint-calls.ts';

/** Lists of any length: pages are fetched as their items are read. */
export interface PagedCalls {
  /** The history of the balances, the newest entry first. */
  eachHistoryEntry(
    filter?: Omit<InputOf<typeof ENDPOINTS.listBalanceHistory>, 'after' | 'limit'>,
  ): AsyncIterable<HistoryEntry>;
  /** What happened to a case, in order. */
  eachCaseAuditEntry(of: { caseId: string }): AsyncIterable<AuditEntrySummary>;
}

const limit = 500;

export function pagedCalls(calls: EndpointCalls): PagedCalls {
  return {
    eachHistoryEntry: (filter) =>
      eachItem(async (after: string | null) => {
        const page = await calls.listBalanceHistory({ ...filter, limit, after });
        return { items: page.entries, next: page.nextAfter };
      }),
    eachCaseAuditEntry: ({ caseId }) =>
      eachItem(async (after: number | null) => {
        const page = await calls.listCaseAudit({ caseId, limit, afterEntry: after ?? 0 });
        return { items: page.entries, next: page.nextAfterEntry };
      }),
  };
}

/** The cursor of the first page is null. */
async function* eachItem<Item, Cursor>(
  fetchPage: (after: Cursor | null) => Promise<{ items: readonly Item[]; next: Cursor | null }>,
): AsyncGenerator<Item> {
  let after: Cursor | null = null;
  do {
    const page: Awaited<ReturnType<typeof fetchPage>> = await fetchPage(after);
    yield* page.items;
    after = page.next;
  } while (after !== null);
}

import type { HistoryEntry } from '../../api/accounts/balance.ts';
import type { AuditEntrySummary, AuditPage } from '../../api/audit/audit.ts';
import type { InputOf } from '../../api/endpoint-call.ts';
import type { ENDPOINTS } from '../../api/endpoints.ts';
import type { PaymentState, RowSummary } from '../../api/runs/row.ts';
import type { EndpointCalls } from './endpoint-calls.ts';

type Filter<Id extends keyof typeof ENDPOINTS, Page extends string> = Omit<InputOf<(typeof ENDPOINTS)[Id]>, Page>;

/** Lists of any length: pages are fetched as their items are read. */
export interface PagedCalls {
  /** The history of the balances, the newest entry first. */
  eachHistoryEntry(filter?: Filter<'listBalanceHistory', 'after' | 'limit'>): AsyncIterable<HistoryEntry>;
  /** What happened to a run, in order. */
  eachAuditEntry(filter: Filter<'listAudit', 'afterEntry' | 'limit'>): AsyncIterable<AuditEntrySummary>;
  /** Entries that belong to no run; the oldest first unless `order` says otherwise. */
  eachGlobalAuditEntry(filter?: Filter<'listGlobalAudit', 'afterEntry' | 'limit'>): AsyncIterable<AuditEntrySummary>;
  /** All rows of a run in the order of the file, or those in one state. */
  eachRow(rows: { runId: string; state?: PaymentState | null }): AsyncIterable<RowSummary>;
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
    eachRow: (of) =>
      eachItem(async (afterLine: number | null) => {
        const page = await calls.listRows({ ...of, limit, afterLine: afterLine ?? 0 });
        return { items: page.rows, next: page.nextAfterLine };
      }),
    eachAuditEntry: (filter) => eachEntry((page) => calls.listAudit({ ...filter, ...page })),
    eachGlobalAuditEntry: (filter) => eachEntry((page) => calls.listGlobalAudit({ ...filter, ...page })),
    eachCaseAuditEntry: (of) => eachEntry((page) => calls.listCaseAudit({ ...of, ...page })),
  };
}

function eachEntry(
  fetchPage: (page: { limit: number; afterEntry: number }) => Promise<AuditPage>,
): AsyncIterable<AuditEntrySummary> {
  return eachItem(async (after: number | null) => {
    const page = await fetchPage({ limit, afterEntry: after ?? 0 });
    return { items: page.entries, next: page.nextAfterEntry };
  });
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

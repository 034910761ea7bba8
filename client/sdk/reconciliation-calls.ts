import {
  type AskedReconciliation,
  askedReconciliationSchema,
  type BookDay,
  bookDayListSchema,
  type DaySignature,
  type OpeningFigure,
  type ReconciliationProgress,
  reconciliationProgressSchema,
  type ReportFile,
  type SignedDay,
  signedDaySchema,
} from '../../api/reconciliation/book-day.ts';
import { breakListSchema, breakSchema, type BreakQuery, type BreakSummary } from '../../api/reconciliation/break.ts';
import { type JsonCaller, NO_CONTENT } from './json-caller.ts';

/** Days are UTC, YYYY-MM-DD, both included; null or absent: all. */
export interface DayFilter {
  /** The name of an account with the provider. */
  account?: string | null;
  from?: string | null;
  to?: string | null;
}

/** Of which account and days; `currency` for a statement. */
export interface ReportRequest {
  account: string;
  from: string;
  to?: string | null;
  currency?: string | null;
}

/** The provider's history compared with the record. */
export interface ReconciliationCalls {
  readonly reconciliation: {
    /** The latest days, in their order. */
    days(filter?: DayFilter): Promise<BookDay[]>;
    /** Begins it: days whose `reconciledAt` is later than `askedAt` show the result. */
    ask(request: DayFilter & { account: string }): Promise<AskedReconciliation>;
    /** Of what was asked for last. */
    progress(account: string): Promise<ReconciliationProgress>;
    /** Throws `conflict` when the books are not those with this content hash. */
    sign(signature: DaySignature): Promise<SignedDay>;
    /** Signs the balance that the history of a currency begins with. */
    signOpening(figure: OpeningFigure): Promise<void>;
    /** The oldest first; by default those that are not closed. */
    breaks(filter?: DayFilter & { state?: BreakQuery['state'] }): Promise<BreakSummary[]>;
    assign(breakId: string, login: string): Promise<BreakSummary>;
    explain(breakId: string, reason: string): Promise<BreakSummary>;
    /** By another person than who explained it. `explanationId`: of the explanation that was seen. */
    close(breakId: string, explanationId: string): Promise<BreakSummary>;
    reopen(breakId: string, reason?: string | null): Promise<BreakSummary>;
    /** One file of a report, piece by piece. A stream that breaks throws: the pieces so far are then not the whole file. */
    file(file: ReportFile, of: ReportRequest): AsyncIterable<string>;
  };
}

export function reconciliationCalls(
  call: JsonCaller,
  textAt: (path: string) => AsyncIterable<string>,
): ReconciliationCalls {
  const onBreak = (breakId: string, verb: string, body: object): Promise<BreakSummary> =>
    call(breakSchema, { method: 'POST', path: `/reconciliation/breaks/${encodeURIComponent(breakId)}/${verb}`, body });
  return {
    reconciliation: {
      days: async (filter = {}) =>
        (await call(bookDayListSchema, { path: '/reconciliation/days', query: { ...filter } })).days,
      ask: (body) => call(askedReconciliationSchema, { method: 'POST', path: '/reconciliation', body }),
      progress: (account) => call(reconciliationProgressSchema, { path: '/reconciliation', query: { account } }),
      sign: (body) => call(signedDaySchema, { method: 'POST', path: '/reconciliation/signature', body }),
      signOpening: async (body) => {
        await call(NO_CONTENT, { method: 'POST', path: '/reconciliation/opening', body });
      },
      breaks: async (filter = {}) =>
        (await call(breakListSchema, { path: '/reconciliation/breaks', query: { ...filter } })).breaks,
      assign: (breakId, login) => onBreak(breakId, 'assign', { login }),
      explain: (breakId, reason) => onBreak(breakId, 'explain', { reason }),
      close: (breakId, explanationId) => onBreak(breakId, 'close', { explanationId }),
      reopen: (breakId, reason = null) => onBreak(breakId, 'reopen', { reason }),
      file: (file, { account, from, to = null, currency = null }) => {
        const query = new URLSearchParams({ account, from });
        if (to !== null) query.set('to', to);
        if (currency !== null) query.set('currency', currency);
        return textAt(`/reconciliation/files/${file}?${query.toString()}`);
      },
    },
  };
}

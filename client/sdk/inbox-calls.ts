import type { RowMark } from '../../api/runs/review.ts';
import { type ActionableRow, actionableRowSchema } from '../../api/runs/row-detail.ts';
import { type PaymentState, rowPageSchema, type RowSort, type RowWindow } from '../../api/runs/row.ts';
import type { RunState } from '../../api/runs/run.ts';
import type { JsonCaller } from './json-caller.ts';

/** Which runs, in which order. */
export interface RunListPage {
  limit?: number;
  before?: string | null;
  state?: readonly RunState[];
  q?: string | null;
  /** `me`, or the id of a user. */
  by?: string | null;
  account?: string | null;
  sort?: 'submitted' | 'file' | 'rows' | 'state';
  order?: 'asc' | 'desc';
}

/** Which rows of a run, in which order, and from where. */
export interface RowWindowRequest {
  state?: PaymentState | null;
  /** A reference, a line, a part of the name, or an amount. */
  q?: string | null;
  currency?: string | null;
  mark?: RowMark | null;
  /** The id of a finding of the review: only its rows. */
  finding?: string | null;
  /** `if_known`: `marks` of the rows may be null in a very large run, and are there some seconds later. */
  marks?: 'wait' | 'if_known';
  /** `amount` needs a currency. */
  sort?: RowSort;
  order?: 'asc' | 'desc';
  /** Position of the first row, from 0. */
  from?: number;
  /** `next` of the window before. */
  after?: string | null;
  limit?: number;
  /** Whether to count all rows that fit. */
  count?: boolean;
}

/** The rows of a run. */
export interface InboxCalls {
  /** A window over the rows of a run. */
  rowWindow(runId: string, request?: RowWindowRequest): Promise<RowWindow>;
  /** The row on a line of the file, with its evidence and what the user may do with it. */
  getRowByLine(runId: string, line: number): Promise<ActionableRow>;
}

/** The review of a run with very many rows takes a while, and marks the rows. */
const REVIEW_TIMEOUT_MS = 300_000;

export function inboxCalls(call: JsonCaller): InboxCalls {
  return {
    rowWindow: (runId, { count = false, ...request } = {}) =>
      call(
        rowPageSchema,
        { path: `/runs/${encodeURIComponent(runId)}/rows`, query: { ...request, count: String(count) } },
        REVIEW_TIMEOUT_MS,
      ),
    getRowByLine: (runId, line) =>
      call(actionableRowSchema, { path: `/runs/${encodeURIComponent(runId)}/row/${line}` }, REVIEW_TIMEOUT_MS),
  };
}

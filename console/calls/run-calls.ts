import type { AuditPage } from '../../api/audit/audit.ts';
import type { ReleasedRow, ReleaseRequest } from '../../api/runs/release.ts';
import type { RunReview } from '../../api/runs/review.ts';
import type { ActionableRow } from '../../api/runs/row-detail.ts';
import type { RowWindow } from '../../api/runs/row.ts';
import type { RunDetail, RunPage } from '../../api/runs/run.ts';
import type { FileSummary } from '../../api/runs/supporting-file.ts';
import { call, type ConsoleCall } from './call.ts';

type Query = NonNullable<ConsoleCall['query']>;

export function listRuns(query: Query, signal: AbortSignal): Promise<RunPage> {
  return call<RunPage>({ path: '/runs', query, signal });
}

export function readRun(runId: string, signal: AbortSignal): Promise<RunDetail> {
  return call<RunDetail>({ path: `/runs/${runId}`, signal });
}

export function readReview(runId: string, signal: AbortSignal): Promise<RunReview> {
  return call<RunReview>({ path: `/runs/${runId}/review`, signal });
}

export function listRows(runId: string, query: Query, signal: AbortSignal): Promise<RowWindow> {
  return call<RowWindow>({ path: `/runs/${runId}/rows`, query, signal });
}

export function readRow(runId: string, line: string, signal: AbortSignal): Promise<ActionableRow> {
  return call<ActionableRow>({ path: `/runs/${runId}/row/${encodeURIComponent(line)}`, signal });
}

export async function listFiles(runId: string, signal: AbortSignal): Promise<FileSummary[]> {
  return (await call<{ files: FileSummary[] }>({ path: `/runs/${runId}/files`, signal })).files;
}

export function listRunAudit(runId: string, query: Query, signal: AbortSignal): Promise<AuditPage> {
  return call<AuditPage>({ path: `/runs/${runId}/audit`, query, signal });
}

export interface RowAt {
  runId: string;
  rowRef: string;
}

function rowPath({ runId, rowRef }: RowAt): string {
  return `/runs/${runId}/rows/${encodeURIComponent(rowRef)}`;
}

export function releaseRow(row: RowAt, body: ReleaseRequest): Promise<ReleasedRow> {
  return call<ReleasedRow>({ method: 'POST', path: `${rowPath(row)}/release`, body });
}

/** `''` proposes a resolution. */
export function resolveRow(row: RowAt, step: '' | '/confirm' | '/deny', body: unknown): Promise<unknown> {
  return call({ method: 'POST', path: `${rowPath(row)}/resolution${step}`, body });
}

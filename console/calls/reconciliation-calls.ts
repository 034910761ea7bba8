import type {
  AskedReconciliation,
  BookDay,
  DaySignature,
  OpeningFigure,
  ReconciliationProgress,
  ReportFile,
  SignedDay,
} from '../../api/reconciliation/book-day.ts';
import type { BreakSummary } from '../../api/reconciliation/break.ts';
import { addressOf, call, type ConsoleCall } from './call.ts';

type Query = NonNullable<ConsoleCall['query']>;

export async function listDays(query: Query, signal: AbortSignal): Promise<BookDay[]> {
  return (await call<{ days: BookDay[] }>({ path: '/reconciliation/days', query, signal })).days;
}

export async function listBreaks(query: Query, signal: AbortSignal): Promise<BreakSummary[]> {
  return (await call<{ breaks: BreakSummary[] }>({ path: '/reconciliation/breaks', query, signal })).breaks;
}

/** Null: from the first day that was not reconciled yet, up to yesterday. */
export function askForReconciliation(
  account: string,
  { from, to }: { from: string | null; to: string | null },
): Promise<AskedReconciliation> {
  return call<AskedReconciliation>({ method: 'POST', path: '/reconciliation', body: { account, from, to } });
}

export function readProgress(account: string, signal: AbortSignal): Promise<ReconciliationProgress> {
  return call<ReconciliationProgress>({ path: '/reconciliation', query: { account }, signal });
}

export function signDay(body: DaySignature): Promise<SignedDay> {
  return call<SignedDay>({ method: 'POST', path: '/reconciliation/signature', body });
}

/** `amount`: a decimal string, as somebody knows it who did not read it here. */
export function signOpening(body: OpeningFigure): Promise<unknown> {
  return call({ method: 'POST', path: '/reconciliation/opening', body });
}

export function reportAddress(file: ReportFile, query: Query): string {
  return addressOf({ path: `/reconciliation/files/${file}`, query });
}

export function assignBreak(breakId: string, login: string): Promise<BreakSummary> {
  return call<BreakSummary>({ method: 'POST', path: `/reconciliation/breaks/${breakId}/assign`, body: { login } });
}

export function actOnBreak(
  breakId: string,
  verb: 'explain' | 'close' | 'reopen',
  body: unknown,
): Promise<BreakSummary> {
  return call<BreakSummary>({ method: 'POST', path: `/reconciliation/breaks/${breakId}/${verb}`, body });
}

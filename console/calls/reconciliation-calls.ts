import type {
  AskedReconciliation,
  BookDay,
  DaySignature,
  ReconciliationProgress,
  SignedDay,
} from '../../api/reconciliation/book-day.ts';
import type { BreakSummary } from '../../api/reconciliation/break.ts';
import { call, type ConsoleCall } from './call.ts';

type Query = NonNullable<ConsoleCall['query']>;

export async function listDays(query: Query, signal: AbortSignal): Promise<BookDay[]> {
  return (await call<{ days: BookDay[] }>({ path: '/reconciliation/days', query, signal })).days;
}

export async function listBreaks(query: Query, signal: AbortSignal): Promise<BreakSummary[]> {
  return (await call<{ breaks: BreakSummary[] }>({ path: '/reconciliation/breaks', query, signal })).breaks;
}

export function askForReconciliation(account: string): Promise<AskedReconciliation> {
  return call<AskedReconciliation>({
    method: 'POST',
    path: '/reconciliation',
    body: { account, from: null, to: null },
  });
}

export function readProgress(account: string, signal: AbortSignal): Promise<ReconciliationProgress> {
  return call<ReconciliationProgress>({ path: '/reconciliation', query: { account }, signal });
}

export function signDay(body: DaySignature): Promise<SignedDay> {
  return call<SignedDay>({ method: 'POST', path: '/reconciliation/signature', body });
}

export function actOnBreak(
  breakId: string,
  verb: 'explain' | 'close' | 'reopen',
  body: unknown,
): Promise<BreakSummary> {
  return call<BreakSummary>({ method: 'POST', path: `/reconciliation/breaks/${breakId}/${verb}`, body });
}

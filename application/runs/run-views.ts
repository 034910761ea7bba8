import { requestsNeeded, secondsToSend } from '../../domain/runs/finishing-time.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { stageOfRun } from '../../domain/runs/run-state.ts';
import { readDayUse } from '../../store/payments/request-days.ts';
import { readRecentProgress } from '../../store/runs/run-counts.ts';
import { listRows as listStoredRows } from '../../store/runs/run-rows.ts';
import { listRuns as listStoredRuns, type RunRecord, readRun } from '../../store/runs/runs.ts';
import { listStops } from '../../store/approvals/stops.ts';
import type { RowSummary } from '../../api/runs/row.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import type { RowPage } from '../application-api.ts';
import type { ApplicationDependencies, ReviewingDependencies } from '../application-dependencies.ts';
import { iso } from '../iso-time.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { maskedRow, rowSummaryOf } from './row-summary.ts';
import { summaryOf as stopSummaryOf } from '../approvals/stop-payments.ts';

const RATE_WINDOW_SECONDS = 30;

export async function findRun(dependencies: ApplicationDependencies, runId: string): Promise<RunSummary | null> {
  const run = await readRun(dependencies.database, runId);
  return run === null ? null : summaryOf(dependencies, run);
}

export async function listRuns(
  dependencies: ApplicationDependencies,
  { accounts }: SignedIn,
  page: { limit: number; before: string | null },
): Promise<RunSummary[]> {
  const runs = await listStoredRuns(dependencies.database, accounts, page);
  return Promise.all(runs.map((run) => summaryOf(dependencies, run)));
}

async function summaryOf(dependencies: ApplicationDependencies, run: RunRecord): Promise<RunSummary> {
  const isRunning = run.state === 'running';
  const mayBeStopped = stageOfRun(run.state) === 'paying';
  return {
    runId: run.runId,
    account: run.account,
    fileName: run.fileName,
    state: run.state,
    stateReason: run.stateReason,
    rowCount: run.rowCount,
    rows: run.rows,
    proposal: run.proposal,
    submittedBy: run.submittedBy,
    submittedAt: run.submittedAt.toISOString(),
    decidedBy: run.decidedBy,
    decisionComment: run.decisionComment,
    decidedAt: iso(run.decidedAt),
    startedAt: iso(run.startedAt),
    finishedAt: iso(run.finishedAt),
    ratePerSecond: isRunning ? await rateOf(dependencies, run) : 0,
    secondsLeft: isRunning ? await secondsLeft(dependencies, run) : null,
    stops: mayBeStopped
      ? (await listStops(dependencies.database, { runId: run.runId, accounts: null })).map(stopSummaryOf)
      : [],
  };
}

async function rateOf({ database, now }: ApplicationDependencies, run: RunRecord): Promise<number> {
  const recent = await readRecentProgress(database, run.runId, RATE_WINDOW_SECONDS);
  const runningSeconds = run.startedAt === null ? 0 : (now() - run.startedAt.getTime()) / 1000;
  const seconds = Math.min(recent.seconds, Math.max(1, runningSeconds));
  return Math.round((recent.moved / seconds) * 100) / 100;
}

/** Seconds to send the requests that the rows still need. */
async function secondsLeft({ accounts, database }: ApplicationDependencies, run: RunRecord): Promise<number> {
  const count = (state: PaymentState): number => run.rows[state] ?? 0;
  const whole = requestsNeeded({ payments: count('ready'), newBeneficiaries: 0, files: 0 });
  const account = accounts.find(({ name }) => name === run.account);
  if (account === undefined || account.requestsPerSecond === 0) return 0;
  const limits = {
    perSecond: account.requestsPerSecond,
    perDay: account.requestsPerDay,
    reservedPerDay: account.requestsReservedPerDay,
  };
  const requests = whole + 2 * count('quoted') + count('created') + count('awaiting_funds');
  return secondsToSend(requests, limits, await readDayUse(database, run.account));
}

export async function listRows(
  { database, reviews }: ReviewingDependencies,
  runId: string,
  page: RowPage,
): Promise<RowSummary[]> {
  const rows = await listStoredRows(database, runId, page);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return [];
  const marks = await reviews.marksOf(runId, { first: first.rowNumber, last: last.rowNumber });
  const summaries = rows.map((row) => rowSummaryOf(row, marks.get(row.rowNumber) ?? []));
  return page.withInstructions === true ? summaries : summaries.map(maskedRow);
}

import { paymentRunWorkflowId } from '../../domain/identifiers.ts';
import { type DueLater, dueAfter } from '../../domain/runs/run-proposal.ts';
import { readLocalDay } from '../../store/approvals/local-days.ts';
import { requestsNeeded, secondsToSend } from '../../domain/runs/finishing-time.ts';
import { PAYMENT_STATE_TABLE, PENDING_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { decisionInWords, type RunFacts, runSentences } from '../../domain/runs/run-sentences.ts';
import { stageOfRun, WAITING_RUN_STATES } from '../../domain/runs/run-state.ts';
import { readReservedFor } from '../../store/accounts/ledger-views.ts';
import { readSendingState } from '../../store/payments/request-days.ts';
import { readRecentProgress } from '../../store/runs/run-counts.ts';
import { listRuns as listStoredRuns, type RunRecord, readRun } from '../../store/runs/runs.ts';
import type { StoredDecision } from '../../store/approvals/run-decisions.ts';
import { listStops } from '../../store/approvals/stops.ts';
import type { StopSummary } from '../../api/approvals/stop.ts';
import type { RunDecision } from '../../api/runs/run-decision.ts';
import type { RunDetail, RunListQuery, RunSummary } from '../../api/runs/run.ts';
import { type ActionDependencies, allowedActions } from '../approvals/allowed-actions.ts';
import { waiting } from '../approvals/decision-facts.ts';
import { runApproval } from '../approvals/run-approval.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { iso } from '../iso-time.ts';
import { accountsOf, type SignedIn } from '../users/signed-in.ts';
import { summaryOf as stopSummaryOf } from '../approvals/stop-payments.ts';
import { workflowUrl } from '../workflow-url.ts';

/** The newest runs first, unless another order is asked for. */
export type RunListPage = Pick<RunListQuery, 'limit' | 'before'> & Partial<RunListQuery>;

const RATE_PERIOD_SECONDS = 30;

export async function findRun(dependencies: ApplicationDependencies, runId: string): Promise<RunSummary | null> {
  const run = await readRun(dependencies.database, runId);
  return run === null ? null : summaryOf(dependencies, run);
}

/** The run, with what the user may do with it. */
export async function findRunFor(
  dependencies: ActionDependencies,
  user: SignedIn,
  runId: string,
): Promise<RunDetail | null> {
  const record = await readRun(dependencies.database, runId);
  if (record === null) return null;
  const run = await summaryOf(dependencies, record);
  const actions = await allowedActions(dependencies, user, { kind: 'run', id: runId });
  return {
    ...run,
    sentences: runSentences(factsOf(record, run.stops), await runApproval(dependencies, record)),
    ...(await waiting(dependencies, runId)),
    erasableFrom: iso(record.erasableFrom),
    erasedAt: iso(record.erasedAt),
    allowedActions: actions ?? [],
    workflowUrl: workflowUrl(dependencies, paymentRunWorkflowId(runId)),
  };
}

export async function listRuns(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  page: RunListPage,
): Promise<RunSummary[]> {
  const runs = await listStoredRuns(dependencies.database, accountsOf(user, page.account ?? null), {
    limit: page.limit,
    before: page.before,
    states: page.state ?? null,
    text: page.q ?? null,
    makerId: page.by === 'me' ? user.userId : (page.by ?? null),
    sort: page.sort ?? 'submitted',
    isAscending: page.order === 'asc',
  });
  return Promise.all(runs.map((run) => summaryOf(dependencies, run)));
}

async function summaryOf(dependencies: ApplicationDependencies, run: RunRecord): Promise<RunSummary> {
  const isRunning = run.state === 'running';
  const dueLater = isRunning ? await dueLaterOf(dependencies, run) : null;
  const stops = await stopsOf(dependencies, run);
  return {
    runId: run.runId,
    account: run.account,
    fileName: run.fileName,
    state: run.state,
    stateReason: run.stateReason,
    rowCount: run.rowCount,
    rows: run.rows,
    proposal: run.proposal,
    profile: run.profile,
    totals: run.proposal?.totals ?? [],
    approvals: run.approvals,
    submittedBy: run.submittedBy,
    submittedAt: run.submittedAt.toISOString(),
    decisions: decisionsOf(run.decisions),
    startedAt: iso(run.startedAt),
    finishedAt: iso(run.finishedAt),
    ratePerSecond: isRunning ? await rateOf(dependencies, run) : 0,
    secondsLeft: isRunning ? await secondsLeft(dependencies, run, dueLater?.rows ?? 0) : null,
    dueLater,
    reserved: stageOfRun(run.state) === 'paying' ? await readReservedFor(dependencies.database, run) : [],
    stops,
    sentences: runSentences(factsOf(run, stops)),
  };
}

/** Whoever decides on a run is shown that it will not be paid yet. */
async function stopsOf({ database }: ApplicationDependencies, { runId, state }: RunRecord): Promise<StopSummary[]> {
  if (!WAITING_RUN_STATES.includes(state) && stageOfRun(state) !== 'paying') return [];
  return (await listStops(database, { runId, accounts: null })).map(stopSummaryOf);
}

/** From which all that is said of a run is derived. */
export function factsOf(
  { state, startedAt, rows, proposal, decisions }: RunRecord,
  stops: RunFacts['stops'],
): RunFacts {
  return { state, isApproved: startedAt !== null, rows, payable: proposal?.payable ?? null, decisions, stops };
}

export function decisionsOf(decisions: readonly StoredDecision[]): RunDecision[] {
  return decisions.map((decision) => ({ ...decision, sentence: decisionInWords(decision) }));
}

async function rateOf({ database, now }: ApplicationDependencies, run: RunRecord): Promise<number> {
  const recent = await readRecentProgress(database, run.runId, RATE_PERIOD_SECONDS);
  const runningSeconds = run.startedAt === null ? 0 : (now() - run.startedAt.getTime()) / 1000;
  const seconds = Math.min(recent.seconds, Math.max(1, runningSeconds));
  return Math.round((recent.moved / seconds) * 100) / 100;
}

const BEGUN_PAYMENT_STATES = PENDING_PAYMENT_STATES.filter((state) => state !== 'ready');

/** As the proposal counts them: of those that were stopped meanwhile, none are more than wait. */
async function dueLaterOf({ database, now }: ApplicationDependencies, run: RunRecord): Promise<DueLater | null> {
  const { ready = 0 } = run.rows;
  if (ready === 0 || run.proposal === null || run.proposal.due.dates.every(({ isAtOnce }) => isAtOnce)) return null;
  const later = dueAfter(run.proposal.due, await readLocalDay(database, run.account, now()));
  return later === null ? null : { ...later, rows: Math.min(ready, later.rows) };
}

/** Seconds to send the requests that the rows still need which do not wait for a later day; null: there is none. */
async function secondsLeft(
  { accounts, database }: ApplicationDependencies,
  run: RunRecord,
  waiting: number,
): Promise<number | null> {
  const due = PENDING_PAYMENT_STATES.reduce((sum, state) => sum + (run.rows[state] ?? 0), 0) - waiting;
  if (waiting > 0 && due === 0) return null;
  const account = accounts.find(({ name }) => name === run.account);
  if (account === undefined || account.requestsPerSecond === 0) return 0;
  const limits = {
    perSecond: account.requestsPerSecond,
    perDay: account.requestsPerDay,
    reservedPerDay: account.requestsReservedPerDay,
  };
  const requests = BEGUN_PAYMENT_STATES.reduce(
    (sum, state) => sum + (run.rows[state] ?? 0) * PAYMENT_STATE_TABLE[state].progress.requestsLeft,
    requestsNeeded({ payments: (run.rows.ready ?? 0) - waiting, newBeneficiaries: 0, files: 0 }),
  );
  return secondsToSend(requests, limits, await readSendingState(database, run.account));
}

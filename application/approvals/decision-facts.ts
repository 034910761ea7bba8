import type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
import { addAmounts, percentOf } from '../../domain/money.ts';
import type { CurrencyTotal } from '../../domain/runs/run-proposal.ts';
import { ROW_MARKS, type RowMark } from '../../domain/runs/run-finding.ts';
import {
  readFileFacts,
  readLargestRows,
  readLastComparable,
  readDecisionPeriod,
} from '../../store/approvals/decision-facts.ts';
import { readRun } from '../../store/runs/runs.ts';
import { payeeOf } from '../../store/runs/row-content.ts';
import { payeesOf } from '../data-keys.ts';
import { iso } from '../iso-time.ts';
import type { Reviews } from '../runs/reviews.ts';
import { mayRead, type SignedIn } from '../users/signed-in.ts';
import { type ActionDependencies, allowedActions } from './allowed-actions.ts';
import { runApproval } from './run-approval.ts';

export interface DecidingDependencies extends ActionDependencies {
  reviews: Reviews;
}

const MAX_CURRENCIES = 10;
const LARGEST_ROWS = 10;
const LAST_ROW = 999_999_999;

/** Null: there is no such run. */
export async function decisionFacts(
  dependencies: DecidingDependencies,
  user: SignedIn,
  runId: string,
): Promise<DecisionFacts | null> {
  const { database } = dependencies;
  const run = await readRun(database, runId);
  const file = await readFileFacts(database, runId);
  if (run === null || file === null) return null;
  const totals = run.proposal?.totals ?? [];
  return {
    runId,
    contentHash: run.proposal?.contentHash ?? null,
    maker: run.submittedBy,
    submittedAt: run.submittedAt.toISOString(),
    fileName: run.fileName,
    ...file,
    rowCount: run.rowCount,
    payable: run.proposal?.payable ?? 0,
    totals,
    lastComparable: await lastComparable(dependencies, runId),
    marks: mayRead(user, 'read_instructions') ? await marksOf(dependencies, runId) : null,
    duplicateSuspects: run.rows.duplicate_suspect ?? 0,
    held: run.rows.held ?? 0,
    largest: await largestRows(dependencies, runId, totals, mayRead(user, 'read_instructions')),
    ...(await runApproval(dependencies, run)),
    ...(await waiting(dependencies, runId)),
    allowedActions: (await allowedActions(dependencies, user, { kind: 'run', id: runId })) ?? [],
  };
}

/** Since when a run waits for a decision, and when it expires. */
export async function waiting(
  { database }: Pick<ActionDependencies, 'database'>,
  runId: string,
): Promise<{ waitingSince: string | null; expiresAt: string | null }> {
  const period = await readDecisionPeriod(database, runId);
  return { waitingSince: iso(period?.since ?? null), expiresAt: iso(period?.until ?? null) };
}

async function lastComparable(
  { database }: DecidingDependencies,
  runId: string,
): Promise<DecisionFacts['lastComparable']> {
  const earlier = await readLastComparable(database, runId);
  if (earlier === null) return null;
  const { proposal, submittedAt, ...run } = earlier;
  return {
    ...run,
    submittedAt: submittedAt.toISOString(),
    payable: proposal.payable,
    totals: proposal.totals,
  };
}

async function marksOf({ reviews }: DecidingDependencies, runId: string): Promise<Partial<Record<RowMark, number>>> {
  const marks = [...(await reviews.marksOf(runId, { first: 1, last: LAST_ROW })).values()].flat();
  const counts = ROW_MARKS.map((mark) => [mark, marks.filter((each) => each === mark).length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

async function largestRows(
  dependencies: DecidingDependencies,
  runId: string,
  totals: readonly CurrencyTotal[],
  withNames: boolean,
): Promise<DecisionFacts['largest']> {
  const listed: DecisionFacts['largest'] = [];
  for (const { currency, side, amount: total } of totals.slice(0, MAX_CURRENCIES)) {
    const found = await readLargestRows(dependencies.database, runId, { currency, side }, LARGEST_ROWS);
    const payees = withNames ? await payeesOf(dependencies) : null;
    const rows = found.map((row) => ({
      ...{ line: row.line, rowRef: row.rowRef, amount: row.amount },
      beneficiary: payees === null ? null : payeeOf(payees, row),
    }));
    const amount = rows.reduce((sum, row) => addAmounts(sum, row.amount), '0');
    listed.push({ currency, side, rows, amount, total, sharePercent: percentOf(amount, total) });
  }
  return listed;
}

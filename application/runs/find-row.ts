import type { RowManualOutcome } from '../../api/payments/manual-outcome.ts';
import type { ActionableRow, RowDetail, RowWebhook, RowRelease, RowRequest } from '../../api/runs/row-detail.ts';
import type { RowKey } from '../../api/runs/row.ts';
import { paymentWorkflowId } from '../../domain/identifiers.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { PAYMENT_STATE_TABLE } from '../../domain/payments/payment-state.ts';
import { listDecisions } from '../../store/approvals/run-decisions.ts';
import type { Database } from '../../store/database/database.ts';
import { listLookups } from '../../store/payments/payment-lookups.ts';
import { listManualOutcomes, type ManualOutcomeRecord } from '../../store/payments/manual-outcomes.ts';
import { readEvidence, type RecordedRequest, type RowEvidence } from '../../store/payments/row-evidence.ts';
import { readRelease, type StoredRelease } from '../../store/runs/row-releases.ts';
import {
  findRow as findStoredRow,
  findRowByLine as findStoredLine,
  type StoredRow,
} from '../../store/runs/run-rows.ts';
import { readRun } from '../../store/runs/runs.ts';
import { listReceivedWebhooks } from '../../store/webhooks/received-webhooks.ts';
import type { ReviewingDependencies } from '../application-dependencies.ts';
import { orNotFound } from '../application-error.ts';
import { type ActionDependencies, allowedActions } from '../approvals/allowed-actions.ts';
import { payeesOf } from '../data-keys.ts';
import { iso } from '../iso-time.ts';
import { mayRead, type SignedIn } from '../users/signed-in.ts';
import { workflowUrl } from '../workflow-url.ts';
import { decisionsOf } from './run-views.ts';
import { type OpenedRow, openedRow } from './opened-row.ts';
import { maskedRow, rowSummaryOf } from './row-summary.ts';
import { type RowAccess, similarRows } from './similar-rows.ts';

/** One row with the evidence of what became of it; null when the run or the row does not exist. */
export async function findRow(
  dependencies: ReviewingDependencies,
  { runId, rowRef }: RowKey,
  may: RowAccess,
): Promise<RowDetail | null> {
  const row = await findStoredRow(dependencies.database, runId, rowRef);
  return row === null ? null : detailOf(dependencies, runId, row, may);
}

/** The row on a line, with what the user may do with it. */
export async function findRowByLine(
  dependencies: ReviewingDependencies & ActionDependencies,
  user: SignedIn,
  { runId, line }: { runId: string; line: number },
  may: Pick<RowAccess, 'withInstructions'>,
): Promise<ActionableRow | null> {
  const row = await findStoredLine(dependencies.database, runId, line);
  const detail = row === null ? null : await detailOf(dependencies, runId, row, { ...may, accounts: user.accounts });
  if (detail === null) return null;
  const actions = await allowedActions(dependencies, user, { kind: 'row', id: detail.paymentId });
  return {
    ...detail,
    allowedActions: actions ?? [],
    workflowUrl: workflowUrl(dependencies, paymentWorkflowId(detail.paymentId)),
  };
}

async function detailOf(
  dependencies: ReviewingDependencies,
  runId: string,
  stored: StoredRow,
  may: RowAccess,
): Promise<RowDetail | null> {
  const { database, reviews } = dependencies;
  const payees = await payeesOf(dependencies);
  const row = openedRow(payees, stored);
  const evidence = await readEvidence(database, row.paymentId);
  if (evidence === null) return null;
  const lookups = await listLookups(database, row.paymentId);
  const manualOutcomes = await listManualOutcomes(database, row.paymentId);
  const wasTried = evidence.requests.some(({ operation }) => operation === 'create');
  const marks = await reviews.marksOf(runId, { first: row.rowNumber, last: row.rowNumber });
  const detail = {
    ...rowSummaryOf(row, marks.get(row.rowNumber) ?? []),
    instruction: row.instruction,
    asSubmitted: row.state === 'invalid' ? await cellsOf(database, runId, row) : null,
    referenceId: evidence.referenceId ?? (wasTried ? referenceIdOf(row.paymentId, row.attempt) : null),
    providerPaymentId: evidence.providerPaymentId,
    providerStatus: evidence.providerStatus,
    lastShownAt: iso(evidence.polledAt),
    requests: evidence.requests.map(requestOf),
    lookups: lookups.map((look) => ({
      request: look.asked,
      result: look.seen,
      times: look.times,
      firstAt: look.firstAt.toISOString(),
      lastAt: look.lastAt.toISOString(),
    })),
    manualOutcomes: manualOutcomes.map(manualOutcomeOf),
    decisions: PAYMENT_STATE_TABLE[row.state].row.isDecidedOn ? decisionsOf(await listDecisions(database, runId)) : [],
    webhooks: await webhooksAbout(database, evidence),
    endedAt: iso(row.endedAt),
    similar: row.state === 'duplicate_suspect' ? await similarRows(database, payees, row, may) : null,
    release: releaseOf(await readRelease(database, row.paymentId)),
  };
  return may.withInstructions ? detail : { ...maskedRow(detail), instruction: null, asSubmitted: null };
}

async function cellsOf(database: Database, runId: string, { cells }: OpenedRow): Promise<RowDetail['asSubmitted']> {
  const { header } = orNotFound(await readRun(database, runId), 'there is no such run');
  return cells
    .map((text, place) => ({ header: header.names[place] ?? '', text }))
    .filter(({ text }) => text.trim() !== '');
}

const MAX_WEBHOOKS = 50;

/** Webhooks about the payment, the oldest first. */
async function webhooksAbout(
  database: Database,
  { account, providerPaymentId }: Pick<RowEvidence, 'account' | 'providerPaymentId'>,
): Promise<RowWebhook[]> {
  if (providerPaymentId === null) return [];
  const found = await listReceivedWebhooks(database, {
    ...{ accounts: [account], kind: 'simple_payment', resourceId: providerPaymentId },
    ...{ webhookId: null, before: null, limit: MAX_WEBHOOKS },
  });
  return found.reverse().map(({ body, times, receivedAt, lastReceivedAt }) => ({
    status: statusIn(body),
    times,
    firstReceivedAt: receivedAt.toISOString(),
    lastReceivedAt: lastReceivedAt.toISOString(),
  }));
}

/** Only a word is taken from an unsigned body. */
function statusIn(body: string): string | null {
  try {
    const { status } = JSON.parse(body) as { status?: unknown };
    return typeof status === 'string' && /^\w{1,40}$/.test(status) ? status : null;
  } catch {
    return null;
  }
}

function releaseOf(release: StoredRelease | null): RowRelease | null {
  return release === null ? null : { ...release, at: release.at.toISOString() };
}

function requestOf(request: RecordedRequest): RowRequest {
  const { operation, attempt, begunAt, answeredAt, httpStatus, outcome } = request;
  return {
    operation,
    attempt,
    begunAt: begunAt.toISOString(),
    answeredAt: iso(answeredAt),
    httpStatus,
    outcome: outcome ?? 'unknown',
  };
}

function manualOutcomeOf(record: ManualOutcomeRecord): RowManualOutcome {
  return {
    manualOutcomeId: record.manualOutcomeId,
    outcome: record.outcome,
    providerPaymentId: record.providerPaymentId,
    reason: record.reason,
    state: record.state,
    proposedBy: record.proposedBy,
    proposedAt: record.proposedAt.toISOString(),
    closedBy: record.closedBy,
    closedAt: iso(record.closedAt),
    closingReason: record.closingReason,
  };
}

/** The row as this user may see it, or `not_found`. */
export async function existingRow(
  dependencies: ReviewingDependencies,
  user: Pick<SignedIn, 'roles' | 'reads' | 'accounts'>,
  key: RowKey,
): Promise<RowDetail> {
  const { accounts } = user;
  const row = await findRow(dependencies, key, { withInstructions: mayRead(user, 'read_instructions'), accounts });
  return orNotFound(row, 'there is no such row in this run');
}

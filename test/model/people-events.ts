import { concludeManualOutcomeActivity } from '../../activities/payments/conclude-manual-outcome.ts';
import { getPaymentByIdActivity, getPaymentByReferenceActivity } from '../../activities/payments/get-payment.ts';
import {
  MANUAL_OUTCOME_KINDS,
  type ManualOutcomeKind,
  objectionToProposal,
} from '../../domain/payments/manual-outcome.ts';
import { dayOf } from '../../domain/calendar-date.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { contentSha256 } from '../../domain/sha256.ts';
import { paymentIdOf } from '../../domain/payments/payment-identity.ts';
import { paymentStatesWhere } from '../../domain/payments/payment-state.ts';
import { DECISION_WITHIN_MS } from '../../config/durations.ts';
import { readContentHash } from '../../store/approvals/run-approval.ts';
import { decideRunAs } from '../../store/approvals/run-decisions.ts';
import { cancelRunAs, liftStopAs, listStops, stopPaymentsAs } from '../../store/approvals/stops.ts';
import { Refused } from '../../store/database/call-as-user.ts';
import { confirmManualOutcomeAs, proposeManualOutcomeAs } from '../../store/payments/manual-outcome-decisions.ts';
import { evidenceHashOf, readEvidence } from '../../store/payments/row-evidence.ts';
import { addRun } from '../../store/runs/add-run.ts';
import { rowsToStore } from '../helpers/rows-to-store.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { markDuplicates } from '../../store/runs/duplicates.ts';
import { transitionRun } from '../../store/runs/run-transition.ts';
import { anInstruction } from '../store/a-stored-run.ts';
import type { Event } from './event.ts';
import { tryActivity } from './payment-workflow.ts';
import { currencyOf, type Need, type Row, type World } from './world.ts';

/** What people decide: to pay, to stop, how a row ended, to pay again. */

/** A run of a few rows is submitted and approved. */
export const submitRun: Event = async (world) => {
  const { dice } = world;
  if (world.runs.length >= 4) return false;
  const currency = currencyOf(dice);
  const payOn = dice.chance(0.2) ? dayOf(world.place.time.now() + dice.pick([1, 3, 8]) * DAY) : null;
  const needs = Array.from({ length: 1 + dice.below(3) }, (_, n) => ({
    rowRef: `need-${world.runs.length}-${n}`,
    amount: dice.pick([10_000, 10_000, 20_000]),
    ...{ currency, payOn },
  }));
  await approvedRun(world, needs);
  return true;
};

const UNPAID_STATES = paymentStatesWhere(({ counts, stage }) => counts.asUnpaid && stage === 'ended');

/** What payrun says was not paid is submitted again, in a new run. */
export const submitAgain: Event = async (world) => {
  const unpaid = world.dice.pickOrNull(await world.rowsIn(...UNPAID_STATES));
  if (unpaid === null || world.runs.length >= 8) return false;
  await approvedRun(world, [{ ...unpaid.need, payOn: null }]);
  return true;
};

async function approvedRun(world: World, needs: readonly Need[]): Promise<void> {
  const { database, asServer, asWorker, people } = world.place;
  const runId = world.uuid();
  const instructions = needs.map((need, n) =>
    anInstruction(n + 1, {
      rowRef: need.rowRef,
      amount: (need.amount / 100).toFixed(2),
      sellCurrency: need.currency,
      payOn: need.payOn,
      // Equal amounts to other people.
      beneficiary: { kind: 'existing', beneficiaryId: `of ${need.rowRef}` },
    }),
  );
  const key = (await payeesIn(asServer)).newRunKey(runId);
  await addRun(asServer, people.maker.tokenHash, {
    ...{ key, account: world.account, fileName: 'model.csv', fileSha256: contentSha256(Buffer.from(runId)) },
    ...{ header: { names: ['row_ref'], hasByteOrderMark: false, sheetName: null }, submissionSha256: null },
    decideWithinMs: DECISION_WITHIN_MS,
    ...rowsToStore(
      key,
      instructions.map((instruction, index) => ({
        ...{ paymentId: paymentIdOf(runId, instruction.rowRef), rowNumber: index + 1, line: instruction.line },
        ...{ rowRef: instruction.rowRef, state: 'ready' as const, cells: [instruction.rowRef], instruction },
        ...{ errorCode: null, problems: null },
      })),
    ),
  });
  await markDuplicates(asWorker, runId);
  for (const to of ['proposed', 'in_approval'] as const) await transitionRun(asWorker, runId, { to });
  const contentHash = await readContentHash(database, runId);
  const decision = { runId, kind: 'approved', contentHash, comment: null } as const;
  // A run of which every row is suspected to be paid already has nothing to approve.
  await unlessRefused(decideRunAs(asServer, people.checker.tokenHash, decision));
  world.runs.push(runId);
  for (const need of needs) {
    world.rows.push({ paymentId: paymentIdOf(runId, need.rowRef), runId, need, isResolved: false });
  }
}

export const stopRun: Event = async (world) => {
  const runId = world.dice.pickOrNull(world.runs);
  if (runId === null) return false;
  const { asServer, people } = world.place;
  return unlessRefused(stopPaymentsAs(asServer, people.maker.tokenHash, { scope: 'run', runId }, 'to be looked at'));
};

export const stopAccount: Event = ({ place: { asServer, people }, account }) =>
  unlessRefused(stopPaymentsAs(asServer, people.maker.tokenHash, { scope: 'account', account }, 'to be looked at'));

/** By two people. */
export const liftStop: Event = async (world) => {
  const stop = world.dice.pickOrNull(
    (await listStops(world.place.database, { runId: null, accounts: [world.account] })).filter(
      ({ cancelledAt }) => cancelledAt === null,
    ),
  );
  if (stop === null) return false;
  const { asServer, people } = world.place;
  const first = { stopId: stop.stopId, askedBy: null };
  if (!(await unlessRefused(liftStopAs(asServer, people.checker.tokenHash, first)))) return false;
  return unlessRefused(liftStopAs(asServer, people.other.tokenHash, { ...first, askedBy: people.checker.userId }));
};

export const cancelRun: Event = async (world) => {
  const runId = world.dice.pickOrNull(world.runs);
  if (runId === null) return false;
  const { asServer, people } = world.place;
  const scope = { scope: 'run', runId } as const;
  await unlessRefused(stopPaymentsAs(asServer, people.maker.tokenHash, scope, 'not to be paid'));
  return unlessRefused(cancelRunAs(asServer, people.checker.tokenHash, runId, 'not to be paid'));
};

/**
 * Two people say how an unknown row ended. Of what the provider shows they may say anything: payrun has to refuse what is not so. Of what
 * it does not show they were told by the provider, which carries nothing of it out any more.
 */
export const resolveRow: Event = async (world) => {
  const row = world.dice.pickOrNull(await world.rowsIn('unknown'));
  if (row === null) return false;
  const { database, asServer, people } = world.place;
  const { paymentId } = row;
  const evidence = await readEvidence(database, paymentId);
  if (evidence === null) return false;
  const outcome = saidOf(world, row, evidence.attempt);
  const proposal = { outcome, providerPaymentId: null };
  if (outcome === null || objectionToProposal(evidence, { ...proposal, outcome }) !== null) return false;
  const evidenceHash = evidenceHashOf(evidence);
  const proposed = { paymentId, ...proposal, outcome, reason: 'as the provider says', evidenceHash };
  await unlessRefused(proposeManualOutcomeAs(asServer, people.checker.tokenHash, proposed));
  const { rows } = await database.query<{ id: string }>(
    `select manual_outcome_id as id from payment_manual_outcomes where payment_id = $1 and state = 'proposed'`,
    [paymentId],
  );
  const manualOutcomeId = rows[0]?.id;
  if (manualOutcomeId === undefined) return false;
  if (!(await unlessRefused(confirmManualOutcomeAs(asServer, people.other.tokenHash, manualOutcomeId)))) return false;
  const concluded = await conclude(world, paymentId, evidence.providerPaymentId, manualOutcomeId);
  row.isResolved = concluded || row.isResolved;
  return true;
};

function saidOf(world: World, row: Row, attempt: number): ManualOutcomeKind | null {
  const referenceId = referenceIdOf(row.paymentId, attempt);
  const { provider, dice } = world;
  const there = provider.payments.filter((payment) => payment.referenceId === referenceId);
  if (provider.listed(there).length > 0) return dice.pick(MANUAL_OUTCOME_KINDS);
  // It knows of one that its lists do not show yet.
  if (there.length > 0) return null;
  provider.drop(provider.pending.filter((pending) => pending.referenceId === referenceId));
  return dice.pick(['never_created', 'rejected', 'failed']);
}

/** As the workflow of a manual outcome does, with as many attempts as it needs. */
async function conclude(
  { dependencies, resolvingWith }: World,
  paymentId: string,
  providerPaymentId: string | null,
  manualOutcomeId: string,
): Promise<boolean> {
  const steps = [
    () => getPaymentByReferenceActivity(dependencies)({ paymentId }),
    ...(providerPaymentId === null
      ? []
      : [() => getPaymentByIdActivity(dependencies)({ paymentId, providerPaymentId })]),
  ];
  for (const step of steps) if ((await tryActivity<unknown>(step)) === undefined) return false;
  const outcome = await tryActivity(() => concludeManualOutcomeActivity(resolvingWith)({ manualOutcomeId }));
  return outcome?.kind === 'confirmed';
}

export async function unlessRefused(deciding: Promise<unknown>): Promise<boolean> {
  try {
    await deciding;
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

const DAY = 24 * 3_600_000;

import type { ManualOutcomeState } from '../../domain/payments/manual-outcome-state.ts';
import type { ManualOutcomeKind } from '../../domain/payments/manual-outcome.ts';
import type { Queryable } from '../database/database.ts';

export interface ManualOutcomeRecord {
  manualOutcomeId: string;
  paymentId: string;
  outcome: ManualOutcomeKind;
  providerPaymentId: string | null;
  /** Null: it was erased. */
  reason: string | null;
  evidenceHash: string;
  state: ManualOutcomeState;
  proposedBy: { userId: string; name: string };
  proposedAt: Date;
  closedBy: { userId: string; name: string } | null;
  closedAt: Date | null;
  closingReason: string | null;
}

interface ManualOutcomeRow extends Omit<ManualOutcomeRecord, 'proposedBy' | 'closedBy'> {
  proposerId: string;
  proposerName: string;
  closerId: string | null;
  closerName: string | null;
}

/** What people wrote is in the remarks; payrun's own reason for closing it is in the manual outcome itself. */
const SELECT_MANUAL_OUTCOMES = `
  select manual_outcome_id as "manualOutcomeId", payment_id as "paymentId", resolved_as as "outcome",
    provider_payment_id as "providerPaymentId", said.body as reason,
    evidence_hash as "evidenceHash", state,
    proposed_by as "proposerId", proposer.name as "proposerName", proposed_at as "proposedAt",
    closed_by as "closerId", closer.name as "closerName", closed_at as "closedAt",
    coalesce(closing.body, closing_reason) as "closingReason"
  from payment_manual_outcomes
  join users proposer on proposer.user_id = proposed_by
  left join users closer on closer.user_id = closed_by
  left join remarks said on said.remark_id = payment_manual_outcomes.remark_id
  left join remarks closing on closing.remark_id = closing_remark_id`;

function manualOutcomeOf({
  proposerId,
  proposerName,
  closerId,
  closerName,
  ...row
}: ManualOutcomeRow): ManualOutcomeRecord {
  return {
    ...row,
    proposedBy: { userId: proposerId, name: proposerName },
    closedBy: closerId === null ? null : { userId: closerId, name: closerName ?? '' },
  };
}

export async function readManualOutcome(
  database: Queryable,
  manualOutcomeId: string,
): Promise<ManualOutcomeRecord | null> {
  const { rows } = await database.query<ManualOutcomeRow>(`${SELECT_MANUAL_OUTCOMES} where manual_outcome_id = $1`, [
    manualOutcomeId,
  ]);
  return rows[0] === undefined ? null : manualOutcomeOf(rows[0]);
}

/** Oldest first; at most one is open. */
export async function listManualOutcomes(database: Queryable, paymentId: string): Promise<ManualOutcomeRecord[]> {
  const { rows } = await database.query<ManualOutcomeRow>(
    `${SELECT_MANUAL_OUTCOMES} where payment_id = $1 order by proposed_at, manual_outcome_id`,
    [paymentId],
  );
  return rows.map(manualOutcomeOf);
}

/** What concludes a proposal: no names and no remarks. */
export interface ManualOutcomeToConclude {
  manualOutcomeId: string;
  paymentId: string;
  outcome: ManualOutcomeKind;
  providerPaymentId: string | null;
  evidenceHash: string;
  state: ManualOutcomeState;
  proposedBy: string;
  /** Who confirmed it; null: nobody. */
  confirmedBy: string | null;
  closedBy: string | null;
  closingReason: string | null;
  /** The maker of the row's run. */
  maker: string;
}

/** With `lock`, inside a transaction, nobody else can close it until the transaction ends. */
export async function readManualOutcomeToConclude(
  database: Queryable,
  manualOutcomeId: string,
  { lock }: { lock: boolean } = { lock: false },
): Promise<ManualOutcomeToConclude | null> {
  const { rows } = await database.query<ManualOutcomeToConclude>(
    `select manual_outcome_id as "manualOutcomeId", payment_id as "paymentId", resolved_as as "outcome",
       provider_payment_id as "providerPaymentId", evidence_hash as "evidenceHash", payment_manual_outcomes.state,
       proposed_by as "proposedBy", closed_by as "closedBy", closing_reason as "closingReason",
       (select confirmed_by from payment_manual_outcome_confirmations confirmations
        where confirmations.manual_outcome_id = payment_manual_outcomes.manual_outcome_id order by confirmed_at limit 1) as "confirmedBy",
       (select submitted_by from payments join runs using (run_id)
        where payments.payment_id = payment_manual_outcomes.payment_id) as maker
     from payment_manual_outcomes where manual_outcome_id = $1 ${lock ? 'for update of payment_manual_outcomes' : ''}`,
    [manualOutcomeId],
  );
  return rows[0] ?? null;
}

/** The provider's id by which to look up a payment: from its open proposal, else from the database. */
export async function readLookupId(database: Queryable, paymentId: string): Promise<string | null> {
  const { rows } = await database.query<{ id: string | null }>(
    `select coalesce(payment_manual_outcomes.provider_payment_id, payments.provider_payment_id) as id
     from payments left join payment_manual_outcomes on payment_manual_outcomes.payment_id = payments.payment_id and payment_manual_outcomes.state = 'proposed'
     where payments.payment_id = $1`,
    [paymentId],
  );
  return rows[0]?.id ?? null;
}

/**
 * The provider shows a payment of a row that two people resolved as never created (`providerPaymentId` null: several), or as unpaid, and that
 * may be paid: the row is unknown again. False: it is not resolved so. Needs a transaction that holds `lockRun`.
 */
export async function reopenResolvedRow(
  transaction: Queryable,
  paymentId: string,
  shown: { providerPaymentId: string | null; status: string; mayBePaid: boolean },
): Promise<boolean> {
  const { rows } = await transaction.query<{ isReopened: boolean }>(
    'select reopen_resolved_row($1, $2, $3, $4) as "isReopened"',
    [paymentId, shown.providerPaymentId, shown.status, shown.mayBePaid],
  );
  return rows[0]?.isReopened === true;
}

/** False when it is no longer open. */
export async function closeManualOutcome(
  database: Queryable,
  closing: { manualOutcomeId: string; state: ManualOutcomeState; closedBy: string | null; reason: string | null },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update payment_manual_outcomes set state = $2, closed_by = $3, closing_reason = $4, closed_at = clock_timestamp()
     where manual_outcome_id = $1 and state = 'proposed'`,
    [closing.manualOutcomeId, closing.state, closing.closedBy, closing.reason],
  );
  return rowCount === 1;
}

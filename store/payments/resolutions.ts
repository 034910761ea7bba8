import type { ResolutionState } from '../../domain/payments/resolution-state.ts';
import type { ResolutionOutcome } from '../../domain/payments/resolution.ts';
import type { Queryable } from '../database/database.ts';

export interface ResolutionRecord {
  resolutionId: string;
  paymentId: string;
  outcome: ResolutionOutcome;
  providerPaymentId: string | null;
  /** Null: it was erased. */
  reason: string | null;
  evidenceHash: string;
  state: ResolutionState;
  proposedBy: { userId: string; name: string };
  proposedAt: Date;
  closedBy: { userId: string; name: string } | null;
  closedAt: Date | null;
  closingReason: string | null;
}

interface ResolutionRow extends Omit<ResolutionRecord, 'proposedBy' | 'closedBy'> {
  proposerId: string;
  proposerName: string;
  closerId: string | null;
  closerName: string | null;
}

/** What people wrote is in the remarks; payrun's own reason for closing it is in the resolution itself. */
const SELECT_RESOLUTIONS = `
  select resolution_id as "resolutionId", payment_id as "paymentId", resolved_as as "outcome",
    provider_payment_id as "providerPaymentId", said.body as reason,
    evidence_hash as "evidenceHash", state,
    proposed_by as "proposerId", proposer.name as "proposerName", proposed_at as "proposedAt",
    closed_by as "closerId", closer.name as "closerName", closed_at as "closedAt",
    coalesce(closing.body, closing_reason) as "closingReason"
  from resolutions
  join users proposer on proposer.user_id = proposed_by
  left join users closer on closer.user_id = closed_by
  left join remarks said on said.remark_id = resolutions.remark_id
  left join remarks closing on closing.remark_id = closing_remark_id`;

function resolutionOf({ proposerId, proposerName, closerId, closerName, ...row }: ResolutionRow): ResolutionRecord {
  return {
    ...row,
    proposedBy: { userId: proposerId, name: proposerName },
    closedBy: closerId === null ? null : { userId: closerId, name: closerName ?? '' },
  };
}

export async function readResolution(database: Queryable, resolutionId: string): Promise<ResolutionRecord | null> {
  const { rows } = await database.query<ResolutionRow>(`${SELECT_RESOLUTIONS} where resolution_id = $1`, [
    resolutionId,
  ]);
  return rows[0] === undefined ? null : resolutionOf(rows[0]);
}

/** Oldest first; at most one is open. */
export async function listResolutions(database: Queryable, paymentId: string): Promise<ResolutionRecord[]> {
  const { rows } = await database.query<ResolutionRow>(
    `${SELECT_RESOLUTIONS} where payment_id = $1 order by proposed_at, resolution_id`,
    [paymentId],
  );
  return rows.map(resolutionOf);
}

/** What concludes a proposal: no names and no remarks. */
export interface ResolutionToConclude {
  resolutionId: string;
  paymentId: string;
  outcome: ResolutionOutcome;
  providerPaymentId: string | null;
  evidenceHash: string;
  state: ResolutionState;
  proposedBy: string;
  /** Who confirmed it; null: nobody. */
  confirmedBy: string | null;
  closedBy: string | null;
  closingReason: string | null;
  /** The maker of the row's run. */
  maker: string;
}

/** With `lock`, inside a transaction, nobody else can close it until the transaction ends. */
export async function readResolutionToConclude(
  database: Queryable,
  resolutionId: string,
  { lock }: { lock: boolean } = { lock: false },
): Promise<ResolutionToConclude | null> {
  const { rows } = await database.query<ResolutionToConclude>(
    `select resolution_id as "resolutionId", payment_id as "paymentId", resolved_as as "outcome",
       provider_payment_id as "providerPaymentId", evidence_hash as "evidenceHash", resolutions.state,
       proposed_by as "proposedBy", closed_by as "closedBy", closing_reason as "closingReason",
       (select confirmed_by from resolution_confirmations confirmations
        where confirmations.resolution_id = resolutions.resolution_id order by confirmed_at limit 1) as "confirmedBy",
       (select submitted_by from payments join runs using (run_id)
        where payments.payment_id = resolutions.payment_id) as maker
     from resolutions where resolution_id = $1 ${lock ? 'for update of resolutions' : ''}`,
    [resolutionId],
  );
  return rows[0] ?? null;
}

/** The provider's id by which to look up a payment: from its open proposal, else from the record. */
export async function readIdToLookUp(database: Queryable, paymentId: string): Promise<string | null> {
  const { rows } = await database.query<{ id: string | null }>(
    `select coalesce(resolutions.provider_payment_id, payments.provider_payment_id) as id
     from payments left join resolutions on resolutions.payment_id = payments.payment_id and resolutions.state = 'proposed'
     where payments.payment_id = $1`,
    [paymentId],
  );
  return rows[0]?.id ?? null;
}

/** False when it is no longer open. */
export async function closeResolution(
  database: Queryable,
  closing: { resolutionId: string; state: ResolutionState; closedBy: string | null; reason: string | null },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update resolutions set state = $2, closed_by = $3, closing_reason = $4, closed_at = clock_timestamp()
     where resolution_id = $1 and state = 'proposed'`,
    [closing.resolutionId, closing.state, closing.closedBy, closing.reason],
  );
  return rowCount === 1;
}

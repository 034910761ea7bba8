import type { ResolutionState, ResolvedAs } from '../domain/resolution.ts';
import type { Queryable } from './database.ts';

export interface ResolutionRecord {
  resolutionId: string;
  paymentId: string;
  as: ResolvedAs;
  providerPaymentId: string | null;
  reason: string;
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

const SELECT_RESOLUTIONS = `
  select resolution_id as "resolutionId", payment_id as "paymentId", resolved_as as "as",
    provider_payment_id as "providerPaymentId", reason, evidence_hash as "evidenceHash", state,
    proposed_by as "proposerId", proposer.name as "proposerName", proposed_at as "proposedAt",
    closed_by as "closerId", closer.name as "closerName", closed_at as "closedAt", closing_reason as "closingReason"
  from resolutions
  join people proposer on proposer.user_id = proposed_by
  left join people closer on closer.user_id = closed_by`;

function resolutionOf({ proposerId, proposerName, closerId, closerName, ...row }: ResolutionRow): ResolutionRecord {
  return {
    ...row,
    proposedBy: { userId: proposerId, name: proposerName },
    closedBy: closerId === null ? null : { userId: closerId, name: closerName ?? '' },
  };
}

/** Null when the payment has an open proposal already. */
export async function addResolution(
  database: Queryable,
  proposal: Pick<ResolutionRecord, 'paymentId' | 'as' | 'providerPaymentId' | 'reason' | 'evidenceHash'> & {
    proposedBy: string;
  },
): Promise<string | null> {
  const { rows } = await database.query<{ resolution_id: string }>(
    `insert into resolutions (payment_id, resolved_as, provider_payment_id, reason, evidence_hash, proposed_by)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (payment_id) where state = 'proposed' do nothing returning resolution_id`,
    [
      proposal.paymentId,
      proposal.as,
      proposal.providerPaymentId,
      proposal.reason,
      proposal.evidenceHash,
      proposal.proposedBy,
    ],
  );
  return rows[0]?.resolution_id ?? null;
}

/** With `lock`, inside a transaction, nobody else closes it meanwhile. */
export async function readResolution(
  database: Queryable,
  resolutionId: string,
  { lock }: { lock: boolean } = { lock: false },
): Promise<ResolutionRecord | null> {
  const { rows } = await database.query<ResolutionRow>(
    `${SELECT_RESOLUTIONS} where resolution_id = $1 ${lock ? 'for update of resolutions' : ''}`,
    [resolutionId],
  );
  return rows[0] === undefined ? null : resolutionOf(rows[0]);
}

/** The oldest first; at most one of them is open. */
export async function listResolutions(database: Queryable, paymentId: string): Promise<ResolutionRecord[]> {
  const { rows } = await database.query<ResolutionRow>(
    `${SELECT_RESOLUTIONS} where payment_id = $1 order by proposed_at, resolution_id`,
    [paymentId],
  );
  return rows.map(resolutionOf);
}

/** False when it is open no longer. */
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

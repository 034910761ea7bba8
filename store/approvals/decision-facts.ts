import { paymentStatesWhere } from '../../domain/payments/payment-state.ts';
import type { CurrencyTotal, RunProposal } from '../../domain/runs/run-proposal.ts';
import type { Queryable } from '../database/database.ts';
import { CONTENT_COLUMNS, type StoredContent } from '../runs/row-content.ts';

/** What a decision on a run is made on, beside its proposal and its review. Amounts are decimal strings. */

/** Since when a run waits for its maker or for a decision, and until when people may act; null: it does not wait. */
export async function readDecisionPeriod(
  database: Queryable,
  runId: string,
): Promise<{ since: Date; until: Date } | null> {
  const { rows } = await database.query<{ since: Date; until: Date }>(
    `select opened_at as since, opened_at + decide_within as until from runs where run_id = $1 and run_waits_for_people(state)`,
    [runId],
  );
  return rows[0] ?? null;
}

export interface EarlierRun {
  runId: string;
  fileName: string;
  submittedAt: Date;
  proposal: RunProposal;
}

/** The last paid run of the same kind; null: there is none. */
export async function readLastComparable(database: Queryable, runId: string): Promise<EarlierRun | null> {
  const { rows } = await database.query<EarlierRun>(
    `select run_id as "runId", file_name as "fileName", submitted_at as "submittedAt", proposal from runs
     where run_id = last_paid_run_like($1) and proposal is not null`,
    [runId],
  );
  return rows[0] ?? null;
}

export interface StoredLargeRow extends StoredContent {
  line: number;
  rowRef: string;
  amount: string;
}

/** The largest rows of a run that fix an amount of this currency on this side, of those that would be paid. */
export async function readLargestRows(
  database: Queryable,
  runId: string,
  { currency, side }: Pick<CurrencyTotal, 'currency' | 'side'>,
  limit: number,
): Promise<StoredLargeRow[]> {
  const { rows } = await database.query<StoredLargeRow>(
    `select line, row_ref as "rowRef", amount::text, ${CONTENT_COLUMNS}
     from payments where run_id = $1 and amount_currency = $2 and amount_side = $5 and state = any($4)
     order by payments.amount_currency desc, payments.amount desc, row_number desc limit $3`,
    [runId, currency, limit, TO_BE_PAID, side],
  );
  return rows;
}

const TO_BE_PAID = paymentStatesWhere(({ stage, counts }) => counts.asSubmitted && stage !== 'on_hold');

/** What is shown of the file of a run. */
export async function readFileFacts(
  database: Queryable,
  runId: string,
): Promise<{ fileSha256: string; files: number } | null> {
  const { rows } = await database.query<{ fileSha256: string; files: number }>(
    `select file_sha256 as "fileSha256",
       (select count(*)::int from supporting_files where supporting_files.run_id = runs.run_id) as files
     from runs where run_id = $1`,
    [runId],
  );
  return rows[0] ?? null;
}

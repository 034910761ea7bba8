import { expect } from 'vitest';
import type { RowDetail } from '../../api/runs/row-detail.ts';
import type { RowKey } from '../../api/runs/row.ts';
import type { ManualOutcomeKind } from '../../domain/payments/manual-outcome.ts';
import { type PayrunUnderTest, startPayrun } from './payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from './run-under-test.ts';
import type { TestUser } from './users.ts';

const HOUR_MS = 3_600_000;

/** Its provider confirms nothing, and the age limit is short: funded payments become unknown. */
export function startUnconfirmed(): Promise<PayrunUnderTest> {
  return startPayrun({
    sandbox: { completionMinMs: HOUR_MS, completionMaxMs: HOUR_MS },
    settings: { confirmationAgeLimitMs: 300 },
  });
}

/** A run of one row that is unknown: funded, and never confirmed. */
export async function anUnknownRow(payrun: PayrunUnderTest): Promise<RowKey & { providerPaymentId: string }> {
  const [row] = newRows(1);
  const runId = await beginRun(payrun, [row!]);
  expect((await untilPaid(payrun, runId)).rows).toEqual({ unknown: 1 });
  const place = { runId, rowRef: row!.row_ref };
  return { ...place, providerPaymentId: (await rowAt(payrun, place)).providerPaymentId ?? '' };
}

/** Makes the database as it is after a lost answer to the creation: without the provider's id. */
export async function aRowOfUnknownCreation(payrun: PayrunUnderTest): Promise<RowKey & { providerPaymentId: string }> {
  const row = await anUnknownRow(payrun);
  await payrun.database.query(
    `update payments set provider_payment_id = null, provider_status = null, error_code = 'step_failed' where run_id = $1`,
    [row.runId],
  );
  return row;
}

export async function rowAt({ application }: PayrunUnderTest, { runId, rowRef }: RowKey): Promise<RowDetail> {
  const row = await application.findRow(runId, rowRef);
  if (row === null) throw new Error('there is no such row');
  return row;
}

/** Proposes, by default as the maker, how an unknown row ended. */
export async function propose(
  payrun: PayrunUnderTest,
  row: RowKey,
  outcome: ManualOutcomeKind,
  { by = payrun.maker, providerPaymentId = null }: { by?: TestUser; providerPaymentId?: string | null } = {},
): Promise<{ manualOutcomeId: string }> {
  const proposal = { outcome, providerPaymentId, reason: 'told by the provider on the telephone' };
  const { manualOutcomes } = await payrun.application.proposeManualOutcome(by, row, proposal);
  return { manualOutcomeId: manualOutcomes.at(-1)?.manualOutcomeId ?? '' };
}

/** What the audit trail says of the manual outcomes of the row's run. */
export async function trailOf(
  { database }: PayrunUnderTest,
  { runId }: RowKey,
): Promise<{ kind: string; actor: string; reason: string | null }[]> {
  const { rows } = await database.query<{ kind: string; actor: string; reason: string | null }>(
    `select kind, actor, body as reason from audit_entries
     left join remarks on remark_id::text = detail ->> 'remark'
     where audit_entries.run_id = $1 and (kind like 'manual_outcome_%' or kind in ('resolved', 'provider_state_recorded')) order by entry_id`,
    [runId],
  );
  return rows;
}

export async function kindsOf(payrun: PayrunUnderTest, row: RowKey): Promise<string[]> {
  return (await trailOf(payrun, row)).map(({ kind }) => kind);
}

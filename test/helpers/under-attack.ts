import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';
import { paymentsAt, type SandboxPayment } from './sandbox-control.ts';

export async function paymentIdsOf({ application }: PayrunUnderTest, runId: string): Promise<string[]> {
  const rows = await application.listRows(runId, { limit: 100, afterLine: 0, state: null });
  return rows.map(({ paymentId }) => paymentId);
}

/** What the provider has of the run's rows, in the order of the file; null: nothing. */
export async function atTheProvider(payrun: PayrunUnderTest, runId: string): Promise<(SandboxPayment | null)[]> {
  const all = await paymentsAt(payrun.sandbox);
  return (await paymentIdsOf(payrun, runId)).map((paymentId) => {
    const ours = all.filter(({ referenceId }) => referenceId === referenceIdOf(paymentId, 1));
    if (ours.length > 1) throw new Error('a row was created twice');
    return ours[0] ?? null;
  });
}

export async function auditOf({ database }: PayrunUnderTest, runId: string): Promise<string[]> {
  const { rows } = await database.query<{ kind: string }>(
    'select kind from audit_entries where run_id = $1 order by entry_id',
    [runId],
  );
  return rows.map(({ kind }) => kind);
}

/** They end a run without paying it, or say what a person wrote elsewhere: another run must not be undecided for that. */
export const ENDS_A_RUN = new Set(['expireRun', 'finishRun', 'giveUpPayment', 'holdPayment', 'concludeResolution']);

import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';
import { paymentsAt, type SandboxPayment } from './sandbox-control.ts';

export async function paymentIdsOf({ application }: PayrunUnderTest, runId: string): Promise<string[]> {
  const rows = await application.listRows(runId, { limit: 100, afterLine: 0, state: null });
  return rows.map(({ paymentId }) => paymentId);
}

/** The provider's payment for each row of the run, in the order of the file; null: none. */
export async function providerPaymentsOf(payrun: PayrunUnderTest, runId: string): Promise<(SandboxPayment | null)[]> {
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

/** Activities that end a run without paying it, or apply a person's decision. */
export const RUN_ENDING_ACTIVITIES = new Set([
  'expireRun',
  'finishRun',
  'giveUpPayment',
  'holdPayment',
  'concludeManualOutcome',
]);

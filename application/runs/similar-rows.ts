import type { SimilarRow, SimilarRows } from '../../api/runs/row-detail.ts';
import type { Database } from '../../store/database/database.ts';
import { readSimilarPayments, type SimilarPayment } from '../../store/runs/similar-payments.ts';
import type { PayeeData } from '../../store/personal-data/payee-data.ts';
import { readRowsById } from '../../store/runs/run-rows.ts';
import { iso } from '../iso-time.ts';
import { mayUse } from '../users/signed-in.ts';
import { listedRow, type OpenedRow } from './opened-row.ts';
import { maskedRow, rowSummaryOf } from './row-summary.ts';

/** What a user may see of a row and of those like it: `accounts` as a user is limited to them. */
export interface RowAccess {
  withInstructions: boolean;
  accounts: readonly string[] | null;
}

/**
 * The rows that a suspected duplicate may pay a second time, each as far as a user may see it. Those of accounts that they may not use
 * (null: they may use all) are counted, and not shown.
 */
export async function similarRows(
  database: Database,
  payees: PayeeData,
  of: { paymentId: string },
  may: RowAccess,
): Promise<SimilarRows> {
  const { payments: found, count, hash } = await readSimilarPayments(database, of);
  // guard: similar-within-accounts
  const payments = found.filter(({ account }) => mayUse(may, account));
  const stored = await readRowsById(
    database,
    payments.map(({ paymentId }) => paymentId),
  );
  const rows = payments.flatMap((payment) => {
    const row = stored.get(payment.paymentId);
    return row === undefined ? [] : [similarRowOf(payment, listedRow(payees, row), may)];
  });
  return { rows, rowCount: count, hash };
}

function similarRowOf(
  { runId, fileName, submittedAt }: SimilarPayment,
  row: OpenedRow,
  { withInstructions }: RowAccess,
): SimilarRow {
  const whole = rowSummaryOf(row, null);
  const { line, rowRef, state, beneficiary, beneficiaryName, bankAccount, reference, payOn } = withInstructions
    ? whole
    : maskedRow(whole);
  const { sellCurrency, sellAmount, buyCurrency, buyAmount, expected } = whole;
  return {
    ...{ runId, fileName, line, rowRef, state, beneficiary, beneficiaryName, bankAccount },
    ...{ sellCurrency, sellAmount, buyCurrency, buyAmount, expected, reference, payOn },
    submittedAt: submittedAt.toISOString(),
    // A payment that was paid ended with that.
    paidAt: row.state === 'paid' ? iso(row.endedAt) : null,
  };
}

import { HISTORY_SETTINGS } from '../../domain/accounts/history-schedule.ts';
import { RECEIPT_SETTINGS } from '../../domain/accounts/receipt-schedule.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from './payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from './run-under-test.ts';
import { until } from './until.ts';

/** A payrun that soon reads histories and refunds of which no notification tells. */
export function startWithRefunds(): Promise<PayrunUnderTest> {
  const history = { ...HISTORY_SETTINGS, quietMs: 200, everyMs: 2_000, idleEveryMs: 2_000 };
  return startPayrun({
    settings: { history, receipts: { ...RECEIPT_SETTINGS, listEveryMs: 300, idleListEveryMs: 3_000 } },
  });
}

/** A run that is paid, and the provider's ids of its payments in the order of the file. */
export async function paidRun(payrun: PayrunUnderTest, rows: number): Promise<{ runId: string; paymentIds: string[] }> {
  const runId = await beginRun(payrun, newRows(rows));
  await untilPaid(payrun, runId);
  await untilRun(payrun.application, runId, 'completed');
  const { rows: payments } = await payrun.database.query<{ id: string }>(
    'select provider_payment_id as id from payments where run_id = $1 order by row_number',
    [runId],
  );
  return { runId, paymentIds: payments.map(({ id }) => id) };
}

export const rowsOf = ({ application }: PayrunUnderTest, runId: string) =>
  application.listRows(runId, { limit: 100, afterLine: 0, state: null });

export const refundsOf = async ({ application, checker }: PayrunUnderTest, runId: string) =>
  (
    await application.listRefunds(checker, {
      ...{ account: null, currency: null, run: runId, state: null, limit: 100 },
    })
  ).refunds;

/** Waits until so many rows of the run are returned. */
export const untilReturned = (payrun: PayrunUnderTest, runId: string, count: number) =>
  until(async () => {
    const returned = (await rowsOf(payrun, runId)).filter(({ state }) => state === 'returned');
    return returned.length === count ? returned : null;
  });

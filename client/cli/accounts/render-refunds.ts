import type { Refund } from '../../sdk/index.ts';
import { textTable } from '../text-table.ts';
import { duration, moment, money, words } from '../wording.ts';

/** Refunds as a table. `hasMore`: there are older ones. */
export function renderRefunds(refunds: readonly Refund[], hasMore: boolean): string {
  if (refunds.length === 0) return 'There are no such refunds.';
  const table = textTable(
    [
      { title: 'Refund', maxWidth: 40 },
      { title: 'Account', maxWidth: 20 },
      { title: 'Amount', align: 'right' },
      { title: 'State' },
      { title: 'Row', maxWidth: 24 },
      { title: 'Payment' },
      { title: 'Run' },
      { title: 'Remarks', maxWidth: 60 },
    ],
    refunds.map((refund) => [
      refund.refundId,
      refund.account,
      refund.amount === null ? '' : `${refund.currency ?? ''} ${money(refund.amount)}`,
      stateOf(refund),
      refund.rowRef ?? '',
      refund.paymentState === null ? 'not of a run' : words(refund.paymentState),
      refund.runId ?? '',
      refund.remarks ?? '',
    ]),
  );
  return hasMore ? `${table}\n… and older ones: --limit shows more` : table;
}

function stateOf({ state, creditedAt, ageSeconds }: Refund): string {
  return creditedAt === null ? `${state} for ${duration(ageSeconds)}` : `${state} on ${moment(creditedAt)}`;
}

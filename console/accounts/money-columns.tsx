import { Money, When } from '../elements/values.tsx';
import { type Column, compareAmounts } from '../elements/table.tsx';

export const AMOUNT: Column<{ amount: string | null; currency: string | null }> = {
  name: 'Amount',
  align: 'right',
  compare: (one, other) => compareAmounts(one.amount, other.amount),
  cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
};

/** When the money was found in the history. */
export const MONEY_SEEN: Column<{ creditedAt: string | null }> = {
  name: 'Money seen',
  align: 'right',
  cell: ({ creditedAt }) => (creditedAt === null ? <span className="muted">not yet</span> : <When at={creditedAt} />),
};

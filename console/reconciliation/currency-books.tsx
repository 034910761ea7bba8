import type { ReactNode } from 'react';
import type { BreakSummary } from '../../api/reconciliation/break.ts';
import { isZero } from '../elements/decimals.ts';
import { Money } from '../elements/values.tsx';
import { counted, formatCount, inWords } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { Notice, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { type Book, type DayAmounts, amountsOf } from './day-amounts.ts';
import { capitalized } from '../../domain/capitalized.ts';

interface Line {
  name: string;
  count?: number;
  amount: ReactNode;
  isSum?: boolean;
}

const COLUMNS: readonly Column<Line>[] = [
  {
    name: 'What',
    cell: ({ name, count, isSum = false }) => (
      <>
        {isSum ? <strong>{name}</strong> : name}
        {count === undefined ? null : <span className="muted"> · {counted(count, 'entry', 'entries')}</span>}
      </>
    ),
  },
  { name: 'Amount', align: 'right', cell: ({ amount, isSum = false }) => (isSum ? <strong>{amount}</strong> : amount) },
];

/** One currency: from the opening balance over what moved to the closing one, and what the provider shows beside it. */
export function CurrencyBooks({ book, breaks }: { book: Book; breaks: readonly BreakSummary[] }): ReactNode {
  const { currency, late } = book;
  const amounts = amountsOf(book, breaks);
  return (
    <Section
      title={currency}
      aside={
        book.isComplete ? (
          <Mark tone="paid">leads to a balance that the provider showed</Mark>
        ) : amounts.shown === null ? (
          <Mark tone="waiting">not confirmed by a later balance yet</Mark>
        ) : (
          <Mark tone="failed">the provider showed another balance</Mark>
        )
      }
    >
      <div className="stack">
        <Table
          label={`Books in ${currency}`}
          rows={linesOf(amounts, currency)}
          columns={COLUMNS}
          keyOf={({ name }) => name}
        />
        {late.length === 0 ? null : (
          <Notice tone="waiting">{formatCount(late.length)} entries are dated on an earlier day.</Notice>
        )}
      </div>
    </Section>
  );
}

function linesOf(amounts: DayAmounts, currency: string): Line[] {
  const { opening, movements, computed, byHistory, shown, difference } = amounts;
  const money = (amount: string | null): ReactNode => <Money amount={amount} currency={currency} />;
  return [
    { name: 'Opening balance', amount: money(opening) },
    ...movements.map(({ entryClass, count, amount }) => ({
      name: capitalized(inWords(entryClass)),
      count,
      amount: money(amount),
    })),
    { name: 'Closing balance, computed', amount: money(computed), isSum: true },
    { name: "Closing balance of the provider's history", amount: money(byHistory) },
    {
      name: 'Balance that the provider showed afterwards',
      amount: shown === null ? <span className="muted">not known yet</span> : money(shown),
    },
    {
      name: shown === null ? 'Difference to the history' : 'Difference',
      amount:
        difference === null ? (
          money(null)
        ) : (
          <Mark tone={isZero(difference) ? 'paid' : 'failed'}>{money(difference)}</Mark>
        ),
      isSum: true,
    },
  ];
}

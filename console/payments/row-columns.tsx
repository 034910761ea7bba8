import type { ReactNode } from 'react';
import type { RowSummary } from '../../api/runs/row.ts';
import { Money } from '../elements/values.tsx';
import { formatCount, inWords } from '../elements/formats.ts';
import { RowStateMark } from '../runs/run-states.tsx';
import { beneficiaryOf } from './row-words.ts';

interface RowColumn {
  name: string;
  className: string;
  cell: (row: RowSummary) => ReactNode;
}

export const ROW_COLUMNS: readonly RowColumn[] = [
  { name: 'Line', className: 'grid-line numbers wide-only', cell: ({ line }) => formatCount(line) },
  { name: 'Reference', className: 'grid-ref', cell: ({ rowRef }) => rowRef },
  {
    name: 'Beneficiary',
    className: 'grid-name',
    cell: (row) =>
      row.beneficiary === null ? <span className="muted">{beneficiaryOf(row)}</span> : beneficiaryOf(row),
  },
  { name: 'Amount', className: 'grid-amount', cell: (row) => <FixedAmount row={row} /> },
  { name: 'State', className: 'grid-state', cell: ({ state }) => <RowStateMark state={state} /> },
  {
    name: 'Problem',
    className: 'grid-why muted wide-only',
    cell: (row) => row.errorMessage ?? (row.errorCode === null ? standsOut(row) : inWords(row.errorCode)),
  },
];

/** What stands out about a row, in words; nothing: an empty text. */
export function standsOut({ marks }: RowSummary): string {
  return marks === null ? 'looking for what stands out …' : marks.map(inWords).join(', ');
}

/** The amount that the row fixes: what the beneficiary gets, or what is spent. */
export function FixedAmount({ row }: { row: RowSummary }): ReactNode {
  if (row.buyAmount !== null) return <Money amount={row.buyAmount} currency={row.buyCurrency} />;
  return <Money amount={row.sellAmount} currency={row.sellCurrency} />;
}

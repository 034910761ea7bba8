import type { ReactNode } from 'react';
import type { RowSummary } from '../../api/runs/row.ts';
import { Money } from '../elements/values.tsx';
import { accountText, beneficiaryOf } from './row-words.ts';

/** What the beneficiary gets; the currency alone before that is known. */
export function AmountGot({ row }: { row: Pick<RowSummary, 'buyAmount' | 'buyCurrency'> }): ReactNode {
  return row.buyAmount === null ? (
    (row.buyCurrency ?? '–')
  ) : (
    <Money amount={row.buyAmount} currency={row.buyCurrency} />
  );
}

/** What is spent; the currency alone before that is known. */
export function AmountSpent({ row }: { row: Pick<RowSummary, 'sellAmount' | 'sellCurrency'> }): ReactNode {
  return row.sellAmount === null ? (
    (row.sellCurrency ?? '–')
  ) : (
    <Money amount={row.sellAmount} currency={row.sellCurrency} />
  );
}

/** Which row a dialog is about: its line, whom it pays, and how much. */
export function factsOf(row: RowSummary): readonly (readonly [string, ReactNode] | null)[] {
  const account = accountText(row.bankAccount);
  return [
    ['Row', `${row.rowRef}, line ${row.line}`],
    ['Beneficiary', beneficiaryOf(row)],
    account === null ? null : ['Account', account],
    ['They get', <AmountGot key="got" row={row} />],
    ['We spend', <AmountSpent key="spent" row={row} />],
  ];
}

import type { ReactNode } from 'react';
import type { RowSummary } from '../../api/runs/row.ts';
import { Money } from '../elements/values.tsx';
import { accountText, beneficiaryOf } from './row-words.ts';

type Row = Pick<RowSummary, 'buyAmount' | 'buyCurrency' | 'sellAmount' | 'sellCurrency'> &
  Partial<Pick<RowSummary, 'expected'>>;

/** What the beneficiary gets, or is expected to get; the currency alone where neither is known. */
export function AmountGot({ row }: { row: Row }): ReactNode {
  return <Known amount={row.buyAmount} expected={row.expected?.buys ?? null} of={row.buyCurrency} />;
}

/** As `AmountGot`, of what is spent, without fees. */
export function AmountSpent({ row }: { row: Row }): ReactNode {
  return <Known amount={row.sellAmount} expected={row.expected?.sells ?? null} of={row.sellCurrency} />;
}

function Known({ amount, expected, of }: { amount: string | null; expected: string | null; of: string | null }) {
  if (amount !== null) return <Money amount={amount} currency={of} />;
  if (expected === null) return of ?? '–';
  return (
    <>
      about <Money amount={expected} currency={of} />
    </>
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

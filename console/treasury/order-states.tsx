import type { ReactNode } from 'react';
import type { OrderSummary } from '../../api/treasury/order.ts';
import {
  CONVERSION_STATE_TABLE,
  CONVERSION_STATES,
  type ConversionState,
} from '../../domain/treasury/conversion-state.ts';
import { Money } from '../elements/values.tsx';
import { Mark, type Tone } from '../elements/mark.tsx';

export const ORDER_STATES = CONVERSION_STATES.map((value) => ({ value, label: CONVERSION_STATE_TABLE[value].word }));

export function OrderStateMark({ state }: { state: ConversionState }): ReactNode {
  return <Mark tone={CONVERSION_STATE_TABLE[state].tone}>{CONVERSION_STATE_TABLE[state].word}</Mark>;
}

export function toneOfOrder(state: ConversionState): Tone {
  return CONVERSION_STATE_TABLE[state].tone;
}

/** What the order fixes: the amount to sell, or the amount to buy. */
export function FixedSide(props: {
  order: Pick<OrderSummary, 'fixedSide' | 'amount' | 'sellCurrency' | 'buyCurrency'>;
}): ReactNode {
  const { fixedSide, amount, sellCurrency, buyCurrency } = props.order;
  return (
    <>
      {fixedSide} <Money amount={amount} currency={fixedSide === 'sell' ? sellCurrency : buyCurrency} />
    </>
  );
}

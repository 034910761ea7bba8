import type { ReactNode } from 'react';
import type { OrderSummary } from '../../api/treasury/order.ts';
import { Money } from '../elements/figures.tsx';
import { Mark, type Tone } from '../elements/mark.tsx';

type OrderState = OrderSummary['state'];

const STATES: Readonly<Record<OrderState, { word: string; tone: Tone }>> = {
  proposed: { word: 'Placed', tone: 'moving' },
  in_approval: { word: 'Waits for approval', tone: 'waiting' },
  approved: { word: 'Approved', tone: 'moving' },
  quoted: { word: 'Quoted', tone: 'moving' },
  committed: { word: 'Being created', tone: 'moving' },
  created: { word: 'Created', tone: 'moving' },
  funding: { word: 'Being funded', tone: 'moving' },
  funded: { word: 'Funded', tone: 'moving' },
  completed: { word: 'Completed', tone: 'moving' },
  settled: { word: 'Settled', tone: 'paid' },
  declined: { word: 'Declined', tone: 'neutral' },
  expired: { word: 'Expired', tone: 'neutral' },
  skipped: { word: 'Skipped', tone: 'neutral' },
  missed: { word: 'Missed', tone: 'neutral' },
  held: { word: 'Held', tone: 'waiting' },
  lapsed: { word: 'Lapsed', tone: 'failed' },
  unknown: { word: 'Unknown', tone: 'unknown' },
};

export const ORDER_STATES = Object.entries(STATES).map(([value, { word }]) => ({ value, label: word }));

export function OrderStateMark({ state }: { state: OrderState }): ReactNode {
  return <Mark tone={STATES[state].tone}>{STATES[state].word}</Mark>;
}

export function toneOfOrder(state: OrderState): Tone {
  return STATES[state].tone;
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

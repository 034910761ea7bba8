import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OrderDetail } from '../../api/treasury/order.ts';
import { api } from '../calls/api.ts';
import { Stat, Money, When } from '../elements/values.tsx';
import { inWords, withoutFullStop } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Facts, Notice, Page, Section } from '../elements/page.tsx';
import { Timeline } from '../elements/timeline.tsx';
import { useParam } from '../elements/use-address.ts';
import { useTopic } from '../shell/live.tsx';
import { Guards } from './guards.tsx';
import { OrderActions } from './order-actions.tsx';
import { OrderStateMark, toneOfOrder } from './order-states.tsx';
import { OtherAmounts } from './provider-amounts.tsx';
import { capitalized } from '../../domain/capitalized.ts';

/** One conversion: its terms, its price, what each guard said, who decided, what was sent. */
export function OrderPage(): ReactNode {
  const orderId = useParam('orderId');
  useTopic(`order:${orderId}`);
  const order = useQuery({
    queryKey: ['order', orderId],
    queryFn: ({ signal }) => api.getOrder({ orderId }, { signal }),
    refetchInterval: 10_000,
  });
  const { data } = order;
  return (
    <Page
      title={data === undefined ? 'Conversion' : `${data.sellCurrency} to ${data.buyCurrency}`}
      under={data === undefined ? undefined : <Under order={data} />}
      actions={data === undefined ? undefined : <OrderActions order={data} />}
    >
      <Loaded query={order}>{(found) => <Order order={found} />}</Loaded>
    </Page>
  );
}

function Under({ order }: { order: OrderDetail }): ReactNode {
  return (
    <span className="row">
      <OrderStateMark state={order.state} />
      <span>
        placed by {order.placedBy.name} <When at={order.placedAt} />
      </span>
      <span>account {order.account}</span>
      <span>
        expires <When at={order.expiresAt} />
      </span>
    </span>
  );
}

function Order({ order }: { order: OrderDetail }): ReactNode {
  const { quote, sellCurrency, buyCurrency } = order;
  return (
    <>
      <Notice tone={toneOfOrder(order.state)} title={withoutFullStop(order.sentences.status)}>
        {order.sentences.toDo === null ? null : <div>{order.sentences.toDo}</div>}
        {order.stateReason === null ? null : <div>{inWords(order.stateReason)}</div>}
        {order.providerMessage === null ? null : <div>The provider wrote: “{order.providerMessage}”</div>}
      </Notice>
      {quote === null ? null : (
        <div className="cards">
          <Stat label="Sells, with fees">
            <Money amount={quote.totalAmount} currency={sellCurrency} />
          </Stat>
          <Stat label="Buys">
            <Money amount={quote.buyAmount} currency={buyCurrency} />
          </Stat>
          <Stat label="Fees">
            <Money amount={quote.totalFees} currency={sellCurrency} />
          </Stat>
          <Stat label="Worse than the reference, bps">{order.costBps ?? '–'}</Stat>
        </div>
      )}
      <OtherAmounts order={order} />
      <div className="columns">
        <Section title="Terms">
          <Terms order={order} />
        </Section>
        <Section title="Guards">
          <Guards findings={order.findings} />
        </Section>
      </div>
      <History order={order} />
    </>
  );
}

const DEBITS: Readonly<Record<NonNullable<OrderDetail['fundingEvidence']>['debit'], string>> = {
  seen: 'the total has left the balance',
  absent: 'none, and the history is complete',
  incomplete: 'not known: entries are missing',
  contested: 'an equal one, which may be of others',
};

function Terms({ order }: { order: OrderDetail }): ReactNode {
  const { sellCurrency, buyCurrency, fixedSide, limitPrice, quote } = order;
  return (
    <Facts
      of={[
        ['Fixed', <Money key="a" amount={order.amount} currency={fixedSide === 'sell' ? sellCurrency : buyCurrency} />],
        ['Worst price', limitPrice === null ? 'no limit' : priceInWords(limitPrice, sellCurrency, buyCurrency)],
        ['Most it may cost', order.maxCostBps === null ? 'no limit' : `${order.maxCostBps} basis points`],
        [
          'Most it may sell',
          order.cap === null ? 'no cap' : <Money key="c" amount={order.cap} currency={sellCurrency} />,
        ],
        ['An approval covers', <Money key="v" amount={order.approvedUpTo} currency={sellCurrency} />],
        ['Reference price from', order.reference],
        ["Provider's rate", quote?.rate],
        ["Provider's id", order.conversionId],
        ['Provider shows', order.providerStatus === null ? null : inWords(order.providerStatus)],
        order.fundingEvidence === null
          ? null
          : [
              'Debit in the history',
              <>
                {DEBITS[order.fundingEvidence.debit]}, read <When at={order.fundingEvidence.readAt} />
              </>,
            ],
        order.fundingCutoffAt === null ? null : ['To be funded before', <When key="f" at={order.fundingCutoffAt} />],
        [
          'Terms',
          <code key="h" className="mono">
            {order.orderHash.slice(0, 16)}
          </code>,
        ],
      ]}
    />
  );
}

function priceInWords(price: NonNullable<OrderDetail['limitPrice']>, sell: string, buy: string): string {
  return 'buyPerSellAtLeast' in price
    ? `at least ${price.buyPerSellAtLeast} ${buy} for 1 ${sell}`
    : `at most ${price.sellPerBuyAtMost} ${sell} for 1 ${buy}`;
}

function History({ order }: { order: OrderDetail }): ReactNode {
  const moments = [
    ...order.decisions.map(({ decision, by, at, reason }) => ({
      at,
      title: `${capitalized(decision)} by ${by.name}`,
      detail: reason === null ? '' : `“${reason}”`,
    })),
    ...order.requests.map(({ operation, begunAt, outcome, httpStatus }) => ({
      at: begunAt,
      title: `${capitalized(operation)} ${outcome === null ? 'outcome not known' : inWords(outcome)}`,
      detail: httpStatus === null ? 'no answer' : `status ${httpStatus}`,
    })),
    ...order.manualOutcomes.map(({ outcome, proposedBy, proposedAt, reason, state }) => ({
      at: proposedAt,
      title: `${proposedBy.name} says: ${inWords(outcome)}`,
      detail: `${reason ?? 'the reason was erased'} · ${state}`,
    })),
  ].sort((one, other) => one.at.localeCompare(other.at));
  return (
    <Section title="What happened">
      {moments.length === 0 ? <span className="muted">Nothing yet.</span> : null}
      <Timeline moments={moments} />
    </Section>
  );
}

import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import type { NewOrderRequest, OrderTrial } from '../../api/treasury/order.ts';
import { placeOrder, tryOrder } from '../calls/treasury-calls.ts';
import { Figure, Money } from '../elements/figures.tsx';
import { Failed, Notice, Page, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { Guards } from './guards.tsx';

interface Terms {
  sellCurrency: string;
  buyCurrency: string;
  fixedSide: 'sell' | 'buy';
  amount: string;
  price: string;
  maxCostBps: string;
  cap: string;
  account: string;
}

const EMPTY: Terms = {
  ...{ sellCurrency: '', buyCurrency: '', fixedSide: 'sell', amount: '' },
  ...{ price: '', maxCostBps: '', cap: '', account: '' },
};

/** An order to convert: tried first, which commits nothing, and then placed. */
export function NewOrderPage(): ReactNode {
  const navigate = useNavigate();
  const [terms, setTerms] = useState(EMPTY);
  const [key, setKey] = useState(() => crypto.randomUUID());
  const attempt = useAction((given: Terms) => tryOrder(requestOf(given)));
  const place = useAction((given: Terms) => placeOrder(requestOf(given), key), {
    changes: [['orders'], ['inbox']],
    then: ({ orderId }) => void navigate({ to: `/treasury/conversions/${orderId}` }),
  });
  const change = (parts: Partial<Terms>): void => {
    // Other terms are another order, and what was tried is not about them.
    setTerms({ ...terms, ...parts });
    setKey(crypto.randomUUID());
    attempt.reset();
    place.reset();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    attempt.do(terms);
  };
  return (
    <Page
      title="New conversion"
      under="Try it first: nothing is committed before you place it, and before it is approved."
    >
      <form className="stack" style={{ maxWidth: 560 }} onSubmit={submit}>
        <TermFields terms={terms} onChange={change} />
        <div>
          <Button type="submit" variant="default" loading={attempt.isRunning} disabled={!isComplete(terms)}>
            What would it cost?
          </Button>
        </div>
      </form>
      {attempt.error === null ? null : <Failed error={attempt.error} />}
      {attempt.answer === undefined ? null : <Trial trial={attempt.answer} />}
      {place.error === null ? null : <Failed error={place.error} />}
      {attempt.answer === undefined ? null : (
        <div>
          <Button loading={place.isRunning} onClick={() => place.do(terms)}>
            Place the order
          </Button>
        </div>
      )}
    </Page>
  );
}

function TermFields({ terms, onChange }: { terms: Terms; onChange: (parts: Partial<Terms>) => void }): ReactNode {
  const text = (
    name: Exclude<keyof Terms, 'fixedSide'>,
    label: string,
    more: { hint?: string; isNeeded?: boolean } = {},
  ): ReactNode => (
    <TextInput
      label={label}
      description={more.hint}
      required={more.isNeeded === true}
      style={{ flex: '1 1 200px' }}
      value={terms[name]}
      onChange={(event) => {
        const value = event.currentTarget.value.trim();
        onChange({ [name]: name.endsWith('Currency') ? value.toUpperCase() : value });
      }}
    />
  );
  const { fixedSide, sellCurrency, buyCurrency } = terms;
  return (
    <>
      <div className="row" style={{ alignItems: 'end' }}>
        {text('sellCurrency', 'Sell', { isNeeded: true })}
        {text('buyCurrency', 'Buy', { isNeeded: true })}
      </div>
      <div className="row" style={{ alignItems: 'end' }}>
        {text('amount', 'Amount', { isNeeded: true })}
        <SegmentedControl
          aria-label="Which side the amount fixes"
          data={[
            { value: 'sell', label: `is sold${sellCurrency === '' ? '' : `, ${sellCurrency}`}` },
            { value: 'buy', label: `is bought${buyCurrency === '' ? '' : `, ${buyCurrency}`}` },
          ]}
          value={fixedSide}
          onChange={(value) => onChange({ fixedSide: value === 'buy' ? 'buy' : 'sell' })}
        />
      </div>
      {text('price', 'Worst price', {
        hint: 'Units bought for one sold, at least, with the fees: 0.9150. Empty: no limit.',
      })}
      {text('maxCostBps', 'Most it may cost, basis points', { hint: 'Against the reference price. Empty: no limit.' })}
      {text('cap', 'Most it may sell, with the fees', {
        hint: fixedSide === 'buy' ? 'This or a worst price is needed.' : 'Empty: no cap.',
      })}
      {text('account', 'Account', { hint: 'Leave it empty if there is only one.' })}
    </>
  );
}

function isComplete({ sellCurrency, buyCurrency, amount }: Terms): boolean {
  return sellCurrency.length === 3 && buyCurrency.length === 3 && amount !== '';
}

function requestOf(terms: Terms): NewOrderRequest {
  const { sellCurrency, buyCurrency, fixedSide, amount, price, maxCostBps, cap, account } = terms;
  const given = (text: string): string | null => (text === '' ? null : text);
  return {
    ...{ sellCurrency, buyCurrency, fixedSide, amount, account: given(account) },
    ...{ maxCostBps: given(maxCostBps), cap: given(cap) },
    limitPrice: price === '' ? null : { buyPerSellAtLeast: price },
  };
}

const DECISIONS = {
  commit: { tone: 'paid', text: 'It would be carried out now.' },
  ask_for_approval: { tone: 'waiting', text: 'It would wait for the approval of another person.' },
  skip: { tone: 'failed', text: 'It would be skipped: a guard refuses it.' },
  hold: { tone: 'failed', text: 'It would be held.' },
  expire: { tone: 'failed', text: 'It would expire.' },
} as const;

function Trial({ trial }: { trial: OrderTrial }): ReactNode {
  const { quote, problem, decision, sellCurrency, buyCurrency } = trial;
  return (
    <Section title="What it would be now">
      <div className="stack">
        <Notice tone={DECISIONS[decision].tone} title={DECISIONS[decision].text}>
          {problem === null ? null : `The provider says: ${problem}`}
        </Notice>
        {quote === null ? null : (
          <div className="cards">
            <Figure label="Sells, with fees">
              <Money amount={quote.totalAmount} currency={sellCurrency} />
            </Figure>
            <Figure label="Buys">
              <Money amount={quote.buyAmount} currency={buyCurrency} />
            </Figure>
            <Figure label="Price, with fees">{trial.price ?? '–'}</Figure>
            <Figure label="Worse than the reference, bps">{trial.costBps ?? '–'}</Figure>
          </div>
        )}
        <Guards findings={trial.findings} />
      </div>
    </Section>
  );
}

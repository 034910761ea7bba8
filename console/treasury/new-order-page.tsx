import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import type { ConversionDryRun } from '../../api/treasury/order.ts';
import { api } from '../calls/api.ts';
import { Stat, Money } from '../elements/values.tsx';
import { Failed, Notice, Page, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { Guards } from './guards.tsx';
import { isComplete, NO_TERMS, type OrderTerms, orderRequestOf } from './order-terms.ts';

/** An order to convert: tried first, which commits nothing, and then placed. */
export function NewOrderPage(): ReactNode {
  const navigate = useNavigate();
  const [terms, setTerms] = useState(NO_TERMS);
  const [key, setKey] = useState(() => crypto.randomUUID());
  const attempt = useAction((given: OrderTerms) => api.dryRunOrder(orderRequestOf(given)));
  const place = useAction(
    (given: OrderTerms) => api.placeOrder(orderRequestOf(given), { headers: { 'idempotency-key': key } }),
    {
      changes: [['orders'], ['inbox']],
      then: ({ orderId }) => void navigate({ to: `/treasury/conversions/${orderId}` }),
    },
  );
  const change = (parts: Partial<OrderTerms>): void => {
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
      {attempt.answer === undefined ? null : <DryRun dryRun={attempt.answer} />}
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

const PRICES = {
  sold: { label: 'for one sold', hint: 'Units bought for one sold, at least, with the fees: 0.9150. Empty: no limit.' },
  bought: {
    label: 'for one bought',
    hint: 'Units sold for one bought, at most, with the fees: 1.3500. Empty: no limit.',
  },
} as const;

function TermFields({
  terms,
  onChange,
}: {
  terms: OrderTerms;
  onChange: (parts: Partial<OrderTerms>) => void;
}): ReactNode {
  const text = (
    name: Exclude<keyof OrderTerms, 'fixedSide' | 'priceOf' | 'expires'>,
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
  const { fixedSide, sellCurrency, buyCurrency, priceOf } = terms;
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
      <div className="row" style={{ alignItems: 'end' }}>
        {text('price', 'Worst price', { hint: PRICES[priceOf].hint })}
        <SegmentedControl
          aria-label="Which way the worst price is given"
          data={Object.entries(PRICES).map(([value, { label }]) => ({ value, label }))}
          value={priceOf}
          // A price of the other direction would be another limit.
          onChange={(value) => onChange({ priceOf: value === 'bought' ? 'bought' : 'sold', price: '' })}
        />
      </div>
      {text('maxCostBps', 'Most it may cost, basis points', { hint: 'Against the reference price. Empty: no limit.' })}
      {text('cap', 'Most it may sell, with the fees', {
        hint: fixedSide === 'buy' ? 'This or a worst price is needed.' : 'Empty: no cap.',
      })}
      <TextInput
        type="datetime-local"
        label="Expires"
        description="In the time of your device: nothing is created after it. Empty: a day from now."
        value={terms.expires}
        onChange={(event) => onChange({ expires: event.currentTarget.value })}
      />
      {text('account', 'Account', { hint: 'Leave it empty if there is only one.' })}
    </>
  );
}

const DECISIONS = {
  commit: { tone: 'paid', text: 'It would be carried out now.' },
  ask_for_approval: { tone: 'waiting', text: 'It would wait for the approval of another person.' },
  skip: { tone: 'failed', text: 'It would be skipped: a guard refuses it.' },
  hold: { tone: 'failed', text: 'It would be held.' },
  expire: { tone: 'failed', text: 'It would expire.' },
} as const;

function DryRun({ dryRun }: { dryRun: ConversionDryRun }): ReactNode {
  const { quote, problem, decision, sellCurrency, buyCurrency } = dryRun;
  return (
    <Section title="What it would be now">
      <div className="stack">
        <Notice tone={DECISIONS[decision].tone} title={DECISIONS[decision].text}>
          {problem === null ? null : `The provider says: ${problem}`}
        </Notice>
        {quote === null ? null : (
          <div className="cards">
            <Stat label="Sells, with fees">
              <Money amount={quote.totalAmount} currency={sellCurrency} />
            </Stat>
            <Stat label="Buys">
              <Money amount={quote.buyAmount} currency={buyCurrency} />
            </Stat>
            <Stat label="Price, with fees">{dryRun.price ?? '–'}</Stat>
            <Stat label="Worse than the reference, bps">{dryRun.costBps ?? '–'}</Stat>
          </div>
        )}
        <Guards findings={dryRun.findings} />
      </div>
    </Section>
  );
}

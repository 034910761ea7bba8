import { Button, Input, SegmentedControl, Select, TextInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useBalances } from '../accounts/use-balances.ts';
import { Unread } from '../elements/unread.tsx';
import { NO_SOURCE, type ScheduleDraft, type Source } from './schedule-draft.ts';
import { DraftField, type FieldsProps, problemAt } from './schedule-field.tsx';
import { KINDS } from './schedule-words.ts';

const KIND_OPTIONS = Object.entries(KINDS).map(([value, label]) => ({ value, label }));

/** What it converts, and the limits of each of its orders. */
export function AmountFields(props: FieldsProps & { isNew: boolean }): ReactNode {
  const { draft, isNew, onChange } = props;
  const accountsId = useId();
  const balances = useBalances();
  const data = balances.data ?? [];
  return (
    <fieldset className="fields">
      <legend>What</legend>
      <Select
        label="Kind"
        allowDeselect={false}
        data={KIND_OPTIONS}
        value={draft.kind}
        onChange={(kind) => onChange({ kind: (kind ?? draft.kind) as ScheduleDraft['kind'] })}
      />
      <div className="row fields-row">
        <DraftField {...props} name="name" field="name" label="Name" isNeeded isFixed={!isNew} />
        <DraftField
          {...props}
          name="account"
          field="account"
          label="Account"
          isNeeded
          isFixed={!isNew}
          list={accountsId}
        />
      </div>
      <Unread query={balances} what="The accounts" />
      <datalist id={accountsId}>
        {data.map(({ account }) => (
          <option key={account} value={account} />
        ))}
      </datalist>
      {draft.kind === 'fund_run' ? <FundingFields {...props} /> : <PairFields {...props} />}
      <DraftField
        {...props}
        name="maxCostBps"
        field="max_cost_bps"
        label="Most it may cost, basis points"
        hint="Against the reference price. Empty: no limit."
      />
    </fieldset>
  );
}

function PairFields(props: FieldsProps): ReactNode {
  const { draft, onChange } = props;
  const { kind, sell, buy } = draft;
  return (
    <>
      <div className="row fields-row">
        <DraftField {...props} name="sell" field="sell" label="Sell" isNeeded />
        <DraftField {...props} name="buy" field="buy" label="Buy" isNeeded />
      </div>
      <KindFields {...props} />
      <div className="row fields-row">
        <DraftField
          {...props}
          name="maxOrder"
          field="max_order"
          label={`Most for one order${sell === '' ? '' : `, ${sell}`}`}
          hint="With the fees. The second person allows orders up to it."
          isNeeded
        />
        {kind === 'fixed_amount' ? null : (
          <DraftField
            {...props}
            name="minOrder"
            field="min_order"
            label={`Minimum of one order${suffixOf(kind === 'top_up' ? buy : sell)}`}
            hint="Less is left for the next time. Empty: none."
          />
        )}
      </div>
      <div className="row fields-row">
        <DraftField
          {...props}
          name="limitPrice"
          field="limit_price"
          label="Worst price"
          hint="With the fees. Empty: no limit."
        />
        <Input.Wrapper label="The price is" style={{ flex: '1 1 200px' }}>
          <SegmentedControl
            aria-label="How the worst price is given"
            fullWidth
            data={[
              { value: 'buy_per_sell_at_least', label: `${buy || 'bought'} for 1 ${sell || 'sold'}` },
              { value: 'sell_per_buy_at_most', label: `${sell || 'sold'} for 1 ${buy || 'bought'}` },
            ]}
            value={draft.limitSide}
            onChange={(value) =>
              onChange({
                limitSide: value === 'sell_per_buy_at_most' ? 'sell_per_buy_at_most' : 'buy_per_sell_at_least',
              })
            }
          />
        </Input.Wrapper>
      </div>
    </>
  );
}

function suffixOf(currency: string): string {
  return currency === '' ? '' : `, ${currency}`;
}

function KindFields(props: FieldsProps): ReactNode {
  const { draft, onChange } = props;
  const { kind, sell, buy, fixedSide } = draft;
  if (kind === 'sweep') {
    const hint = 'What is free above it is sold.';
    return <DraftField {...props} name="floor" field="floor" label={`Floor${suffixOf(sell)}`} hint={hint} isNeeded />;
  }
  if (kind === 'top_up') {
    const hint = 'What is missing to it is bought.';
    return <DraftField {...props} name="level" field="level" label={`Level${suffixOf(buy)}`} hint={hint} isNeeded />;
  }
  return (
    <div className="row fields-row">
      <DraftField
        {...props}
        name="amount"
        field="amount"
        label={`Amount${suffixOf(fixedSide === 'sell' ? sell : buy)}`}
        isNeeded
      />
      <Input.Wrapper label="The amount is" style={{ flex: '1 1 200px' }}>
        <SegmentedControl
          aria-label="Which side the amount fixes"
          fullWidth
          data={[
            { value: 'sell', label: `sold${suffixOf(sell)}` },
            { value: 'buy', label: `bought${suffixOf(buy)}` },
          ]}
          value={fixedSide}
          onChange={(value) => onChange({ fixedSide: value === 'buy' ? 'buy' : 'sell' })}
        />
      </Input.Wrapper>
    </div>
  );
}

function FundingFields(props: FieldsProps): ReactNode {
  return (
    <>
      <div className="row fields-row">
        <DraftField
          {...props}
          name="horizonDays"
          field="horizon_days"
          label="Days ahead"
          hint="Approved rows that are due within them count."
          isNeeded
        />
        <DraftField
          {...props}
          name="marginPercent"
          field="margin_percent"
          label="Margin, percent"
          hint="On the planned costs: rates and fees may change."
          isNeeded
        />
      </div>
      <DraftField
        {...props}
        name="bought"
        field="buy"
        label="Currencies that may be bought"
        hint="With commas: EUR, SGD"
        isNeeded
      />
      <Sources {...props} />
      <Floors {...props} />
    </>
  );
}

function Sources({ draft, problems, onChange }: FieldsProps): ReactNode {
  const { sources } = draft;
  const change = (index: number, parts: Partial<Source>): void =>
    onChange({ sources: sources.map((source, at) => (at === index ? { ...source, ...parts } : source)) });
  return (
    <Input.Wrapper label="Currencies that may be sold, in this order" withAsterisk labelElement="div">
      <div className="stack" style={{ gap: 8 }}>
        {sources.map((source, index) => (
          <div className="row fields-row" key={index}>
            {(['currency', 'min_order', 'max_order'] as const).map((key) => (
              <TextInput
                key={key}
                label={SOURCE_LABELS[key]}
                aria-label={`${SOURCE_LABELS[key]} of source ${index + 1}`}
                style={{ flex: '1 1 120px' }}
                error={problemAt(problems, `sources.${index}.${key}`)}
                value={source[key]}
                onChange={({ currentTarget: { value } }) =>
                  change(index, { [key]: key === 'currency' ? value.toUpperCase() : value })
                }
              />
            ))}
            {sources.length === 1 ? null : (
              <Button
                size="xs"
                variant="subtle"
                aria-label={`Remove source ${index + 1}`}
                onClick={() => onChange({ sources: sources.filter((_, at) => at !== index) })}
              >
                Remove
              </Button>
            )}
          </div>
        ))}
        <div>
          <Button size="xs" variant="default" onClick={() => onChange({ sources: [...sources, NO_SOURCE] })}>
            Add a currency
          </Button>
        </div>
      </div>
    </Input.Wrapper>
  );
}

const SOURCE_LABELS = { currency: 'Currency', min_order: 'Least order', max_order: 'Most for one order' } as const;

function Floors({ draft, problems, onChange }: FieldsProps): ReactNode {
  const { floors } = draft;
  const change = (index: number, parts: Partial<(typeof floors)[number]>): void =>
    onChange({ floors: floors.map((floor, at) => (at === index ? { ...floor, ...parts } : floor)) });
  return (
    <Input.Wrapper label="To keep in each balance" labelElement="div" error={problemAt(problems, 'floors')}>
      <div className="stack" style={{ gap: 8 }}>
        {floors.map(({ currency, floor }, index) => (
          <div className="row fields-row" key={index}>
            <TextInput
              label="Currency"
              aria-label={`Currency of floor ${index + 1}`}
              style={{ flex: '1 1 120px' }}
              value={currency}
              onChange={({ currentTarget: { value } }) => change(index, { currency: value.toUpperCase() })}
            />
            <TextInput
              label="Floor"
              aria-label={`Floor ${index + 1}`}
              style={{ flex: '1 1 120px' }}
              value={floor}
              onChange={({ currentTarget: { value } }) => change(index, { floor: value })}
            />
            <Button
              size="xs"
              variant="subtle"
              aria-label={`Remove floor ${index + 1}`}
              onClick={() => onChange({ floors: floors.filter((_, at) => at !== index) })}
            >
              Remove
            </Button>
          </div>
        ))}
        <div>
          <Button
            size="xs"
            variant="default"
            onClick={() => onChange({ floors: [...floors, { currency: '', floor: '' }] })}
          >
            Add a floor
          </Button>
        </div>
      </div>
    </Input.Wrapper>
  );
}

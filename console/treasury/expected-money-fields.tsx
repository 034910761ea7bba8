import { Button, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { CalendarDay, Money } from '../elements/values.tsx';
import type { ExpectedMoney } from './expected-money.ts';

/** As the server takes it; a comma would end it in the address. */
const PLAIN_AMOUNT = /^\d{1,15}(\.\d{1,4})?$/;
const NOTHING: ExpectedMoney = { currency: '', amount: '', on: '' };

/** Money that one expects beside what payrun knows of: it counts in the view, and is not stored. */
export function ExpectedMoneyFields(props: {
  expected: readonly ExpectedMoney[];
  /** The first day of the view. */
  today: string;
  onChange: (expected: readonly ExpectedMoney[]) => void;
}): ReactNode {
  const { expected, today, onChange } = props;
  const [given, setGiven] = useState(NOTHING);
  const set = (parts: Partial<ExpectedMoney>): void => setGiven({ ...given, ...parts });
  const isPlain = PLAIN_AMOUNT.test(given.amount);
  const isComplete = given.currency.length === 3 && isPlain && given.on !== '';
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    onChange([...expected, given]);
    setGiven(NOTHING);
  };
  return (
    <form className="stack no-print" style={{ gap: 8 }} onSubmit={add}>
      <div className="filters">
        <TextInput
          label="Money that you expect"
          placeholder="50000.00"
          inputMode="decimal"
          w={180}
          error={given.amount === '' || isPlain ? null : 'as 50000.00'}
          value={given.amount}
          onChange={(event) => set({ amount: event.currentTarget.value.trim() })}
        />
        <TextInput
          label="Currency"
          placeholder="EUR"
          maxLength={3}
          w={90}
          value={given.currency}
          onChange={(event) => set({ currency: event.currentTarget.value.trim().toUpperCase() })}
        />
        <TextInput
          type="date"
          label="On (UTC)"
          min={today}
          value={given.on}
          onChange={(event) => set({ on: event.currentTarget.value })}
        />
        <Button type="submit" variant="default" mb={8} disabled={!isComplete}>
          Add
        </Button>
      </div>
      {expected.map(({ currency, amount, on }, index) => (
        <div key={`${index} ${currency}${amount}${on}`} className="row">
          <span>
            Expected: <Money amount={amount} currency={currency} />, <CalendarDay day={on} />
          </span>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Leave out ${amount} ${currency}`}
            onClick={() => onChange(expected.filter((_each, other) => other !== index))}
          >
            Leave out
          </Button>
        </div>
      ))}
    </form>
  );
}

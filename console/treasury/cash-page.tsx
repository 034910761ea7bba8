import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AccountCash } from '../../api/treasury/cash.ts';
import { AccountFilters } from '../accounts/account-filters.tsx';
import { api } from '../calls/api.ts';
import { Chart } from '../elements/chart.tsx';
import { CalendarDay, Money } from '../elements/values.tsx';
import { formatAmount, inWords } from '../elements/formats.ts';
import { formatDay } from '../elements/times.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Blank, Notice, Section } from '../elements/page.tsx';
import { type Column, compareAmounts, compareText, Table } from '../elements/table.tsx';
import { useAddress } from '../elements/use-address.ts';
import { expectedMoneyIn, textOfExpectedMoney } from './expected-money.ts';
import { ExpectedMoneyFields } from './expected-money-fields.tsx';
import { TreasuryFrame } from './treasury-frame.tsx';

type Currency = AccountCash['currencies'][number];

const PERIODS = ['7', '14', '30', '60', '90'];

const COLUMNS: readonly Column<Currency>[] = [
  { name: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
  { name: 'Held', align: 'right', cell: ({ held, currency }) => <Money amount={held} currency={currency} /> },
  {
    name: 'Committed',
    align: 'right',
    cell: ({ committed, currency }) => <Money amount={committed} currency={currency} />,
  },
  {
    name: 'Free now',
    align: 'right',
    compare: (one, other) => compareAmounts(one.free, other.free),
    cell: ({ free, currency }) => <Money amount={free} currency={currency} />,
  },
  {
    name: 'At the end',
    align: 'right',
    cell: ({ balances, currency }) => <Money amount={balances.at(-1) ?? null} currency={currency} />,
  },
  {
    name: 'Short from',
    compare: (one, other) => compareText(one.firstShortage, other.firstShortage),
    cell: ({ firstShortage }) =>
      firstShortage === null ? (
        <Mark tone="paid">not in this time</Mark>
      ) : (
        <Mark tone="failed">
          <CalendarDay day={firstShortage} />
        </Mark>
      ),
  },
  {
    name: 'Balance',
    isWideOnly: true,
    cell: ({ isKnown }) => (isKnown ? 'followed' : <Mark tone="waiting">its history cannot be followed</Mark>),
  },
];

/** What will be free in each currency, day by day: shortages first. */
export function CashPage(): ReactNode {
  const { search, change } = useAddress();
  const { days = '30', expect, account, currency } = search;
  const cash = useQuery({
    queryKey: ['cash', days, expect, account, currency],
    queryFn: async ({ signal }) =>
      (await api.viewCash({ days: Number(days), expect, account, currency }, { signal })).accounts,
    refetchInterval: 60_000,
  });
  return (
    <TreasuryFrame>
      <AccountFilters>
        <Select
          label="Days ahead"
          w={120}
          allowDeselect={false}
          data={PERIODS}
          value={days}
          onChange={(value) => change({ days: value === '30' ? null : value })}
        />
      </AccountFilters>
      <ExpectedMoneyFields
        expected={expectedMoneyIn(expect)}
        today={cash.data?.[0]?.dates[0] ?? ''}
        onChange={(expected) => change({ expect: textOfExpectedMoney(expected) })}
      />
      <Loaded query={cash} lines={8}>
        {(accounts) =>
          accounts.every(({ currencies }) => currencies.length === 0) ? (
            <Blank title="There is nothing to look ahead to yet">
              <p>The view needs balances: payrun reads them by itself, once its worker runs.</p>
            </Blank>
          ) : (
            accounts.map((account) => <Account key={account.account} cash={account} />)
          )
        }
      </Loaded>
    </TreasuryFrame>
  );
}

function Account({ cash }: { cash: AccountCash }): ReactNode {
  const { account, currencies, dates, withoutConversion, warnings } = cash;
  const sorted = [...currencies].sort((one, other) =>
    compareText(one.firstShortage ?? '9999', other.firstShortage ?? '9999'),
  );
  const moving = sorted.filter(({ balances, free }) => balances.some((balance) => compareAmounts(balance, free) !== 0));
  const still = sorted.length - moving.length;
  return (
    <Section title={account}>
      <div className="stack">
        <Table label={`Cash of ${account}`} rows={sorted} columns={COLUMNS} keyOf={({ currency }) => currency} />
        {moving.map(({ currency, balances, needed }) => (
          <Chart
            key={currency}
            label={`Free at the end of each day, ${currency}`}
            unit={currency}
            as="steps"
            markWord="below zero"
            points={dates.map((date, index) => {
              const value = balances[index] ?? '0';
              const cost = needed[index] ?? '0';
              const note = /[1-9]/.test(cost) ? `needed ${formatAmount(cost)}` : undefined;
              return { at: index, when: formatDay(date), value, isMarked: value.startsWith('-'), note };
            })}
          />
        ))}
        {still === 0 ? null : (
          <span className="muted small">
            {moving.length === 0 ? 'No balance changes' : 'The other balances do not change'} by approved runs and
            schedules in this time.
          </span>
        )}
        {withoutConversion.length === 0 ? null : (
          <Table
            label="Occurrences that would convert nothing"
            rows={withoutConversion}
            columns={WITHOUT_CONVERSION}
            keyOf={({ on, schedule }) => `${on} ${schedule}`}
          />
        )}
        {warnings.length === 0 ? null : (
          <Notice tone="waiting" title="What the view does not know">
            <ul style={{ margin: 0, paddingLeft: 18 }}>
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </Notice>
        )}
        <span className="muted small">
          By approved runs and active schedules, at the prices of the last quotes: a forecast, and no promise.
        </span>
      </div>
    </Section>
  );
}

const WITHOUT_CONVERSION: readonly Column<AccountCash['withoutConversion'][number]>[] = [
  { name: 'Schedule without effect', cell: ({ schedule }) => <strong>{schedule}</strong> },
  { name: 'On', cell: ({ on }) => <CalendarDay day={on} /> },
  { name: 'Why', cell: ({ message, reason }) => (message === '' ? inWords(reason) : message) },
];

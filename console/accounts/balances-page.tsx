import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AccountBalances, Balance } from '../../api/accounts/balance.ts';
import { api } from '../calls/api.ts';
import { Money, When } from '../elements/values.tsx';
import { formatDuration } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark, type Tone } from '../elements/mark.tsx';
import { Blank, Notice, Section } from '../elements/page.tsx';
import { type Column, compareAmounts, compareText, Table } from '../elements/table.tsx';
import { useAddress } from '../elements/use-address.ts';
import { AccountFilters } from './account-filters.tsx';
import { AccountsFrame } from './accounts-frame.tsx';
import { BalanceChart } from './balance-chart.tsx';
import { useBalances } from './use-balances.ts';

const HISTORY_STATUSES: Readonly<Record<Balance['historyStatus'], { tone: Tone; words: string }>> = {
  complete: { tone: 'paid', words: 'every change is known' },
  missing_entries: { tone: 'waiting', words: 'an entry is still looked for' },
  abandoned: { tone: 'failed', words: 'an entry was not found' },
  no_entries: { tone: 'neutral', words: 'no entries' },
};

/** Entries that the line is made of: the newest. */
const MOST_ENTRIES = 500;

const ALARMS = {
  free_negative: 'More money than was free has left the balance by other means than payrun.',
  debit_not_found: 'A payment ended, and no entry of the history has its amount.',
  debit_of_unpaid: 'Money was taken for a payment whose state says that it is not paid. It is read again.',
} as const;

/** Balances by currency, shortages first; of one that is chosen, how it came about. */
export function BalancesPage(): ReactNode {
  const { account, currency } = useAddress().search;
  const accounts = useBalances(15_000);
  return (
    <AccountsFrame>
      <AccountFilters />
      <Loaded query={accounts}>
        {(list) =>
          list.length === 0 ? (
            <Blank title="No balance was read yet">
              <p>payrun reads the balances of its accounts by itself, once its worker runs.</p>
            </Blank>
          ) : (
            <>
              {chosenOf(list, account, currency).map((each) => (
                <Account key={each.account} account={each} />
              ))}
              <ChosenHistory of={chosenOf(list, account, currency)} />
            </>
          )
        }
      </Loaded>
    </AccountsFrame>
  );
}

/** The accounts with the currencies that the address names; all where it names none. */
function chosenOf(
  list: readonly AccountBalances[],
  account: string | undefined,
  currency: string | undefined,
): AccountBalances[] {
  return list
    .filter((each) => account === undefined || each.account === account)
    .map((each) => ({
      ...each,
      balances: each.balances.filter((balance) => currency === undefined || balance.currency === currency),
    }))
    .filter(({ balances }) => currency === undefined || balances.length > 0);
}

/** The line of one balance; of several there is none. */
function ChosenHistory({ of }: { of: readonly AccountBalances[] }): ReactNode {
  const chosen = of.flatMap(({ account, balances }) => balances.map(({ currency }) => ({ account, currency })));
  const [only] = chosen;
  if (only === undefined || chosen.length > 1) {
    return <p className="muted small">Choose an account and a currency to see the balance as a line.</p>;
  }
  return <BalanceHistory key={`${only.account} ${only.currency}`} {...only} />;
}

function BalanceHistory({ account, currency }: { account: string; currency: string }): ReactNode {
  const history = useQuery({
    queryKey: ['history', 'newest', account, currency],
    queryFn: ({ signal }) => api.listBalanceHistory({ account, currency, limit: MOST_ENTRIES }, { signal }),
    refetchInterval: 60_000,
  });
  return (
    <Section
      title="Over time"
      aside={
        <Link to="/accounts/history" search={{ account, currency }}>
          All entries
        </Link>
      }
    >
      <Loaded query={history} lines={4}>
        {({ entries }) =>
          entries.length < 2 ? (
            <Blank title="There are too few entries for a line">
              <p>The history is read by the worker, the newest entries first.</p>
            </Blank>
          ) : (
            <BalanceChart entries={entries} />
          )
        }
      </Loaded>
    </Section>
  );
}

function isShort({ free }: Balance): boolean {
  return free?.startsWith('-') ?? false;
}

function Account({ account }: { account: AccountBalances }): ReactNode {
  const { balances, historyReadAt } = account;
  const sorted = [...balances].sort(
    (one, other) => Number(isShort(other)) - Number(isShort(one)) || compareText(one.currency, other.currency),
  );
  return (
    <Section
      title={account.account}
      aside={
        <span className="muted small">
          history read <When at={historyReadAt} />
        </span>
      }
    >
      <div className="stack">
        {balances.flatMap(({ currency, alarms }) =>
          alarms.map((alarm) => (
            <Notice key={`${currency}${alarm.ledgerAccount}`} tone="failed" title={ALARMS[alarm.kind]}>
              <Money amount={alarm.amount} currency={currency} /> in {alarm.ledgerAccount}, since{' '}
              <When at={alarm.raisedAt} />
            </Notice>
          )),
        )}
        <Table
          label={`Balances of ${account.account}`}
          rows={sorted}
          columns={columnsOf(account.account)}
          keyOf={({ currency }) => currency}
        />
      </div>
    </Section>
  );
}

/** That of the history, of which committed and free are parts: what the provider showed is of another moment. */
function balanceOf({ amountByHistory, amount }: Balance): string | null {
  return amountByHistory ?? amount;
}

function columnsOf(account: string): readonly Column<Balance>[] {
  return [
    {
      name: 'Currency',
      cell: ({ currency }) => (
        <Link to="/accounts/history" search={{ account, currency }} className="main">
          {currency}
        </Link>
      ),
    },
    {
      name: 'Balance',
      align: 'right',
      compare: (one, other) => compareAmounts(balanceOf(one), balanceOf(other)),
      cell: (balance) => <Money amount={balanceOf(balance)} />,
    },
    {
      name: 'Committed',
      align: 'right',
      compare: (one, other) => compareAmounts(one.committed, other.committed),
      cell: ({ committed }) => <Money amount={committed} />,
    },
    {
      name: 'Free',
      align: 'right',
      compare: (one, other) => compareAmounts(one.free, other.free),
      cell: (balance) =>
        isShort(balance) ? (
          <Mark tone="failed">
            <Money amount={balance.free} />
          </Mark>
        ) : (
          <Money amount={balance.free} />
        ),
    },
    {
      name: 'Followed by its history',
      isWideOnly: true,
      cell: ({ historyStatus }) => (
        <Mark tone={HISTORY_STATUSES[historyStatus].tone}>{HISTORY_STATUSES[historyStatus].words}</Mark>
      ),
    },
    {
      name: 'Shown by the provider',
      align: 'right',
      isWideOnly: true,
      cell: ({ amount, ageSeconds }) => (
        <>
          <Money amount={amount} />{' '}
          <span className="muted small">{ageSeconds === null ? 'never' : `${formatDuration(ageSeconds)} ago`}</span>
        </>
      ),
    },
  ];
}

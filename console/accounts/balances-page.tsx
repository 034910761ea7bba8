import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AccountBalances, Balance } from '../../api/accounts/balance.ts';
import { listBalances } from '../calls/account-calls.ts';
import { Money, When } from '../elements/figures.tsx';
import { formatDuration } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark, type Tone } from '../elements/mark.tsx';
import { Blank, Notice, Section } from '../elements/page.tsx';
import { type Column, compareAmounts, compareText, Table } from '../elements/table.tsx';
import { AccountsFrame } from './accounts-frame.tsx';

const HISTORY_STATUSES: Readonly<Record<Balance['historyStatus'], { tone: Tone; words: string }>> = {
  complete: { tone: 'paid', words: 'every change is known' },
  missing_entries: { tone: 'waiting', words: 'an entry is still looked for' },
  abandoned: { tone: 'failed', words: 'an entry was not found' },
  no_entries: { tone: 'neutral', words: 'no entries' },
};

const ALARMS = {
  free_negative: 'More money than was free has left the balance by other means than payrun.',
  debit_not_found: 'A payment ended, and no entry of the history has its amount.',
} as const;

/** Balances by currency, shortages first. */
export function BalancesPage(): ReactNode {
  const accounts = useQuery({
    queryKey: ['balances'],
    queryFn: ({ signal }) => listBalances(signal),
    refetchInterval: 15_000,
  });
  return (
    <AccountsFrame>
      <Loaded query={accounts}>
        {(list) =>
          list.length === 0 ? (
            <Blank title="No balance was read yet">
              <p>payrun reads the balances of its accounts by itself, once its worker runs.</p>
            </Blank>
          ) : (
            list.map((account) => <Account key={account.account} account={account} />)
          )
        }
      </Loaded>
    </AccountsFrame>
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

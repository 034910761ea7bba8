import { Button, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { BookDay } from '../../api/reconciliation/book-day.ts';
import { AccountFilters } from '../accounts/account-filters.tsx';
import { api } from '../calls/api.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Blank, Page } from '../elements/page.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAddress } from '../elements/use-address.ts';
import { AccountDays } from './account-days.tsx';

/** Days of each account that are shown at once. */
const DAYS = 31;
/** The most that the server gives of each account. */
const MOST_DAYS = 400;

const EVERY_MS = 30_000;

/** The books by day, the newest first. */
export function DaysPage(): ReactNode {
  const [latest, setLatest] = useState(DAYS);
  const { search, change } = useAddress();
  const { account, from, to } = search;
  const isOfRange = from !== undefined || to !== undefined;
  const limit = isOfRange ? MOST_DAYS : latest;
  const days = useQuery({
    queryKey: ['days', 'latest', limit, account, from, to],
    queryFn: ({ signal }) => api.listBookDays({ limit, account, from, to }, { signal }),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  // Days are signed in their order: one that is left open keeps all later ones open, however old it is.
  const open = useQuery({
    queryKey: ['days', 'open', account],
    queryFn: ({ signal }) => api.listBookDays({ open: true, limit: MOST_DAYS, account }, { signal }),
    refetchInterval: EVERY_MS,
  });
  return (
    <Page
      title="Reconciliation"
      under="The provider's history compared with our record, day by day"
      actions={
        <Button variant="default" component={Link} to="/reconciliation/breaks">
          Differences
        </Button>
      }
    >
      <AccountFilters hasCurrency={false}>
        <TextInput
          type="date"
          label="From (UTC)"
          value={from ?? ''}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label="To (UTC)"
          value={to ?? ''}
          onChange={(event) => change({ to: event.currentTarget.value })}
        />
      </AccountFilters>
      <Unread query={open} what="The days that are not closed" />
      <Loaded query={days}>
        {({ days: list }) =>
          list.length === 0 ? (
            <NoDay isFiltered={isOfRange || account !== undefined} />
          ) : (
            <Accounts
              days={list}
              open={open.data?.days ?? []}
              more={
                hasMore(list, limit) ? (
                  <Button
                    variant="default"
                    loading={days.isPlaceholderData}
                    onClick={() => setLatest(Math.min(latest + DAYS, MOST_DAYS))}
                  >
                    Earlier days
                  </Button>
                ) : null
              }
            />
          )
        }
      </Loaded>
    </Page>
  );
}

function NoDay({ isFiltered }: { isFiltered: boolean }): ReactNode {
  if (isFiltered) {
    return (
      <Blank title="No day fits">
        <p>
          <Link to="/reconciliation">Show the latest days of all accounts</Link>
        </p>
      </Blank>
    );
  }
  return (
    <Blank title="No day was reconciled yet">
      <p>payrun reconciles each day by itself in the night that follows, once the history of an account is known.</p>
    </Blank>
  );
}

function accountsOf(days: readonly BookDay[]): string[] {
  return [...new Set(days.map(({ account }) => account))];
}

function hasMore(days: readonly BookDay[], limit: number): boolean {
  const countOf = (of: string): number => days.filter(({ account }) => account === of).length;
  return limit < MOST_DAYS && accountsOf(days).some((account) => countOf(account) >= limit);
}

function Accounts(props: { days: readonly BookDay[]; open: readonly BookDay[]; more: ReactNode }): ReactNode {
  const daysOf = (all: readonly BookDay[], of: string): BookDay[] => all.filter(({ account }) => account === of);
  return (
    <>
      {accountsOf(props.days).map((account) => (
        <AccountDays
          key={account}
          account={account}
          days={daysOf(props.days, account)}
          open={daysOf(props.open, account)}
        />
      ))}
      {props.more === null ? null : <div>{props.more}</div>}
    </>
  );
}

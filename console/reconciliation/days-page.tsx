import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { BookDay } from '../../api/reconciliation/book-day.ts';
import { askForReconciliation, listDays, readProgress } from '../calls/reconciliation-calls.ts';
import { CalendarDay, When } from '../elements/figures.tsx';
import { counted, formatCount } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Blank, Failed, Notice, Page, Section } from '../elements/page.tsx';
import { type Column, compareText, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useMay } from '../shell/session.tsx';
import { DayMark, openBreaksOf } from './day-words.tsx';

const hrefOf = ({ day, account }: BookDay): string => `/reconciliation/${day}?account=${encodeURIComponent(account)}`;

const COLUMNS: readonly Column<BookDay>[] = [
  {
    name: 'Day, UTC',
    compare: (one, other) => compareText(one.day, other.day),
    cell: (day) => (
      <Link to={hrefOf(day)} className="main">
        <CalendarDay day={day.day} />
      </Link>
    ),
  },
  { name: 'State', cell: ({ state }) => <DayMark state={state} /> },
  {
    name: 'Open differences',
    align: 'right',
    compare: (one, other) => openBreaksOf(one) - openBreaksOf(other),
    cell: (day) => {
      const count = openBreaksOf(day);
      return count === 0 ? <span className="muted">none</span> : <Mark tone="failed">{formatCount(count)}</Mark>;
    },
  },
  { name: 'Matched', align: 'right', cell: ({ matched }) => formatCount(matched) },
  { name: 'Currencies', isWideOnly: true, cell: ({ books }) => books.map(({ currency }) => currency).join(', ') },
  { name: 'Signed by', isWideOnly: true, cell: ({ signedBy }) => signedBy?.name ?? '–' },
  { name: 'Reconciled', align: 'right', isWideOnly: true, cell: ({ reconciledAt }) => <When at={reconciledAt} /> },
];

/** Days of each account that are shown at once. */
const DAYS = 31;
/** The most that the server gives of each account. */
const MOST_DAYS = 400;

/** The books by day, the newest first. */
export function DaysPage(): ReactNode {
  const [limit, setLimit] = useState(DAYS);
  const days = useQuery({
    queryKey: ['days', 'latest', limit],
    queryFn: ({ signal }) => listDays({ limit }, signal),
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
  });
  // Days are signed in their order: one that is left open keeps all later ones open, however old it is.
  const open = useQuery({
    queryKey: ['days', 'open'],
    queryFn: ({ signal }) => listDays({ open: 'true', limit: MOST_DAYS }, signal),
    refetchInterval: 30_000,
  });
  return (
    <Page title="Reconciliation" under="The provider's history compared with our record, day by day">
      <Loaded query={days}>
        {(list) => {
          if (list.length === 0) {
            return (
              <Blank title="No day was reconciled yet">
                <p>
                  payrun reconciles each day by itself in the night that follows, once the history of an account is
                  known.
                </p>
              </Blank>
            );
          }
          const accounts = [...new Set(list.map(({ account }) => account))];
          const daysOf = (all: readonly BookDay[] | undefined, of: string): BookDay[] =>
            all?.filter(({ account }) => account === of) ?? [];
          const hasMore = accounts.some((account) => daysOf(list, account).length >= limit) && limit < MOST_DAYS;
          return (
            <>
              {accounts.map((account) => (
                <Account
                  key={account}
                  account={account}
                  days={daysOf(list, account)}
                  open={daysOf(open.data, account)}
                />
              ))}
              {hasMore ? (
                <div>
                  <Button
                    variant="default"
                    loading={days.isPlaceholderData}
                    onClick={() => setLimit(Math.min(limit + DAYS, MOST_DAYS))}
                  >
                    Earlier days
                  </Button>
                </div>
              ) : null}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Account(props: { account: string; days: readonly BookDay[]; open: readonly BookDay[] }): ReactNode {
  const { account, days, open } = props;
  const mayAsk = useMay('propose_resolution');
  const progress = useQuery({
    queryKey: ['reconciling', account],
    queryFn: ({ signal }) => readProgress(account, signal),
    refetchInterval: ({ state }) => (state.data?.isUnderWay === true ? 3_000 : 60_000),
  });
  const ask = useAction(() => askForReconciliation(account), { changes: [['days'], ['reconciling', account]] });
  const isUnderWay = progress.data?.isUnderWay ?? false;
  const differences = open.reduce((sum, day) => sum + openBreaksOf(day), 0);
  const earlier = open.filter(({ day }) => day < (days[0]?.day ?? ''));
  return (
    <Section
      title={account}
      aside={
        mayAsk ? (
          <Button size="xs" variant="default" loading={ask.isRunning || isUnderWay} onClick={() => ask.do(undefined)}>
            Reconcile now
          </Button>
        ) : undefined
      }
    >
      <div className="stack">
        {ask.error === null ? null : <Failed error={ask.error} />}
        {progress.data?.hasFailed === true ? (
          <Notice tone="failed" title="The last reconciliation ended without a result">
            As when the history could not be read. It is tried again by itself.
          </Notice>
        ) : null}
        {differences === 0 ? null : (
          <Notice tone="waiting">{counted(differences, 'difference')} to be explained and closed by two people.</Notice>
        )}
        {earlier[0] === undefined ? null : (
          <Notice tone="waiting" title={`${counted(earlier.length, 'earlier day')} not closed yet`}>
            The first is{' '}
            <Link to={hrefOf(earlier[0])}>
              <CalendarDay day={earlier[0].day} />
            </Link>
            : the days after it are closed only once it is.
          </Notice>
        )}
        <Table
          label={`Days of ${account}`}
          rows={days.toReversed()}
          columns={COLUMNS}
          keyOf={({ day }) => day}
          hrefOf={hrefOf}
        />
      </div>
    </Section>
  );
}

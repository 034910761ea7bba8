import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { BookDay } from '../../api/reconciliation/book-day.ts';
import { allows } from '../approvals/allowed.tsx';
import { nameOf, readActions } from '../approvals/read-actions.ts';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { CalendarDay, When } from '../elements/values.tsx';
import { counted, formatCount } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { Failed, Notice, Section } from '../elements/page.tsx';
import { type Column, compareText, Table } from '../elements/table.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedAbout } from '../elements/use-asked-about.ts';
import { useMay } from '../shell/session.tsx';
import { DayMark, hrefOfDay, openBreaksOf } from './day-words.tsx';
import { READ_EVERY_MS } from './read-again.ts';
import { ReconcileDialog } from './reconcile-dialog.tsx';
import { ReportDialog } from './report-dialog.tsx';
import { SignDays } from './sign-days.tsx';
import { SignOpening } from './sign-opening.tsx';

const COLUMNS: readonly Column<BookDay>[] = [
  {
    name: 'Day, UTC',
    compare: (one, other) => compareText(one.day, other.day),
    cell: (day) => (
      <Link to={hrefOfDay(day)} className="main">
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

interface AccountProps {
  account: string;
  /** Those that are shown, in their order. */
  days: readonly BookDay[];
  /** All that are not closed. */
  open: readonly BookDay[];
}

/** The days of one account, and what one may do with them. */
export function AccountDays({ account, days, open }: AccountProps): ReactNode {
  const progress = useQuery({
    queryKey: ['reconciling', account],
    queryFn: ({ signal }) => api.getReconciliation({ account }, { signal }),
    refetchInterval: ({ state }) => (state.data?.isUnderWay === true ? 3_000 : 60_000),
  });
  const ask = useAction(() => api.askForReconciliation({ account }), {
    changes: [['days'], ['reconciling', account]],
  });
  const isUnderWay = progress.data?.isUnderWay ?? false;
  const differences = open.reduce((sum, day) => sum + openBreaksOf(day), 0);
  const earlier = open.filter(({ day }) => day < (days[0]?.day ?? ''));
  return (
    <Section
      title={account}
      aside={
        <Actions
          account={account}
          days={days}
          isUnderWay={ask.isRunning || isUnderWay}
          onAsk={() => ask.do(undefined)}
        />
      }
    >
      <div className="stack">
        {ask.error === null ? null : <Failed error={ask.error} />}
        <Unread query={progress} what="Whether it is being reconciled" />
        {progress.data?.hasFailed === true ? (
          <Notice tone="failed" title="The last reconciliation ended without a result">
            As when the history could not be read. It is tried again by itself.
          </Notice>
        ) : null}
        {differences === 0 ? null : (
          <Notice tone="waiting">
            <Link to="/reconciliation/breaks" search={{ account }}>
              {counted(differences, 'difference')}
            </Link>{' '}
            to be explained and closed by two people.
          </Notice>
        )}
        {earlier[0] === undefined ? null : (
          <Notice tone="waiting" title={`${counted(earlier.length, 'earlier day')} not closed yet`}>
            The first is{' '}
            <Link to={hrefOfDay(earlier[0])}>
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
          hrefOf={hrefOfDay}
        />
      </div>
    </Section>
  );
}

type Question = 'reconcile' | 'report' | 'opening';

function Actions(props: {
  account: string;
  days: readonly BookDay[];
  isUnderWay: boolean;
  onAsk: () => void;
}): ReactNode {
  const { account, days, isUnderWay, onAsk } = props;
  const [question, setQuestion] = useState<Question | null>(null);
  const close = (): void => setQuestion(null);
  const mayAsk = useMay('propose_manual_outcome');
  const maySign = useMay('decide_run');
  const currencies = [...new Set(days.flatMap(({ books }) => books.map(({ currency }) => currency)))].sort();
  return (
    <div className="row no-print">
      {mayAsk ? (
        <>
          <Button size="xs" variant="default" loading={isUnderWay} onClick={onAsk}>
            Reconcile now
          </Button>
          <Button size="xs" variant="default" disabled={isUnderWay} onClick={() => setQuestion('reconcile')}>
            Reconcile days …
          </Button>
        </>
      ) : null}
      <SigningOfDays account={account} days={days} />
      {maySign ? (
        <Button size="xs" variant="default" onClick={() => setQuestion('opening')}>
          Sign an opening balance …
        </Button>
      ) : null}
      <Button size="xs" variant="default" onClick={() => setQuestion('report')}>
        Reports …
      </Button>
      {question === 'reconcile' ? <ReconcileDialog account={account} onClose={close} /> : null}
      {question === 'opening' ? <SignOpening account={account} onClose={close} /> : null}
      {question === 'report' ? (
        <ReportDialog
          account={account}
          from={days.at(-1)?.day ?? ''}
          to={days.at(-1)?.day ?? ''}
          currencies={currencies}
          onClose={close}
        />
      ) : null}
    </div>
  );
}

/** Days are signed in their order: the server says whether the first of those that are shown may be. */
function SigningOfDays({ account, days }: { account: string; days: readonly BookDay[] }): ReactNode {
  const unsigned = days.filter(({ state }) => state === 'matched');
  const [first] = unsigned;
  const name = first === undefined ? null : nameOf(account, first.day);
  const actions = useQuery({
    queryKey: ['days', 'signing the first of', account, first?.day, first?.contentHash],
    queryFn: ({ signal }) => readActions('day', name === null ? [] : [name], signal),
    enabled: name !== null,
    refetchInterval: READ_EVERY_MS,
    placeholderData: keepPreviousData,
  });
  // By what is in them, and not by their states: these change while the days are signed one after the other.
  const asked = useAskedAbout<'sign'>(days.map(({ day, contentHash }) => `${day} ${contentHash}`).join(' '));
  return (
    <>
      <Unread query={actions} what="What you may do" />
      <ChangedMeanwhile what="What these days contain" asked={asked} />
      {name !== null && allows(actions.data?.get(name), 'sign') ? (
        <Button size="xs" variant="default" onClick={() => asked.open('sign')}>
          Sign {counted(unsigned.length, 'day')} …
        </Button>
      ) : null}
      {asked.question === null ? null : <SignDays days={unsigned} onClose={asked.close} />}
    </>
  );
}

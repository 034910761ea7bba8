import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { AllowedAction } from '../../api/approvals/allowed-actions.ts';
import type { BookDay } from '../../api/reconciliation/book-day.ts';
import { allows, refusalOf } from '../approvals/allowed.tsx';
import { nameOf, readActions } from '../approvals/read-actions.ts';
import { api, linkTo } from '../calls/api.ts';
import { isZero } from '../elements/decimals.ts';
import { When } from '../elements/values.tsx';
import { formatDay } from '../elements/times.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Blank, Failed, Notice, Page, Skeleton } from '../elements/page.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAddress, useParam } from '../elements/use-address.ts';
import { useMay } from '../shell/session.tsx';
import { Breaks, useBreaks } from './breaks.tsx';
import { CurrencyBooks } from './currency-books.tsx';
import { DayMark } from './day-words.tsx';
import { READ_EVERY_MS } from './read-again.ts';
import { ReportDialog } from './report-dialog.tsx';
import { Sides } from './sides.tsx';
import { SignOpening } from './sign-opening.tsx';

/** One day of an account: what is different, what the balances changed by, and the signature. */
export function DayPage(): ReactNode {
  const day = useParam('day');
  const { account } = useAddress().search;
  const days = useQuery({
    queryKey: ['days', day, account],
    queryFn: async ({ signal }) => (await api.listBookDays({ from: day, to: day, account }, { signal })).days,
    refetchInterval: READ_EVERY_MS,
  });
  const names = days.data?.map(keyOf) ?? [];
  const actions = useQuery({
    queryKey: ['days', day, account, 'signing', names],
    queryFn: ({ signal }) => readActions('day', names, signal),
    enabled: names.length > 0,
    refetchInterval: READ_EVERY_MS,
  });
  return (
    <Page
      title={`Books of ${formatDay(day)}`}
      under={account === undefined ? 'All accounts, UTC' : `Account ${account}, UTC`}
      actions={account === undefined ? undefined : <Files account={account} day={day} books={days.data?.[0]} />}
    >
      <Unread query={actions} what="What you may do" />
      <Loaded query={days}>
        {(list) =>
          list.length === 0 ? (
            <Blank title="This day was not reconciled yet">
              <p>
                It is in the night that follows. <Link to="/reconciliation">Among the days</Link>, one can ask for it at
                once.
              </p>
            </Blank>
          ) : (
            list.map((books) => (
              <Day key={keyOf(books)} books={books} allowed={actions.data?.get(keyOf(books)) ?? []} />
            ))
          )
        }
      </Loaded>
    </Page>
  );
}

function Files(props: { account: string; day: string; books: BookDay | undefined }): ReactNode {
  const { account, day, books } = props;
  const [isAsking, setAsking] = useState(false);
  const query = { account, from: day };
  return (
    <>
      <Button
        variant="default"
        component="a"
        href={linkTo('getReconciliationFile', { file: 'report.html', ...query })}
        download
      >
        Report
      </Button>
      <Button
        variant="default"
        component="a"
        href={linkTo('getReconciliationFile', { file: 'entries.csv', ...query })}
        download
      >
        Entries
      </Button>
      <Button variant="default" onClick={() => setAsking(true)}>
        Other files …
      </Button>
      {isAsking ? (
        <ReportDialog
          account={account}
          from={day}
          to={day}
          currencies={books?.books.map(({ currency }) => currency) ?? []}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

function keyOf({ account, day }: BookDay): string {
  return nameOf(account, day);
}

interface DayProps {
  books: BookDay;
  allowed: readonly AllowedAction[];
}

/** A signature is about the amounts that are shown: newer ones are shown when one asks for them, never slipped in. */
function Day({ books: now, allowed }: DayProps): ReactNode {
  const [seen, setSeen] = useState(now);
  const hasChanged = now.contentHash !== seen.contentHash;
  const shown = hasChanged ? seen : now;
  const found = useBreaks(now.account, now.day);
  const breaks = found.data;
  return (
    <>
      {hasChanged ? (
        <ChangedAmounts seen={seen} now={now} onShow={() => setSeen(now)} />
      ) : breaks === undefined ? null : (
        <Signature books={shown} allowed={allowed} />
      )}
      <Sides matched={shown.matched} breaks={breaks} />
      {breaks === undefined ? (
        <>
          <Unread query={found} what="The differences, without which the amounts say nothing," />
          {found.isError ? null : <Skeleton lines={6} />}
        </>
      ) : (
        shown.books.map((book) => <CurrencyBooks key={book.currency} book={book} breaks={breaks} />)
      )}
      <Breaks account={now.account} day={now.day} />
    </>
  );
}

function ChangedAmounts({ seen, now, onShow }: { seen: BookDay; now: BookDay; onShow: () => void }): ReactNode {
  return (
    <Notice tone="failed" title="These amounts have changed since you opened them">
      <div className="stack">
        <span>
          What you see has the content <code className="mono">{seen.contentHash.slice(0, 16)}</code>; that of the day is{' '}
          <code className="mono">{now.contentHash.slice(0, 16)}</code> now.
        </span>
        <div>
          <Button size="xs" onClick={onShow}>
            Show the new amounts
          </Button>
        </div>
      </div>
    </Notice>
  );
}

function Signature({ books, allowed }: DayProps): ReactNode {
  const { account, day, contentHash, state, signedBy, signedAt } = books;
  const sign = useAction(() => api.signBookDay({ account, day, contentHash }), { changes: [['days'], ['inbox']] });
  const [isSigningOpening, setSigningOpening] = useState(false);
  const maySign = useMay('decide_run');
  const hasOpening = books.books.some(({ opening }) => !isZero(opening));
  const refusal = refusalOf(allowed, 'sign');
  if (state !== 'matched') {
    return (
      <Notice tone={state === 'closed' ? 'paid' : 'moving'} title={<DayMark state={state} />}>
        Signed by {signedBy?.name ?? 'nobody'}, <When at={signedAt} />.{' '}
        {state === 'closed' ? 'It never changes.' : 'It closes when its differences and the days before are closed.'}
      </Notice>
    );
  }
  return (
    <Notice tone="waiting" title="Nobody has signed these amounts yet">
      <div className="stack">
        <span>
          A signature is bound to the content <code className="mono">{contentHash.slice(0, 16)}</code>.
        </span>
        {sign.error === null ? null : <Failed error={sign.error} />}
        {allows(allowed, 'sign') ? (
          <div>
            <Button size="xs" loading={sign.isRunning} onClick={() => sign.do(undefined)}>
              Sign the amounts
            </Button>
          </div>
        ) : (
          <>
            <span className="muted">{refusal}</span>
            {refusal !== null && maySign && hasOpening ? (
              <div>
                <Button size="xs" variant="default" onClick={() => setSigningOpening(true)}>
                  Sign an opening balance …
                </Button>
              </div>
            ) : null}
          </>
        )}
        {isSigningOpening ? <SignOpening account={account} onClose={() => setSigningOpening(false)} /> : null}
      </div>
    </Notice>
  );
}

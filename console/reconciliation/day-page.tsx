import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AllowedAction } from '../../api/approvals/allowed-actions.ts';
import type { BookDay } from '../../api/reconciliation/book-day.ts';
import { allows, refusalOf } from '../approvals/allowed.tsx';
import { nameOf, readActions } from '../calls/approval-calls.ts';
import { addressOf } from '../calls/call.ts';
import { listDays, signDay } from '../calls/reconciliation-calls.ts';
import { Money, When } from '../elements/figures.tsx';
import { capitalised, counted, formatCount, formatDay, inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Blank, Failed, Notice, Page, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAddress, useParam } from '../elements/use-address.ts';
import { Breaks } from './breaks.tsx';
import { DayMark } from './day-words.tsx';

/** One day of an account: what is different, what the balances changed by, and the signature. */
export function DayPage(): ReactNode {
  const day = useParam('day');
  const { account } = useAddress().search;
  const days = useQuery({
    queryKey: ['days', day, account],
    queryFn: ({ signal }) => listDays({ from: day, to: day, account }, signal),
  });
  const names = days.data?.map(keyOf) ?? [];
  const actions = useQuery({
    queryKey: ['days', day, account, 'signing', names],
    queryFn: ({ signal }) => readActions('day', names, signal),
    enabled: names.length > 0,
  });
  return (
    <Page
      title={`Books of ${formatDay(day)}`}
      under={account === undefined ? 'All accounts, UTC' : `Account ${account}, UTC`}
      actions={account === undefined ? undefined : <Files account={account} day={day} />}
    >
      <Loaded query={days}>
        {(list) =>
          list.length === 0 ? (
            <Blank title="This day was not reconciled yet" />
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

function Files({ account, day }: { account: string; day: string }): ReactNode {
  const at = (file: string): string =>
    addressOf({ path: `/reconciliation/files/${file}`, query: { account, from: day } });
  return (
    <>
      <Button variant="default" component="a" href={at('report.html')} download>
        Report
      </Button>
      <Button variant="default" component="a" href={at('entries.csv')} download>
        Entries
      </Button>
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

/** A signature is about the figures that are shown: newer ones are shown when one asks for them, never slipped in. */
function Day({ books: now, allowed }: DayProps): ReactNode {
  const [seen, setSeen] = useState(now);
  const hasChanged = now.contentHash !== seen.contentHash;
  const shown = hasChanged ? seen : now;
  return (
    <>
      {hasChanged ? (
        <ChangedFigures seen={seen} now={now} onShow={() => setSeen(now)} />
      ) : (
        <Signature books={shown} allowed={allowed} />
      )}
      <Breaks account={now.account} day={now.day} />
      {shown.books.map((book) => (
        <Currency key={book.currency} book={book} />
      ))}
    </>
  );
}

function ChangedFigures({ seen, now, onShow }: { seen: BookDay; now: BookDay; onShow: () => void }): ReactNode {
  return (
    <Notice tone="failed" title="These figures have changed since you opened them">
      <div className="stack">
        <span>
          What you see has the content <code className="mono">{seen.contentHash.slice(0, 16)}</code>; that of the day is{' '}
          <code className="mono">{now.contentHash.slice(0, 16)}</code> now.
        </span>
        <div>
          <Button size="xs" onClick={onShow}>
            Show the new figures
          </Button>
        </div>
      </div>
    </Notice>
  );
}

function Signature({ books, allowed }: DayProps): ReactNode {
  const { account, day, contentHash, state, signedBy, signedAt } = books;
  const sign = useAction(() => signDay({ account, day, contentHash }), { changes: [['days'], ['inbox']] });
  if (state !== 'matched') {
    return (
      <Notice tone={state === 'closed' ? 'paid' : 'moving'} title={<DayMark state={state} />}>
        Signed by {signedBy?.name ?? 'nobody'}, <When at={signedAt} />.{' '}
        {state === 'closed' ? 'It never changes.' : 'It closes when its differences and the days before are closed.'}
      </Notice>
    );
  }
  return (
    <Notice tone="waiting" title="Nobody has signed these figures yet">
      <div className="stack">
        <span>
          {formatCount(books.matched)} movements were found. A signature is bound to the content{' '}
          <code className="mono">{contentHash.slice(0, 16)}</code>.
        </span>
        {sign.error === null ? null : <Failed error={sign.error} />}
        {allows(allowed, 'sign') ? (
          <div>
            <Button size="xs" loading={sign.isRunning} onClick={() => sign.do(undefined)}>
              Sign the figures
            </Button>
          </div>
        ) : (
          <span className="muted">{refusalOf(allowed, 'sign')}</span>
        )}
      </div>
    </Notice>
  );
}

type Book = BookDay['books'][number];

const TOTALS: readonly Column<Book['totals'][number]>[] = [
  { name: 'What', cell: ({ entryClass }) => <strong>{capitalised(inWords(entryClass))}</strong> },
  { name: 'Entries', align: 'right', cell: ({ count }) => formatCount(count) },
  { name: 'Amount', align: 'right', cell: ({ amount }) => <Money amount={amount} /> },
];

function Currency({ book }: { book: Book }): ReactNode {
  const { currency, opening, closing, isComplete, entryCount } = book;
  return (
    <Section
      title={currency}
      aside={
        <Mark tone={isComplete ? 'paid' : 'waiting'}>
          {isComplete ? 'leads to a balance that the provider showed' : 'not confirmed by a later balance yet'}
        </Mark>
      }
    >
      <div className="stack">
        <div className="row" style={{ gap: 32 }}>
          <span>
            Opening <Money amount={opening} currency={currency} />
          </span>
          <span>
            Closing{' '}
            <strong>
              <Money amount={closing} currency={currency} />
            </strong>
          </span>
          <span className="muted">{counted(entryCount, 'entry', 'entries')}</span>
        </div>
        {book.totals.length === 0 ? (
          <span className="muted">Nothing moved.</span>
        ) : (
          <Table
            label={`Totals in ${currency}`}
            rows={book.totals}
            columns={TOTALS}
            keyOf={({ entryClass }) => entryClass}
          />
        )}
        {book.late.length === 0 ? null : (
          <Notice tone="waiting">{formatCount(book.late.length)} entries are dated on an earlier day.</Notice>
        )}
      </div>
    </Section>
  );
}

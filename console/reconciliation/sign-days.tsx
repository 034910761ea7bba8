import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { BookDay } from '../../api/reconciliation/book-day.ts';
import { api } from '../calls/api.ts';
import { Dialog } from '../elements/dialog.tsx';
import { CalendarDay, Money } from '../elements/values.tsx';
import { counted } from '../elements/formats.ts';
import { formatDay } from '../elements/times.ts';
import { Mark } from '../elements/mark.tsx';
import { Failed, Notice } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { atDecimalsOf } from './day-amounts.ts';
import { openBreaksOf } from './day-words.tsx';
import { signDaysInOrder, type SignedDays } from './sign-days-in-order.ts';

const COLUMNS: readonly Column<BookDay>[] = [
  { name: 'Day, UTC', cell: ({ day }) => <CalendarDay day={day} /> },
  {
    name: 'Closing balances',
    align: 'right',
    cell: ({ books }) =>
      books.map(({ currency, closing }) => (
        <div key={currency}>
          <Money amount={atDecimalsOf(currency, closing)} currency={currency} />
        </div>
      )),
  },
  {
    name: 'Differences',
    align: 'right',
    cell: (day) => {
      const count = openBreaksOf(day);
      return count === 0 ? (
        <span className="muted">none</span>
      ) : (
        <Mark tone="failed">{counted(count, 'open one')}</Mark>
      );
    },
  },
  { name: 'Content', cell: ({ contentHash }) => <code className="mono">{contentHash.slice(0, 16)}</code> },
];

/** Signs several days at once: those that are listed, with the amounts that are listed, whatever they become meanwhile. */
export function SignDays({ days, onClose }: { days: readonly BookDay[]; onClose: () => void }): ReactNode {
  const [seen] = useState(days);
  const sign = useAction(() => signDaysInOrder(seen, api.signBookDay), { changes: [['days'], ['inbox']] });
  return (
    <Dialog title={`Sign ${counted(seen.length, 'day')}?`} isOpen isBusy={sign.isRunning} onClose={onClose}>
      {sign.answer === undefined ? (
        <>
          <span>
            Each day is signed with the content that is listed here, the oldest first. A day with open differences is
            closed once these are.
          </span>
          <Table label="Days to sign" rows={seen} columns={COLUMNS} keyOf={({ day }) => day} />
        </>
      ) : (
        <Outcome of={sign.answer} />
      )}
      <div className="row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" disabled={sign.isRunning} onClick={onClose}>
          Back
        </Button>
        {sign.answer === undefined ? (
          <Button loading={sign.isRunning} onClick={() => sign.do(undefined)}>
            Sign {counted(seen.length, 'day')}
          </Button>
        ) : null}
      </div>
    </Dialog>
  );
}

function Outcome({ of: { signed, closed, stopped } }: { of: SignedDays }): ReactNode {
  return (
    <>
      <Notice tone={stopped === null ? 'paid' : 'waiting'} title={`${counted(signed, 'day')} signed`}>
        {counted(closed, 'day')} of these closed.
        {stopped === null ? '' : ` ${formatDay(stopped.day)} was not signed, and none after it was tried:`}
      </Notice>
      {stopped === null ? null : <Failed error={stopped.error} />}
    </>
  );
}

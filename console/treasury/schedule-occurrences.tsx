import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { NextOccurrences, ScheduleOccurrence, ScheduleSummary } from '../../api/treasury/schedule.ts';
import { api } from '../calls/api.ts';
import { CalendarDay, Money, When } from '../elements/values.tsx';
import { inWords } from '../elements/formats.ts';
import { formatDay } from '../elements/times.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { Loaded } from '../elements/loaded.tsx';
import { Blank, Notice, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAskedAbout } from '../elements/use-asked-about.ts';
import { MakeUpDialog } from './make-up-dialog.tsx';
import { OrderStateMark } from './order-states.tsx';
import { EndMark } from './schedule-states.tsx';
import { capitalized } from '../../domain/capitalized.ts';

const SHOWN = 10;

interface Due {
  at: string;
  localDate: string;
  time: string;
  zone: string;
  movedFrom: readonly string[];
}

const NEXT_COLUMNS: readonly Column<Due>[] = [
  {
    name: 'Date',
    cell: ({ localDate, movedFrom }) => (
      <>
        <strong>
          <CalendarDay day={localDate} />
        </strong>{' '}
        <span className="muted">{weekdayOf(localDate)}</span>
        {movedFrom.length === 0 ? null : (
          <div className="muted small">moved from {movedFrom.map(formatDay).join(', ')}: banks are closed</div>
        )}
      </>
    ),
  },
  { name: 'Time of the schedule', cell: ({ time, zone }) => `${time}, ${zone}` },
  { name: 'Time of payrun', cell: ({ at }) => <When at={at} /> },
];

const weekdays = new Intl.DateTimeFormat(undefined, { weekday: 'long' });

function weekdayOf(day: string): string {
  return weekdays.format(new Date(`${day}T12:00:00`));
}

/** When it is due, and what it would do with the balances of this moment. */
export function NextOccurrencesSection({ schedule }: { schedule: ScheduleSummary }): ReactNode {
  const { scheduleId, inForce, proposed, state } = schedule;
  const version = inForce ?? proposed;
  const next = useQuery({
    queryKey: ['schedule', scheduleId, 'next', SHOWN, version?.version],
    queryFn: ({ signal }) => api.nextOccurrences({ scheduleId, count: SHOWN }, { signal }),
  });
  const { times = [], time_zone: zone = '' } = version?.schedule ?? {};
  return (
    <Section title="Next occurrences">
      <Loaded query={next} lines={5}>
        {({ occurrences, today }) => (
          <div className="stack">
            <Today today={today} />
            {state === 'active' ? null : (
              <span className="muted">
                {state === 'paused'
                  ? 'These are its dates; it is paused.'
                  : 'These are its dates, once it is confirmed.'}
              </span>
            )}
            {occurrences.length === 0 ? (
              <Blank title="It has no further dates">
                <p>Its last date has passed. Edit it to give it a later one.</p>
              </Blank>
            ) : (
              <Table
                label="Next occurrences"
                rows={occurrences.map(({ at, localDate, slot, movedFrom }) => ({
                  ...{ at, localDate, movedFrom, zone },
                  time: times[slot - 1] ?? '',
                }))}
                columns={NEXT_COLUMNS}
                keyOf={({ at }) => at}
              />
            )}
          </div>
        )}
      </Loaded>
    </Section>
  );
}

function Today({ today: { conversions, reason, message } }: Pick<NextOccurrences, 'today'>): ReactNode {
  if (conversions.length === 0) {
    return (
      <Notice tone="neutral" title="With the balances of this moment it would convert nothing">
        {message ?? (reason === null ? null : capitalized(inWords(reason)))}
      </Notice>
    );
  }
  return (
    <Notice tone="moving" title="With the balances of this moment it would">
      <ul style={{ margin: 0, paddingLeft: 18 }}>
        {conversions.map(({ sell, buy, sellAmount, buyAmount }) => (
          <li key={`${sell}${buy}`}>
            sell <Money amount={sellAmount} currency={sell} /> for about <Money amount={buyAmount} currency={buy} />
          </li>
        ))}
      </ul>
      <span className="muted small">At the prices of the last quotes. Each occurrence reads the balances first.</span>
    </Notice>
  );
}

const CAUSES = { schedule: null, trigger: 'started by hand', backfill: 'backfilled by hand' } as const;

const PAST_COLUMNS: readonly Column<ScheduleOccurrence>[] = [
  {
    name: 'At',
    cell: ({ scheduledAt, cause, version, localDate }) => (
      <>
        <strong>
          <When at={scheduledAt} isExact />
        </strong>
        <div className="muted small">
          {CAUSES[cause] ?? `for ${formatDay(localDate)}`} · version {version}
        </div>
      </>
    ),
  },
  { name: 'Result', cell: ({ ended }) => <EndMark ended={ended} /> },
  {
    name: 'Why',
    cell: ({ message, reason }) => message ?? (reason === null ? <span className="muted">–</span> : inWords(reason)),
  },
  { name: 'Orders', cell: (occurrence) => <Orders of={occurrence} /> },
];

/** A table whose last column is a button for whoever may backfill a date. */
export function PastOccurrencesSection(props: {
  schedule: ScheduleSummary;
  occurrences: readonly ScheduleOccurrence[];
  isAllowed: boolean;
}): ReactNode {
  const { schedule, occurrences, isAllowed } = props;
  // What would be converted is what the version in force says.
  const asked = useAskedAbout<string>([schedule.scheduleId, schedule.inForce?.version].join(' '));
  const columns: Column<ScheduleOccurrence>[] = [...PAST_COLUMNS];
  if (isAllowed && occurrences.some(isMissed)) {
    columns.push({
      name: 'Action',
      cell: (occurrence) =>
        isMissed(occurrence) ? (
          <Button size="compact-sm" variant="default" onClick={() => asked.open(occurrence.occurrenceId)}>
            Make up for it …
          </Button>
        ) : (
          ''
        ),
    });
  }
  return (
    <Section title="Past occurrences">
      <ChangedMeanwhile what="The version in force" asked={asked} />
      {occurrences.length === 0 ? (
        <Blank title="It has not started yet">
          <p>Every occurrence is listed here, with its orders, or why it placed none.</p>
        </Blank>
      ) : (
        <Table
          label="Past occurrences"
          rows={occurrences}
          columns={columns}
          keyOf={({ occurrenceId }) => occurrenceId}
        />
      )}
      <MakeUpDialog
        schedule={schedule}
        missed={occurrences.find(({ occurrenceId }) => asked.isOpen(occurrenceId)) ?? null}
        onClose={asked.close}
      />
    </Section>
  );
}

function isMissed({ ended, slot }: ScheduleOccurrence): boolean {
  return ended === 'missed' && slot > 0;
}

function Orders({ of: { orders } }: { of: ScheduleOccurrence }): ReactNode {
  if (orders.length === 0) return <span className="muted">none</span>;
  return orders.map(({ orderId, sellCurrency, buyCurrency, state, refused }) => (
    <div key={orderId} className="row">
      {state === null ? (
        <span className="muted">
          {sellCurrency} to {buyCurrency}, not placed{refused === null ? '' : `: ${inWords(refused)}`}
        </span>
      ) : (
        <>
          <Link to={`/treasury/conversions/${orderId}`}>
            {sellCurrency} to {buyCurrency}
          </Link>
          <OrderStateMark state={state} />
        </>
      )}
    </div>
  ));
}

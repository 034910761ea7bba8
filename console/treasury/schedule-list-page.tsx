import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ScheduleSummary } from '../../api/treasury/schedule.ts';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Blank } from '../elements/page.tsx';
import { type Column, compareText, Table } from '../elements/table.tsx';
import { useMay } from '../shell/session.tsx';
import { EndMark, ScheduleStateMark } from './schedule-states.tsx';
import { whatInWords, whenInWords } from './schedule-words.ts';
import { TreasuryFrame } from './treasury-frame.tsx';

const COLUMNS: readonly Column<ScheduleSummary>[] = [
  {
    name: 'Schedule',
    compare: (one, other) => compareText(one.name, other.name),
    cell: (schedule) => (
      <>
        <Link to={`/treasury/schedules/${schedule.scheduleId}`} className="main">
          {schedule.name}
        </Link>
        <Definition schedule={schedule} />
      </>
    ),
  },
  {
    name: 'State',
    compare: (one, other) => compareText(one.state, other.state),
    cell: ({ state, proposed, inForce }) => (
      <div className="stack" style={{ gap: 4 }}>
        <ScheduleStateMark state={state} />
        {proposed !== null && inForce !== null ? <Mark tone="waiting">A change waits</Mark> : null}
      </div>
    ),
  },
  { name: 'Next', cell: (schedule) => <Next schedule={schedule} /> },
  { name: 'Last', cell: (schedule) => <Last schedule={schedule} /> },
  {
    name: 'Account',
    isWideOnly: true,
    compare: (one, other) => compareText(one.account, other.account),
    cell: ({ account }) => account,
  },
];

/** Standing orders to convert: what each does, when it does it next, and how it ended last. */
export function ScheduleListPage(): ReactNode {
  const mayConvert = useMay('convert');
  const schedules = useQuery({
    queryKey: ['schedules'],
    queryFn: ({ signal }) => api.listSchedules({}, { signal }),
    refetchInterval: 15_000,
  });
  return (
    <TreasuryFrame>
      <Loaded query={schedules}>
        {({ schedules: list }) =>
          list.length === 0 ? (
            <Blank title="There are no schedules yet">
              <p>
                A schedule converts by itself: a fixed amount, what is above a floor, what is missing to a level, or
                what approved runs lack. Each takes a second person.
              </p>
              {mayConvert ? (
                <Button component={Link} to="/treasury/schedules/new">
                  New schedule
                </Button>
              ) : (
                <p>A treasurer proposes one.</p>
              )}
            </Blank>
          ) : (
            <Table
              label="Schedules"
              rows={list}
              columns={COLUMNS}
              keyOf={({ scheduleId }) => scheduleId}
              hrefOf={({ scheduleId }) => `/treasury/schedules/${scheduleId}`}
            />
          )
        }
      </Loaded>
    </TreasuryFrame>
  );
}

function Definition({ schedule: { inForce, proposed } }: { schedule: ScheduleSummary }): ReactNode {
  const version = inForce ?? proposed;
  if (version === null) return <div className="muted small">its only version was rejected</div>;
  return (
    <div className="muted small">
      {whatInWords(version.schedule)}
      <br />
      {whenInWords(version.schedule)}
    </div>
  );
}

function Next({ schedule: { scheduleId, state, inForce } }: { schedule: ScheduleSummary }): ReactNode {
  const next = useQuery({
    queryKey: ['schedule', scheduleId, 'next', 1],
    queryFn: ({ signal }) => api.nextOccurrences({ scheduleId, count: 1 }, { signal }),
    enabled: state === 'active' && inForce !== null,
  });
  if (state === 'paused') return <span className="muted">none while it is paused</span>;
  if (state === 'pending') return <span className="muted">once it is confirmed</span>;
  if (next.isError) return <span className="muted">could not be read</span>;
  if (next.data === undefined) return <span className="muted">…</span>;
  const [first] = next.data.occurrences;
  return first === undefined ? <span className="muted">none: it has ended</span> : <When at={first.at} />;
}

function Last({ schedule: { scheduleId } }: { schedule: ScheduleSummary }): ReactNode {
  const detail = useQuery({
    queryKey: ['schedule', scheduleId],
    queryFn: ({ signal }) => api.getSchedule({ scheduleId }, { signal }),
  });
  if (detail.isError) return <span className="muted">could not be read</span>;
  if (detail.data === undefined) return <span className="muted">…</span>;
  const [last] = detail.data.occurrences;
  if (last === undefined) return <span className="muted">never</span>;
  return (
    <>
      <EndMark ended={last.ended} />
      <div className="muted small">
        <When at={last.scheduledAt} />
      </div>
    </>
  );
}

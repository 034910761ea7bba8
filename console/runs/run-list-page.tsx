import { Button, MultiSelect, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunSort, RunSummary } from '../../api/runs/run.ts';
import { api } from '../calls/api.ts';
import { Money, When } from '../elements/values.tsx';
import { counted, formatCount } from '../elements/formats.ts';
import { Blank, Failed, Page, Skeleton } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { OpenDrafts } from '../payment-file/draft-list.tsx';
import { SearchField } from '../elements/search-field.tsx';
import { useAddress } from '../elements/use-address.ts';
import { useTopic } from '../shell/live.tsx';
import { useMay } from '../shell/session.tsx';
import { partsIn } from '../../domain/runs/run-sentences.ts';
import { RUN_STATE_TABLE, runStatesWhere } from '../../domain/runs/run-state.ts';
import { RunStateMark } from './run-states.tsx';

const COLUMNS: readonly Column<RunSummary>[] = [
  {
    name: 'File',
    cell: ({ runId, fileName }) => (
      <Link to="/runs/$runId" params={{ runId }} className="main">
        {fileName}
      </Link>
    ),
  },
  { name: 'State', cell: ({ state }) => <RunStateMark state={state} /> },
  { name: 'Rows', align: 'right', cell: ({ rowCount }) => formatCount(rowCount) },
  { name: 'Total', align: 'right', cell: (run) => <Totals run={run} /> },
  { name: 'Not paid', align: 'right', isWideOnly: true, cell: (run) => <NotPaid run={run} /> },
  { name: 'By', isWideOnly: true, cell: ({ submittedBy }) => submittedBy.name },
  { name: 'Submitted', align: 'right', isWideOnly: true, cell: ({ submittedAt }) => <When at={submittedAt} /> },
];

const STATES = runStatesWhere(({ run }) => run.isUsed).map((value) => ({
  value,
  label: RUN_STATE_TABLE[value].word,
}));

const SORTS = [
  { value: 'submitted', label: 'newest first' },
  { value: 'file', label: 'file name' },
  { value: 'rows', label: 'most rows' },
  { value: 'state', label: 'state' },
];

/** All runs, as the address filters and sorts them. */
export function RunListPage(): ReactNode {
  const { search } = useAddress();
  const filter = { state: search.state, q: search.q, by: search.by, sort: search.sort as RunSort | undefined };
  const refetchInterval = useTopic('runs');
  const runs = useInfiniteQuery({
    queryKey: ['runs', filter],
    queryFn: ({ pageParam, signal }) =>
      api.listRuns(
        { ...filter, order: filter.sort === 'file' ? 'asc' : 'desc', before: pageParam, limit: 50 },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval,
  });
  const shown = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Page title="Runs" under="Files of payments, from submission to results" actions={<NewRun />}>
      <Filters />
      {useMay('submit_run') ? <OpenDrafts /> : null}
      {runs.isError ? <Failed error={runs.error} onRetry={() => void runs.refetch()} /> : null}
      {runs.isPending ? <Skeleton lines={10} /> : null}
      {runs.data !== undefined && shown.length === 0 ? <NoRuns isFiltered={isFiltered} /> : null}
      {shown.length === 0 ? null : (
        <Table
          label="Runs"
          rows={shown}
          columns={COLUMNS}
          keyOf={({ runId }) => runId}
          hrefOf={({ runId }) => `/runs/${runId}`}
        />
      )}
      {runs.hasNextPage ? (
        <div>
          <Button variant="default" loading={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
            Earlier runs
          </Button>
        </div>
      ) : null}
    </Page>
  );
}

function Filters(): ReactNode {
  const { search, change } = useAddress();
  return (
    <div className="filters no-print">
      <SearchField
        label="Search"
        placeholder="File name or id"
        initial={search.q ?? ''}
        onSearch={(q) => change({ q })}
      />
      <MultiSelect
        label="State"
        placeholder={search.state === undefined ? 'all' : undefined}
        data={STATES}
        clearable
        w={260}
        value={search.state?.split(',') ?? []}
        onChange={(states) => change({ state: states.join(',') })}
      />
      <Select
        label="Submitted by"
        data={[
          { value: '', label: 'anybody' },
          { value: 'me', label: 'me' },
        ]}
        w={140}
        allowDeselect={false}
        value={search.by ?? ''}
        onChange={(by) => change({ by })}
      />
      <Select
        label="Sorted by"
        data={SORTS}
        w={150}
        allowDeselect={false}
        value={search.sort ?? 'submitted'}
        onChange={(sort) => change({ sort: sort === 'submitted' ? null : sort })}
      />
    </div>
  );
}

function NewRun(): ReactNode {
  if (!useMay('submit_run')) return null;
  return (
    <Button component={Link} to="/runs/new" leftSection={<IconPlus size={16} />}>
      New run
    </Button>
  );
}

function NoRuns({ isFiltered }: { isFiltered: boolean }): ReactNode {
  const { change } = useAddress();
  if (isFiltered) {
    return (
      <Blank title="No matching run">
        <Button variant="default" onClick={() => change({ state: null, q: null, by: null, sort: null })}>
          Show all runs
        </Button>
      </Blank>
    );
  }
  return (
    <Blank title="There are no runs yet">
      <p>A run begins with a file of payments. It is checked first, and nothing is paid before it is approved.</p>
      <NewRun />
    </Blank>
  );
}

const MOST_TOTALS = 2;

function Totals({ run }: { run: RunSummary }): ReactNode {
  const { totals } = run;
  if (totals.length === 0) return <span className="muted">–</span>;
  return (
    <div className="amounts">
      {totals.slice(0, MOST_TOTALS).map(({ currency, side, amount }) => (
        <Money key={`${currency} ${side}`} amount={amount} currency={currency} />
      ))}
      {totals.length > MOST_TOTALS ? (
        <span className="muted small">and {counted(totals.length - MOST_TOTALS, 'total')}</span>
      ) : null}
    </div>
  );
}

function NotPaid({ run }: { run: RunSummary }): ReactNode {
  const count = partsIn(run.state, run.rows).not_paid;
  return count === 0 ? <span className="muted">–</span> : formatCount(count);
}

import { Button, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { RowMark } from '../../api/runs/review.ts';
import type { PaymentState, RowSort } from '../../api/runs/row.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { runHasEnded } from '../../domain/runs/run-state.ts';
import { api } from '../calls/api.ts';
import { explain } from '../elements/explain-error.ts';
import { counted, formatCount } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { Blank, Failed, Skeleton } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAddress } from '../elements/use-address.ts';
import { RunFrame } from '../runs/run-frame.tsx';
import { ReleaseListed } from './release-rows.tsx';
import { RowFilters } from './row-filters.tsx';
import { RowGrid } from './row-grid.tsx';
import { RowPanel } from './row-panel.tsx';
import type { ReadRows } from './visible-rows.ts';
import { positionOfLine } from './position-of-line.ts';
import './rows.css';

/** The rows of a run, however many. */
export function RowsPage(): ReactNode {
  return <RunFrame>{(run) => <Rows run={run} />}</RunFrame>;
}

interface Filter {
  state: PaymentState | null;
  q: string | null;
  currency: string | null;
  mark: RowMark | null;
  finding: string | null;
  sort: RowSort;
  order: 'asc' | 'desc';
}

/** As the address has it: the server refuses what it does not know. */
function useFilter(): Filter {
  const { search } = useAddress();
  const { state = null, q = null, currency = null, mark = null, finding = null, sort = 'line', order = 'asc' } = search;
  return useMemo(
    () => ({ state, q, currency, mark, finding, sort, order }) as Filter,
    [state, q, currency, mark, finding, sort, order],
  );
}

function Rows({ run }: { run: RunDetail }): ReactNode {
  const { search, change } = useAddress();
  const filter = useFilter();
  const known = knownCount(run, filter);
  const counted = useQuery({
    queryKey: ['run', run.runId, 'count', filter],
    queryFn: ({ signal }) => api.listRows({ runId: run.runId, ...filter, limit: 1, count: true }, { signal }),
    enabled: known === null,
    staleTime: 30_000,
  });
  const total = known === null ? (counted.data?.total ?? null) : { count: known, hasMore: false };
  const line = search.row === undefined ? null : Number(search.row);
  return (
    <>
      <RowFilters run={run} />
      {counted.isError ? <Failed error={counted.error} onRetry={() => void counted.refetch()} /> : null}
      {total === null && !counted.isError ? <Skeleton lines={12} /> : null}
      {total?.count === 0 ? <NoRows /> : null}
      {total === null || total.count === 0 ? null : <Grid run={run} filter={filter} total={total} openLine={line} />}
      <RowPanel run={run} line={search.row ?? null} onClose={() => change({ row: null })} />
    </>
  );
}

/** Null: the server must count. */
function knownCount(run: RunDetail, { state, q, currency, mark, finding }: Filter): number | null {
  if (q !== null || currency !== null || mark !== null || finding !== null) return null;
  return state === null ? run.rowCount : (run.rows[state] ?? 0);
}

interface GridProps {
  run: RunDetail;
  filter: Filter;
  total: { count: number; hasMore: boolean };
  openLine: number | null;
}

function Grid({ run, filter, total, openLine }: GridProps): ReactNode {
  const { search, change } = useAddress();
  const [start] = useState(Number(search.at ?? 0));
  const [time, setTime] = useState(0);
  const [target, setTarget] = useState<{ position: number; time: number } | null>(null);
  const read = useCallback(
    (from: number, limit: number, signal: AbortSignal) =>
      api.listRows({ runId: run.runId, ...filter, marks: 'if_known', from, limit }, { signal }),
    // A new number reads everything again.
    [run.runId, filter, time],
  );
  const onRest = useCallback((position: number) => change({ at: position === 0 ? null : String(position) }), [change]);
  // Rows leave a state, and the order by state moves: what one looks at must not.
  const isMoving = !runHasEnded(run.state);
  const standsStill = filter.state !== null || filter.sort === 'state';
  // Rows are read by their position, some later than others: once rows have gone, those that moved up may be in neither.
  const seenAs = `${JSON.stringify(filter)} ${time}`;
  const [seen, setSeen] = useState({ as: seenAs, count: total.count });
  if (seen.as !== seenAs) setSeen({ as: seenAs, count: total.count });
  const moved = standsStill && seen.as === seenAs ? Math.abs(total.count - seen.count) : 0;
  return (
    <>
      <div className="row spread">
        <span role="status" className="muted">
          {formatCount(total.count)}
          {total.hasMore ? '+ rows' : total.count === 1 ? ' row' : ' rows'}
        </span>
        <span className="row no-print">
          {moved > 0 ? <Mark tone="waiting">{counted(moved, 'row')} moved: some may be missing here</Mark> : null}
          {filter.state === 'duplicate_suspect' && filter.finding === null && filter.mark === null ? (
            <ReleaseListed run={run} chosen={{ rowRef: null, q: filter.q, currency: filter.currency }} />
          ) : null}
          {(isMoving && standsStill) || moved > 0 ? (
            <Button size="xs" variant="default" onClick={() => setTime(time + 1)}>
              Read again
            </Button>
          ) : null}
          {filter.sort === 'line' && filter.order === 'asc' ? (
            <GoToLine
              rowCount={total.count}
              read={read}
              onFound={(position) => setTarget({ position, time: Date.now() })}
            />
          ) : null}
        </span>
      </div>
      <RowGrid
        key={JSON.stringify(filter)}
        label={`Rows of ${run.fileName}`}
        runState={run.state}
        read={read}
        rowCount={total.count}
        changes={isMoving && !standsStill}
        // The last rows end when the run does, and those of an ended run may still be resolved by people.
        version={isMoving ? 'moving' : JSON.stringify([run.state, run.rows])}
        start={Math.min(start, Math.max(0, total.count - 1))}
        openLine={openLine}
        // From row to row “back” leads to the list, and from the list not away from it.
        onOpen={({ line }) => change({ row: String(line) }, openLine === null)}
        onRest={onRest}
        target={target}
      />
    </>
  );
}

/** By the line of the file, which problems and the results name; only where rows are in the order of their lines. */
function GoToLine(props: { rowCount: number; read: ReadRows; onFound: (position: number) => void }): ReactNode {
  const { rowCount, read, onFound } = props;
  const lineAt = async (position: number): Promise<number> => {
    const { rows } = await read(position, 1, new AbortController().signal);
    // Rows have left what is shown meanwhile: the ones before are looked at.
    return rows[0]?.line ?? Number.POSITIVE_INFINITY;
  };
  const go = useAction((line: number) => positionOfLine(line, rowCount, lineAt), { then: onFound });
  return (
    <NumberInput
      size="xs"
      w={130}
      hideControls
      allowDecimal={false}
      min={1}
      placeholder="Go to line …"
      aria-label="Go to line"
      error={go.error === null ? undefined : explain(go.error).message}
      onKeyDown={(event) => {
        const given = Number(event.currentTarget.value);
        if (event.key === 'Enter' && given >= 1) go.do(given);
      }}
    />
  );
}

function NoRows(): ReactNode {
  const { change } = useAddress();
  return (
    <Blank title="No matching row">
      <Button
        variant="default"
        onClick={() =>
          change({ state: null, q: null, currency: null, mark: null, finding: null, sort: null, order: null })
        }
      >
        Show all rows
      </Button>
    </Blank>
  );
}

import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, memo, type ReactNode, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { RowSummary } from '../../api/runs/row.ts';
import type { RunState } from '../../domain/runs/run-state.ts';
import { Failed } from '../elements/page.tsx';
import { ROW_COLUMNS } from './row-columns.tsx';
import { type ReadRows, VisibleRows } from './visible-rows.ts';
import { type Scroll, useScroll } from './use-scroll.ts';

const ROW_HEIGHT = 36;
const PHONE_ROW_HEIGHT = 60;
const HEAD_HEIGHT = 32;
const REFRESH_MS = 2_000;

interface RowGridProps {
  runState: RunState;
  label: string;
  read: ReadRows;
  rowCount: number;
  changes: boolean;
  /** While they do not change by themselves: with another one they are read again, once. */
  version: string;
  start: number;
  openLine: number | null;
  onOpen: (row: RowSummary) => void;
  onRest: (position: number) => void;
  /** Where to go, and which time: the same place can be asked for twice. */
  target: { position: number; time: number } | null;
}

/**
 * Up to a million rows, of which only those in view are there. The order stands still: rows are read again where they are.
 * `changes`: they may change while they are looked at.
 */
export function RowGrid(props: RowGridProps): ReactNode {
  const { label, runState, read, rowCount, changes, version, start, openLine, onOpen, onRest, target } = props;
  const isPhone = useMediaQuery('(max-width: 760px)');
  const rowHeight = isPhone ? PHONE_ROW_HEIGHT : ROW_HEIGHT;
  const view = useRef<HTMLDivElement>(null);
  const rows = useVisibleRows(read);
  const headHeight = isPhone ? 0 : HEAD_HEIGHT;
  const scroll = useScroll(view, rowCount, rowHeight, headHeight, start);
  const first = Math.floor(scroll.position);
  const last = Math.max(first, Math.min(rowCount - 1, first + Math.ceil(scroll.viewHeight / rowHeight)));
  const [active, setActive] = useState(start);
  useEffect(() => rows.show(first, last), [rows, first, last]);
  useRefresh(rows, changes || rows.lacksMarks(first, last), first, last);
  useVersion(rows, version, first, last);
  useRest(first, onRest);
  useTarget(target, (position) => {
    scroll.moveTo(position);
    setActive(position);
  });
  const open = (position: number): void => {
    setActive(position);
    const row = rows.rowAt(position);
    if (row !== null) onOpen(row);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') open(active);
    const next = nextActive(event.key, active, scroll.viewHeight / rowHeight, rowCount);
    if (next === null) return;
    event.preventDefault();
    setActive(next);
    keepInView(scroll, next, rowHeight);
  };
  const count = last - first + 1;
  return (
    <>
      {rows.error === null ? null : <Failed error={rows.error} onRetry={() => void rows.refresh(first, last)} />}
      <div
        className="grid"
        ref={view}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rowCount + 1}
        aria-colcount={ROW_COLUMNS.length}
        aria-activedescendant={`grid-row-${active}`}
        onScroll={scroll.onScroll}
        onKeyDown={onKey}
      >
        <div style={{ height: scroll.scale.height + headHeight }} role="presentation">
          <div className="grid-shown" role="presentation" style={{ height: scroll.viewHeight + headHeight }}>
            <GridHead />
            <div role="rowgroup">
              {Array.from({ length: count }, (_, index) => first + index).map((position) => {
                const row = rows.rowAt(position);
                const top = headHeight + (position - scroll.position) * rowHeight;
                const state = { isActive: position === active, isOpen: row !== null && row.line === openLine };
                const place = { position, top, height: rowHeight };
                return (
                  <GridRow key={position} {...place} {...state} {...{ row, runState }} onClick={() => open(position)} />
                );
              })}
            </div>
          </div>
        </div>
      </div>
    </>
  );
}

function useVisibleRows(read: ReadRows): VisibleRows {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const rows = useMemo(() => new VisibleRows(read, redraw), [read]);
  useEffect(() => () => rows.close(), [rows]);
  return rows;
}

function useTarget(target: { position: number; time: number } | null, move: (position: number) => void): void {
  const latest = useRef(move);
  latest.current = move;
  useEffect(() => {
    if (target !== null) latest.current(target.position);
  }, [target]);
}

const REST_MS = 600;

function useRest(first: number, onRest: (position: number) => void): void {
  useEffect(() => {
    const resting = window.setTimeout(() => onRest(first), REST_MS);
    return () => window.clearTimeout(resting);
  }, [first, onRest]);
}

function useRefresh(rows: VisibleRows, changes: boolean, first: number, last: number): void {
  useEffect(() => {
    if (!changes) return;
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') void rows.refresh(first, last);
    }, REFRESH_MS);
    return () => window.clearInterval(timer);
  }, [rows, changes, first, last]);
}

function useVersion(rows: VisibleRows, version: string, first: number, last: number): void {
  const read = useRef({ rows, version });
  useEffect(() => {
    const isSame = read.current.rows !== rows || read.current.version === version;
    read.current = { rows, version };
    if (!isSame) void rows.reload(first, last);
  }, [rows, version, first, last]);
}

function nextActive(key: string, active: number, perView: number, rowCount: number): number | null {
  const page = Math.max(1, Math.floor(perView) - 1);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    j: active + 1,
    ArrowUp: active - 1,
    k: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: rowCount - 1,
  };
  const next = moves[key];
  return next === undefined ? null : Math.min(Math.max(next, 0), rowCount - 1);
}

function keepInView(scroll: Scroll, position: number, rowHeight: number): void {
  const perView = scroll.viewHeight / rowHeight;
  if (position < scroll.position) scroll.moveTo(position);
  else if (position + 1 > scroll.position + perView) scroll.moveTo(position + 1 - perView);
}

function GridHead(): ReactNode {
  return (
    <div role="rowgroup">
      <div className="grid-row grid-head" role="row" aria-rowindex={1}>
        {ROW_COLUMNS.map(({ name, className }) => (
          <div key={name} role="columnheader" className={className}>
            {name}
          </div>
        ))}
      </div>
    </div>
  );
}

function GridRow(props: {
  position: number;
  top: number;
  height: number;
  row: RowSummary | null;
  runState: RunState;
  isActive: boolean;
  isOpen: boolean;
  onClick: () => void;
}): ReactNode {
  const { position, top, height, row, runState, isActive, isOpen, onClick } = props;
  return (
    <div
      id={`grid-row-${position}`}
      className="grid-row"
      role="row"
      aria-rowindex={position + 2}
      aria-selected={isOpen}
      data-active={isActive}
      data-open={isOpen}
      style={{ transform: `translateY(${top}px)`, height }}
      onClick={onClick}
    >
      <Cells row={row} runState={runState} />
    </div>
  );
}

/** Drawn again when the row is another one, and not for each frame in which it moves. */
const Cells = memo(function Cells(props: { row: RowSummary | null; runState: RunState }): ReactNode {
  const { row, runState } = props;
  return ROW_COLUMNS.map(({ name, className, cell }) => (
    <div key={name} role="gridcell" className={className}>
      {row === null ? <span className="grid-blank" /> : cell(row, runState)}
    </div>
  ));
});

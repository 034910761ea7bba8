import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

export interface Scroll {
  scale: ScrollScale;
  /** Of the rows, without their head. */
  viewHeight: number;
  /** The position of the row at the top, with fractions. */
  position: number;
  moveTo: (position: number) => void;
  onScroll: () => void;
}

/** What of the rows is in view. The position is kept in rows: pixels of the scroll bar follow it. */
export function useScroll(
  view: RefObject<HTMLDivElement | null>,
  rowCount: number,
  rowHeight: number,
  headHeight: number,
  start: number,
): Scroll {
  const viewHeight = Math.max(0, useHeight(view) - headHeight);
  const [position, setPosition] = useState(start);
  const expectedTop = useRef(-1);
  const scale = scrollScale(rowCount, rowHeight, viewHeight);
  const { scrollTopAt, positionAt, last, isScaled } = scale;
  const current = useRef({ position, last, scrollTopAt });
  current.current = { position, last, scrollTopAt };
  const moveTo = useCallback(
    (wanted: number) => {
      const next = Math.min(Math.max(wanted, 0), current.current.last);
      setPosition(next);
      if (view.current === null) return;
      view.current.scrollTop = current.current.scrollTopAt(next);
      expectedTop.current = view.current.scrollTop;
    },
    [view],
  );
  useLayoutEffect(() => {
    if (viewHeight > 0) moveTo(current.current.position);
  }, [viewHeight, rowCount, moveTo]);
  useWheel(view, isScaled, (pixels) => moveTo(current.current.position + pixels / rowHeight));
  const onScroll = (): void => {
    const top = view.current?.scrollTop ?? 0;
    // Of our own movement, or the rounding of it: the position is more exact than the pixels.
    if (Math.abs(top - expectedTop.current) < 1) return;
    expectedTop.current = top;
    setPosition(positionAt(top));
  };
  return { scale, viewHeight, position: Math.min(position, last), moveTo, onScroll };
}

function useHeight(view: RefObject<HTMLDivElement | null>): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    if (view.current === null) return;
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 0));
    observer.observe(view.current);
    return () => observer.disconnect();
  }, [view]);
  return height;
}

/** A wheel moves by rows also where a pixel of the scroll bar is many rows. */
function useWheel(view: RefObject<HTMLDivElement | null>, isScaled: boolean, move: (pixels: number) => void): void {
  const latest = useRef(move);
  latest.current = move;
  useEffect(() => {
    const element = view.current;
    if (element === null || !isScaled) return;
    const onWheel = (event: WheelEvent): void => {
      if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      event.preventDefault();
      const perUnit = { 0: 1, 1: 36, 2: element.clientHeight }[event.deltaMode] ?? 1;
      latest.current(event.deltaY * perUnit);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [view, isScaled]);
}

/**
 * Between rows and pixels. Browsers cap the height of an element, at about 33 million pixels: a million rows are higher. So
 * the element is at most 8 million high, and above that a pixel of the scroll bar stands for more than a pixel of rows.
 */

const MOST_PIXELS = 8_000_000;

interface ScrollScale {
  /** Of what is scrolled. */
  height: number;
  /** The position of the row at the top, with fractions. */
  positionAt: (scrollTop: number) => number;
  scrollTopAt: (position: number) => number;
  isScaled: boolean;
  /** The position at which the last row is at the bottom. */
  last: number;
}

function scrollScale(rowCount: number, rowHeight: number, viewHeight: number): ScrollScale {
  const full = rowCount * rowHeight;
  const height = Math.max(Math.min(full, MOST_PIXELS), viewHeight);
  const last = Math.max(0, rowCount - viewHeight / rowHeight);
  const way = Math.max(height - viewHeight, 1);
  const isScaled = full > MOST_PIXELS;
  return {
    height,
    isScaled,
    last,
    positionAt: (scrollTop) => clamp(isScaled ? (scrollTop / way) * last : scrollTop / rowHeight, last),
    scrollTopAt: (position) => (isScaled ? (clamp(position, last) / Math.max(last, 1)) * way : position * rowHeight),
  };
}

function clamp(position: number, last: number): number {
  return Math.min(Math.max(position, 0), last);
}

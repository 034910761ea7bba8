/**
 * Between rows and pixels. Browsers cap the height of an element, at about 33 million pixels: a million rows are higher. So
 * the element is at most 8 million high, and above that a pixel of the scroll bar stands for more than a pixel of rows.
 */

const MOST_PIXELS = 8_000_000;

export interface ScrollScale {
  /** Of what is scrolled. */
  height: number;
  /** The position of the row at the top, with fractions. */
  positionAt: (scrollTop: number) => number;
  scrollTopAt: (position: number) => number;
  isScaled: boolean;
  /** The position at which the last row is at the bottom. */
  last: number;
}

export function scrollScale(rowCount: number, rowHeight: number, viewHeight: number): ScrollScale {
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

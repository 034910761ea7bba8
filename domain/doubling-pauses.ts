const MAX_DOUBLINGS = 20;

/** In milliseconds: how long to wait after so many tries in a row without effect, from 1. Each time twice as long, up to `maxMs`. */
export function pauseAfter(tries: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(tries - 1, MAX_DOUBLINGS));
}

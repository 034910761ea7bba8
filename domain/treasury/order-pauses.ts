const MAX_DOUBLINGS = 20;

/** How long the workflow of an order waits after so many steps in a row that changed nothing: each time twice as long. */
export function pauseAfter(idle: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(idle - 1, MAX_DOUBLINGS));
}

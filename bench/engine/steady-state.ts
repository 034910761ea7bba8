import type { ProviderRequest } from './sandbox-view.ts';

/** The run without its beginning and its end: between these shares of its payments, by the order of their funding. */
const FROM_SHARE = 0.1;
const TO_SHARE = 0.9;

export interface SteadyState {
  /** Payments funded in it, and how long it was. */
  readonly payments: number;
  readonly seconds: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** From the moment when a tenth of the payments was funded until nine tenths were. @throws Error for too few */
export function steadyStateOf(fundedAtMs: readonly number[]): SteadyState {
  const sorted = [...fundedAtMs].sort((a, b) => a - b);
  const [from, to] = [Math.ceil(sorted.length * FROM_SHARE), Math.floor(sorted.length * TO_SHARE)];
  const [fromMs, toMs] = [sorted[from - 1], sorted[to - 1]];
  if (fromMs === undefined || toMs === undefined || toMs <= fromMs)
    throw new Error('the run was too short to be measured');
  return { payments: to - from, seconds: (toMs - fromMs) / 1000, fromMs, toMs };
}

/** When the provider let the fundings in, milliseconds since 1970. */
export const fundingsIn = (requests: readonly ProviderRequest[]): number[] =>
  requests
    .filter(({ operation, status }) => operation === 'simple-payment-fund' && status === 200)
    .map(({ at }) => Date.parse(at));

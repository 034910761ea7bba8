import type { ProviderRequest } from './sandbox-view.ts';

/** The steady state is between these shares of the payments, in the order of their funding. */
const FROM_SHARE = 0.1;
const TO_SHARE = 0.9;

export interface SteadyState {
  /** Payments that were funded in it. */
  readonly payments: number;
  readonly seconds: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** From the funding of the payment at a tenth to that at nine tenths. @throws Error when there are too few payments */
export function steadyStateOf(fundedAtMs: readonly number[]): SteadyState {
  const sorted = [...fundedAtMs].sort((a, b) => a - b);
  const [from, to] = [Math.ceil(sorted.length * FROM_SHARE), Math.floor(sorted.length * TO_SHARE)];
  const [fromMs, toMs] = [sorted[from - 1], sorted[to - 1]];
  if (fromMs === undefined || toMs === undefined || toMs <= fromMs)
    throw new Error('the run was too short to be measured');
  return { payments: to - from, seconds: (toMs - fromMs) / 1000, fromMs, toMs };
}

/** When the provider admitted the fundings, in milliseconds since 1970. */
export const fundingsIn = (requests: readonly ProviderRequest[]): number[] =>
  requests
    .filter(({ operation, status }) => operation === 'simple-payment-fund' && status === 200)
    .map(({ at }) => Date.parse(at));

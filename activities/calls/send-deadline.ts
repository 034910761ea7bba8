import type { CallOptions } from '../../provider/calls/api-call.ts';
import type { ProviderFailure } from '../../provider/calls/failure.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { callProvider, type ProviderReply } from './call-provider.ts';

/**
 * A non-idempotent request is sent within this time of its intent, or not at all: whoever looks up an open request relies
 * on it. A lease is usually free within a second.
 */
export const SEND_WITHIN_MS = 10_000;

/** The deadline by which a request may be sent. Started before the intent is recorded. */
export interface SendDeadline {
  sinceStartedMs: () => number;
}

/**
 * By whichever clock has gone further: the monotonic one stands still while the machine sleeps, and the wall clock may be set
 * back.
 */
export function startSendDeadline({
  now,
  monotonicNow,
}: Pick<ActivityDependencies, 'now' | 'monotonicNow'>): SendDeadline {
  const [wallMs, monotonicMs] = [now(), monotonicNow()];
  // guard: sent-soon-by-both-clocks
  return { sinceStartedMs: () => Math.max(now() - wallMs, monotonicNow() - monotonicMs) };
}

/** As `callProvider`, for a request that must not be sent after its deadline. */
export function callNonIdempotent<T>(
  { sinceStartedMs }: SendDeadline,
  beforeSend: () => Promise<void>,
  call: (options: CallOptions) => Promise<T>,
): Promise<ProviderReply<T> | ProviderFailure> {
  return callProvider(call, async () => {
    await beforeSend();
    // guard: sent-soon-or-not
    if (sinceStartedMs() > SEND_WITHIN_MS) throw new Error('it waited too long for its lease');
  });
}

import {
  type CancelledRun,
  cancelledRunSchema,
  type CreatedStop,
  createdStopSchema,
  type LiftedStop,
  liftedStopSchema,
  stopListSchema,
  type StopRequest,
  type StopSummary,
} from '../../api/approvals/stop.ts';
import type { JsonCaller } from './json-caller.ts';

/** Stopping payments. Once a stop is answered, nothing new is sent; payments already sent are still confirmed. */
export interface StopCalls {
  readonly stops: {
    list(): Promise<StopSummary[]>;
    stopRun(runId: string, reason?: string | null): Promise<CreatedStop>;
    stopAccount(account: string, reason?: string | null): Promise<CreatedStop>;
    stopAll(reason?: string | null): Promise<CreatedStop>;
    /**
     * The first call requests it, the second one, by a checker other than the requester, lifts it. Throws `conflict` when
     * somebody has requested it since the stop was read.
     */
    lift(stop: Pick<StopSummary, 'stopId' | 'liftRequestedBy'>): Promise<LiftedStop>;
    /** Ends a stopped run for good: its unsent rows are free to be submitted again. */
    cancelRun(runId: string, reason?: string | null): Promise<CancelledRun>;
  };
}

export function stopCalls(call: JsonCaller): StopCalls {
  const runPath = (runId: string): string => `/runs/${encodeURIComponent(runId)}`;
  const stop = (body: StopRequest): Promise<CreatedStop> =>
    call(createdStopSchema, { method: 'POST', path: '/stops', body });
  return {
    stops: {
      list: async () => (await call(stopListSchema, { path: '/stops' })).stops,
      stopRun: (runId, reason = null) =>
        call(createdStopSchema, { method: 'POST', path: `${runPath(runId)}/stop`, body: { reason } }),
      stopAccount: (account, reason = null) => stop({ scope: 'account', account, reason }),
      stopAll: (reason = null) => stop({ scope: 'all', reason }),
      lift: ({ stopId, liftRequestedBy }) =>
        call(liftedStopSchema, {
          method: 'POST',
          path: `/stops/${encodeURIComponent(stopId)}/lift`,
          body: { liftRequestedBy: liftRequestedBy?.userId ?? null },
        }),
      cancelRun: (runId, reason = null) =>
        call(cancelledRunSchema, { method: 'POST', path: `${runPath(runId)}/cancel`, body: { reason } }),
    },
  };
}

import type { CancelledRun, LiftedStop, MadeStop, StopSummary } from '../../application/approvals/stop-api.ts';
import type { Ask } from './user-calls.ts';

/** Stopping payments. From the answer on nothing new is sent; what was sent is still confirmed. */
export interface StopCalls {
  readonly stops: {
    list(): Promise<StopSummary[]>;
    stopRun(runId: string, reason?: string | null): Promise<MadeStop>;
    stopAccount(account: string, reason?: string | null): Promise<MadeStop>;
    stopAll(reason?: string | null): Promise<MadeStop>;
    /** The first call asks for it, the second one, by a checker other than who asked, lifts it. */
    lift(stopId: string): Promise<LiftedStop>;
    /** Ends a stopped run for good: its unsent rows are free to be submitted again. */
    cancelRun(runId: string, reason?: string | null): Promise<CancelledRun>;
  };
}

export function stopCalls(ask: Ask): StopCalls {
  const post = (path: string, body?: object): Promise<unknown> =>
    ask({ method: 'POST', path, ...(body === undefined ? {} : { body }) });
  const runPath = (runId: string): string => `/runs/${encodeURIComponent(runId)}`;
  return {
    stops: {
      list: async () => ((await ask({ path: '/stops' })) as { stops: StopSummary[] }).stops,
      stopRun: async (runId, reason = null) => (await post(`${runPath(runId)}/stop`, { reason })) as MadeStop,
      stopAccount: async (account, reason = null) =>
        (await post('/stops', { scope: 'account', account, reason })) as MadeStop,
      stopAll: async (reason = null) => (await post('/stops', { scope: 'all', reason })) as MadeStop,
      lift: async (stopId) => (await post(`/stops/${encodeURIComponent(stopId)}/lift`)) as LiftedStop,
      cancelRun: async (runId, reason = null) => (await post(`${runPath(runId)}/cancel`, { reason })) as CancelledRun,
    },
  };
}

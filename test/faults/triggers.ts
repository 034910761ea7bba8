import type { Database } from '../../store/database/database.ts';
import { until } from '../helpers/until.ts';
import type { ProxiedRequest } from './provider-proxy.ts';
import type { Disruption, Trigger } from './scenario.ts';

/** Called when the trigger of a disruption has fired; with the request that fired it, or null when it was another one. */
export type OnTrigger<D = Disruption> = (disruption: D, request: ProxiedRequest | null) => void;

type RequestTrigger = Extract<Trigger, { on: 'request' }>;

/** Also a later request than the n-th: the connection of the n-th may break before the proxy sees its answer. */
function isFiredBy(trigger: RequestTrigger, request: ProxiedRequest): boolean {
  return trigger.operation === request.operation && trigger.nth <= request.nth && trigger.phase === request.phase;
}

/** A listener for the proxy that fires each disruption triggered by a request once. */
export function requestTriggers<D extends { trigger: { on: string } }>(
  disruptions: readonly D[],
  onTrigger: OnTrigger<D>,
): (request: ProxiedRequest) => void {
  const waiting = new Set(disruptions.filter(({ trigger }) => trigger.on === 'request'));
  return (request) => {
    for (const disruption of waiting) {
      if (!isFiredBy(disruption.trigger as RequestTrigger, request)) continue;
      waiting.delete(disruption);
      onTrigger(disruption, request);
    }
  };
}

/** Polls the states of a run's rows until the run has ended, and fires each disruption triggered by them once. */
export async function watchRowTriggers(
  database: Database,
  runId: string,
  disruptions: readonly Disruption[],
  onTrigger: OnTrigger,
): Promise<void> {
  const waiting = new Set(disruptions.filter(({ trigger }) => trigger.on === 'rows'));
  await until(async () => {
    if (waiting.size === 0) return true;
    const counts = await countRows(database, runId).catch(() => null);
    if (counts === null) return false;
    for (const disruption of waiting) {
      const { trigger } = disruption;
      if (trigger.on !== 'rows') continue;
      const reached = trigger.states.reduce((sum, state) => sum + (counts.states.get(state) ?? 0), 0);
      if (reached < trigger.atLeast) continue;
      waiting.delete(disruption);
      onTrigger(disruption, null);
    }
    return counts.hasEnded;
  });
}

async function countRows(
  database: Database,
  runId: string,
): Promise<{ states: ReadonlyMap<string, number>; hasEnded: boolean }> {
  const { rows } = await database.query<{ state: string; rows: number; ended: boolean }>(
    `select payments.state, count(*)::int as rows, bool_and(finished_at is not null) as ended
     from payments join runs using (run_id) where run_id = $1 group by 1`,
    [runId],
  );
  return {
    states: new Map(rows.map(({ state, rows: count }) => [state, count])),
    hasEnded: rows.length > 0 && rows.every(({ ended }) => ended),
  };
}

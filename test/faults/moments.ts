import type { Database } from '../../store/database/database.ts';
import { until } from '../helpers/until.ts';
import type { Passing } from './provider-door.ts';
import type { Disturbance, Moment } from './scenario.ts';

/** A disturbance whose moment has come. The worker is the one whose request the moment was; null: it was none's. */
export type OnMoment = (disturbance: Disturbance, passing: Passing | null) => void;

/** The n-th, or the next one after it: the connection of the n-th may break before it was seen to be carried out. */
function isNow(moment: Moment, passing: Passing): boolean {
  return (
    moment.on === 'request' &&
    moment.operation === passing.operation &&
    moment.nth <= passing.nth &&
    moment.phase === passing.phase
  );
}

/** Watches what passes the door; each disturbance comes once. */
export function atRequests(disturbances: readonly Disturbance[], onMoment: OnMoment): (passing: Passing) => void {
  const waiting = new Set(disturbances.filter(({ at }) => at.on === 'request'));
  return (passing) => {
    for (const disturbance of waiting) {
      if (!isNow(disturbance.at, passing)) continue;
      waiting.delete(disturbance);
      onMoment(disturbance, passing);
    }
  };
}

/** Watches the rows of a run, until it has ended. */
export async function atRows(
  database: Database,
  runId: string,
  disturbances: readonly Disturbance[],
  onMoment: OnMoment,
): Promise<void> {
  const waiting = new Set(disturbances.filter(({ at }) => at.on === 'rows'));
  await until(async () => {
    if (waiting.size === 0) return true;
    const counts = await countRows(database, runId).catch(() => null);
    if (counts === null) return false;
    for (const disturbance of waiting) {
      const { at } = disturbance;
      if (at.on !== 'rows') continue;
      const reached = at.states.reduce((sum, state) => sum + (counts.states.get(state) ?? 0), 0);
      if (reached < at.atLeast) continue;
      waiting.delete(disturbance);
      onMoment(disturbance, null);
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

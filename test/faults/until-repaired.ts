import type { FaultStack } from './fault-stack.ts';
import { untilWithin } from './until-within.ts';

const REPAIRED_WITHIN_MS = 60_000;

/** Waits until the server answers that all is well, and every worker is alive. */
export async function untilRepaired({ database, maker, workers }: FaultStack): Promise<void> {
  await untilWithin(REPAIRED_WITHIN_MS, 'the services answer again', async () => {
    return (await maker.getHealth().catch(() => null))?.status === 'ok';
  });
  const firstHeartbeats = new Map<string, number>();
  await untilWithin(REPAIRED_WITHIN_MS, 'every worker is alive', async () => {
    const { rows } = await database.query<{ holder: string; heartbeat: number }>(
      'select holder, heartbeat from lease_holders',
    );
    for (const { holder, heartbeat } of rows) if (!firstHeartbeats.has(holder)) firstHeartbeats.set(holder, heartbeat);
    return (
      rows.filter(({ holder, heartbeat }) => heartbeat > (firstHeartbeats.get(holder) ?? heartbeat)).length >=
      workers.length
    );
  });
}
